import type { Experiment } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { ROW_RATES } from "../shared.js";

const local = { table: "group-by", label: "Local", variant: "local", params: { plan: "local" } };
const global = { table: "group-by", label: "Global", variant: "global", params: { plan: "global" } };
const partition = { table: "group-by", label: "Partition", variant: "partition", params: { plan: "partition" } };
const sort = { table: "group-by", label: "Sort", variant: "sort", params: { plan: "sort" } };
const read = { table: "group-read", label: "Rows read" };
const modify = { table: "group-modify", label: "RMWs at known places" };

/** The plan that the sample is for, and each that is not for few groups alone. */
export const PLANNED = each([{ table: "group-by", label: "By sample" }, local, global, partition, sort], {
  bench: "group-by",
});
/** And what no plan avoids. */
const LIMITS = each([read, modify], { bench: "group-by" });
/** Programs of `kernels/native` that add rows up by key. */
export const PROGRAMS = each(
  [
    { table: "sum-by-key-cub", label: "CUB, sort" },
    { table: "sum-by-key-cuco", label: "cuCollections" },
    { table: "sum-by-key-duckdb", label: "DuckDB, n ≤ 16 M", at: { maxN: 2 ** 24 } },
  ],
  { bench: "group-by", only: { loaded: true } },
);

export const groupBy: Experiment = {
  id: "work/group-by",
  title: "Group-by by the number of groups",
  setting: "Sum of one column of 100 M rows of a 4-byte key and a 4-byte value; groups equally frequent",
  series: [...PLANNED, ...LIMITS, ...PROGRAMS],
  axes: {
    n: [100_000_000],
    op: ["group"],
    params: { groups: [4, 64, 1024, 4096, 16384, 131072, 1048576, 10_000_000, 100_000_000] },
  },
  quick: { params: { groups: [4, 1024, 131072, 10_000_000] } },
  software: { n: [2 ** 15], params: { groups: [4, 1024, 16384] } },
  cost: 2,
  figure: {
    ...ROW_RATES,
    x: { field: "params.groups", title: "Groups", scale: "log2" },
    only: ["group-by", "group-read", "sum-by-key-cub", "sum-by-key-cuco"],
  },
  notes:
    "A sample of 16,384 rows chooses the plan and sizes the table; it is part of the time, as is compacting the groups. The plan few, of " +
    "at most eight groups, is chosen by the sample alone. All rows read, and an RMW for each row at a place that is known, are what no plan avoids: the RMWs but for " +
    "rows that are combined first. The limit is of bytes: rows are read once, groups written once. " +
    "Hollow are programs (`--native`), of which cuCollections' is told how many groups there are.",
};
