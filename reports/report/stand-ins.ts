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
];

/** Those that occur in the rows. */
export function standInsOf(rows: readonly ResultRow[]): StandIn[] {
  return standIns.filter(({ name, column }) =>
    // zipf:1.0 is of the data set zipf.
    rows.some((row) => row[column] === name || (column === "dataset" && row.dataset.startsWith(`${name}:`))),
  );
}
