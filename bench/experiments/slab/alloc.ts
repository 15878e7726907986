import { type Experiment, type Series, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { LOG_RATES, OPERATION_AND_RATIO } from "../shared.js";

const ALLOCATORS = [
  ["slab-alloc", "SlabAlloc"],
  ["slab-alloc-light", "SlabAlloc-light"],
  ["bump", "Bump allocator (ours)"],
] as const;

const alone: readonly Series[] = ALLOCATORS.map(([table, label]) => ({
  table,
  label,
  bench: "alloc",
  ops: table === "bump" ? ["allocate"] : ["allocate", "deallocate"],
}));
const searched = (allocator: string, label: string): readonly Series[] => [
  {
    table: "slab-hash",
    variant: allocator,
    label: `Slab hash with ${label}`,
    params: { allocator, tile: 32 },
    ops: ["find"],
  },
  {
    table: "slab-hash",
    variant: `${allocator}, tiles`,
    label: `… with ${label}, by tiles`,
    params: { allocator },
    ops: ["find"],
  },
];
const searching = ALLOCATORS.filter(([table]) => table !== "bump").flatMap(([table, label]) => searched(table, label));

export const alloc: Experiment = {
  section: "V",
  id: "slab/alloc",
  title: "Allocators of slabs, and searches in tables that they serve",
  setting:
    "A slab a lane of an empty pool eight times as large, and its deallocation; as many queries as pairs in a slab hash of memory " +
    "utilisation 80 %",
  series: [...alone, ...searching],
  axes: {
    n: [2 ** 20, 2 ** 22],
    op: ["allocate", "deallocate", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1, 0],
    lookups: "n",
  },
  software: { n: [2 ** 16] },
  swiftshader: WARPS_ON_SWIFTSHADER,
  figure: {
    ...LOG_RATES,
    x: { field: "n", title: "Slabs, or pairs", scale: "log2" },
    facet: OPERATION_AND_RATIO,
    paper: [{ label: "SlabAlloc 600 M/s (K40c)", value: 600, table: "slab-alloc", where: { op: "allocate" } }],
  },
  notes:
    "The paper allocates a million slabs and gives no figure. No slab is touched: the rate is that of claiming bits. SlabAlloc's " +
    "super blocks are bindings that every access chooses among, where the paper has addresses in shared memory; SlabAlloc-light has one array. " +
    "A slab is searched by 32 lanes, as in the paper, or by tiles of 4, which are ours.",
};
