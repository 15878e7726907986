/** What the experiments of GPH share. */
import type { Axes, Channel, PaperValue, Series } from "../../experiment.js";
import { librarySeries } from "../originals.js";

/** The paper writes GB; only with 2^30 bytes does its largest data set fit its smallest table. */
export const GB = 2 ** 30;

/** Bytes of tables. The largest is 64 KiB short of 2 GB: bindings hold 16 bytes less than that on an H200, and tables round up. */
export const SIZES: readonly number[] = [1.25 * GB, 1.5 * GB, 1.75 * GB, 2 * GB - 2 ** 16];

/** As the paper's axis. */
export const TABLE_SIZE: Channel = { field: "table_mib", title: "Table size (GB)", factor: 2 ** 20 / GB };

/** A lower bound of all of GPH's rates. */
export function above(mops: number): PaperValue {
  return { label: `GPH above ${mops.toLocaleString("en-US")} M/s (V100S)`, table: "gph", value: mops };
}

export const LOOKUPS = 200_000_000;

/** Lookups in one table of random pairs, half of them of present keys. */
export const HALF_PRESENT = {
  n: [100_000_000],
  op: ["find"],
  dataset: ["random"],
  tableBytes: [1.5 * GB],
  positiveRatio: [0.5],
  lookups: LOOKUPS,
} satisfies Axes;
export const HALF_PRESENT_SMALL = { n: [2 ** 16], loadFactor: [0.5], lookups: 2 ** 16 };

/** The paper's data sets, and their pairs. */
export const DATASETS = {
  n: { random: 100_000_000, lineitem: 100_784_453, taobench: 165_000_000, reddit: 54_160_677 },
  dataset: ["random", "lineitem", "taobench", "reddit"],
} satisfies Pick<Axes, "n" | "dataset">;

/** TaoBench fills tables so far that some of its pairs are refused. */
export const gph: Series = { table: "gph", label: "GPH", params: { refusals: true } };

/** GPH and the tables that the paper compares it with. */
export const TABLES: readonly Series[] = [
  gph,
  { table: "warpcore", label: "WarpCore" },
  { table: "dycuckoo", label: "DyCuckoo" },
  { table: "cuckoo", label: "Cuckoo" },
];

/** The CUDA libraries that the paper compares it with. */
export const LIBRARIES = librarySeries(["warpcore", "dycuckoo", "cudpp"]);

export const NOTES =
  "TaoBench and Reddit are stand-ins. TaoBench's 165 M pairs fill 61, 70, 82 and 98 % of tables of 2, 1.75, 1.5 and 1.25 GB: " +
  "GPH refuses some of them (refused_share), which lookups then do not find; the others cannot all be built so full. The paper " +
  "does not say how many pairs were left out of its own.";
