/** The tables that can keep their pairs in host memory. */
import { hostCuckoo } from "./cuckoo/host.js";
import type { Traffic } from "./out-of-core/pcie.js";
import { hostStash } from "./stash/host.js";
import type { TableType } from "./table.js";

const made: Readonly<Record<string, (traffic: Traffic) => TableType>> = {
  stash: (traffic) => hostStash("stash", traffic),
  clstash: (traffic) => hostStash("clstash", traffic),
  "stash-hybrid": (traffic) => hostStash("stash-hybrid", traffic),
  cuckoo: hostCuckoo,
};

export const hostTableIds: readonly string[] = Object.keys(made);

/** The table of that id, which adds what its operations move to `traffic`; undefined if it cannot be in host memory. */
export function hostTable(id: string, traffic: Traffic): TableType | undefined {
  return made[id]?.(traffic);
}
