/** Memory that operations need beside a table, where commands that are recorded bind it, too. */
import type { Owner } from "../device/owned.js";

/** Memory for `usual` items, made when it is first wanted, which then stays; and other memory for more. */
export function keptFor<T>(gpu: Owner, usual: number, make: (own: Owner, items: number) => Promise<T>) {
  const [staying, larger] = [gpu.kept(make), gpu.kept(make)];
  return {
    /** What there is of it now. */
    all: () => [staying.now, larger.now].filter((one) => one !== null),
    /** Throws DoesNotFit. */
    get: (items: number) => (items <= usual ? staying.get(usual) : larger.get(items)),
  };
}
