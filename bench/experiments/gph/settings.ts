/** What the experiments of GPH share. */
import { type Axes, type Channel, type Series, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { librarySeries } from "../originals.js";

/** The paper writes GB; only with 2^30 bytes does its largest data set fit its smallest table. */
export const GB = 2 ** 30;

/** Bytes of tables. The largest is 64 KiB short of 2 GB: bindings hold 16 bytes less than that on an H200, and tables round up. */
export const SIZES: readonly number[] = [1.25 * GB, 1.5 * GB, 1.75 * GB, 2 * GB - 2 ** 16];

/** As the paper's axis. */
export const TABLE_SIZE: Channel = { field: "table_mib", title: "Table size (GB)", factor: 2 ** 20 / GB };

/** The series of which the paper's lower bounds are. */
export const GPH = { table: "gph", variant: "paper" };

export const LOOKUPS = 200_000_000;

/** Lookups in one table of random pairs, half of them of present keys. */
export const HALF_PRESENT = {
  n: [100_000_000],
  op: ["find"],
  dataset: ["random"],
  loadFactor: { bytes: [1.5 * GB] },
  positiveRatio: [0.5],
  lookups: LOOKUPS,
} satisfies Axes;
const SMALL = { n: [2 ** 16], lookups: 2 ** 16, swiftshader: WARPS_ON_SWIFTSHADER };
export const HALF_PRESENT_SMALL = { ...SMALL, loadFactor: [0.5] };

/** The paper's data sets, and their pairs. */
export const DATASETS = {
  n: { random: 100_000_000, lineitem: 100_784_453, taobench: 165_000_000, reddit: 54_160_677 },
  dataset: ["random", "lineitem", "taobench", "reddit"],
} satisfies Pick<Axes, "n" | "dataset">;

/** The paper's cell index (7.1): in the memory of 80 multiprocessors, to which queries are mapped before a lookup. */
export const IN_WORKGROUPS = { index: "workgroup", routing: "before" } as const;
const CELLS = 80 * 98_304;

/** With the paper's settings: the claims are about this one. TaoBench fills tables so far that some of its pairs are refused. */
export const gph: Series = {
  table: "gph",
  variant: "paper",
  label: "GPH",
  params: { ...IN_WORKGROUPS, cells: CELLS, refusals: true },
};

/** As many cells as suit the table, read through the cache: ours. */
export const cached: Series = {
  table: "gph",
  variant: "cache",
  label: "GPH, cell index in the cache",
  params: { refusals: true },
};

/** The tables that the paper compares GPH with, with the layouts and settings of their authors' programs: 8 lanes for 8 pairs, 16 for 16. */
export const COMPARED: readonly Series[] = [
  { table: "warpcore", label: "WarpCore", params: { pairs: "beside" } },
  { table: "dycuckoo", label: "DyCuckoo", params: { bucketSlots: 16, pairs: "beside", swap: true } },
  { table: "cuckoo", label: "Cuckoo" },
];
export const TABLES: readonly Series[] = [gph, ...COMPARED];

/** The CUDA libraries that the paper compares it with. */
export const LIBRARIES = librarySeries(["warpcore", "dycuckoo", "cudpp"]);

export const NOTES =
  "As in the paper, 8 lanes read WarpCore's 8 slots and 16 lanes DyCuckoo's 16, values lie beside their keys as in the authors' programs, and GPH has 7,864,320 cells, whatever the " +
  "table's size, in the memory of workgroups, to which queries are brought before the lookup, untimed; answers stand in that order. tables/load-factor has the " +
  "faster settings of ours. " +
  "TaoBench and Reddit are stand-ins. TaoBench's 165 M pairs fill 61, 70, 82 and 98 % of tables of 2, 1.75, 1.5 and 1.25 GB: " +
  "GPH refuses some of them (refused_share), which lookups then do not find; the others cannot all be built so full. The paper " +
  "does not say how many pairs were left out of its own.";
