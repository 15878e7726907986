/** What cells that are measured together have in common, on the device. */
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owned, type Owner, owned } from "../../kernels/device/owned.js";

interface Entry {
  readonly made: Promise<Owned<object>>;
  value: Owned<object> | null;
  users: number;
}

/** Made for the first cell that asks, and freed with the last one that has it. */
export class Shared {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly gpu: Gpu) {}

  /**
   * What `make` makes, or has made for another cell under that name. Rejects as `make` does; the next cell that asks tries anew.
   * @param user Has it until its own end.
   */
  async get<T extends object>(user: Owner, name: string, make: (own: Owner) => Promise<T>): Promise<T> {
    const known = this.entries.get(name);
    const entry = known ?? { made: owned(this.gpu, make), value: null, users: 0 };
    if (!known) {
      this.entries.set(name, entry);
      entry.made.catch(() => this.forget(name, entry));
    }
    entry.users += 1;
    user.hold({ destroy: () => this.left(name, entry) });
    entry.value = await entry.made;
    // Whoever waited may have gone meanwhile.
    if (entry.users === 0) this.end(name, entry);
    return entry.value as Owned<T>;
  }

  private left(name: string, entry: Entry): void {
    entry.users -= 1;
    if (entry.users === 0) this.end(name, entry);
  }

  private end(name: string, entry: Entry): void {
    // While it is being made it may find new users.
    if (!entry.value) return;
    this.forget(name, entry);
    entry.value.destroy();
  }

  private forget(name: string, entry: Entry): void {
    if (this.entries.get(name) === entry) this.entries.delete(name);
  }
}
