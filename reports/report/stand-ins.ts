/** What a report shows in place of something that WebGPU, or this machine, does not give. */
import type { ResultRow } from "../../bench/results/record.js";

export interface StandIn {
  /** A value of the column. */
  readonly name: string;
  readonly column: "metric" | "dataset";
  /** What it stands for, and why. */
  readonly text: string;
}

/** A data set that stands in for another one gets its line here. */
export const standIns: readonly StandIn[] = [
  {
    name: "transactions",
    column: "metric",
    text: "32-byte sectors of the table that an operation reads, writes or modifies. Stands in for a profiler's count of executed memory instructions.",
  },
  {
    name: "balance",
    column: "metric",
    text: "Warp steps / (warps × the longest warp's steps), by workgroup. Stands in for achieved occupancy, which WebGPU does not expose.",
  },
  {
    name: "warp_efficiency_instructions",
    column: "metric",
    text: "Active lanes of executed operations, by the number of operations in each region of the linked WGSL. Stands in for a profiler's warp execution efficiency, which counts machine instructions.",
  },
  {
    name: "counted_mops",
    column: "metric",
    text: "Rate at which a PCIe bus of the stated bandwidth carries the counted transactions with a table in host memory. Stands in for a kernel's own accesses to host memory, which WebGPU does not have.",
  },
];

/** Those that occur in the rows. */
export function standInsOf(rows: readonly ResultRow[]): StandIn[] {
  return standIns.filter(({ name, column }) =>
    // zipf:1.0 is of the data set zipf.
    rows.some((row) => row[column] === name || (column === "dataset" && row.dataset.startsWith(`${name}:`))),
  );
}
