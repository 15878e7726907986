import type { Experiment, Series } from "../../experiment.js";

const ALLOCATORS = [
  ["slab-alloc", "SlabAlloc"],
  ["slab-alloc-light", "SlabAlloc-light"],
  ["bump", "Bump allocator (ours)"],
] as const;

const alone: readonly Series[] = ALLOCATORS.map(([table, label]) => ({
  ...{ table, label, bench: "alloc" },
  ops: table === "bump" ? ["allocate"] : ["allocate", "deallocate"],
}));
const searching: readonly Series[] = ALLOCATORS.filter(([table]) => table !== "bump").map(([allocator, label]) => ({
  ...{ table: "slab-hash", variant: allocator, label: `Slab hash with ${label}`, params: { allocator, tile: 32 } },
  ops: ["find"],
}));

export const alloc: Experiment = {
  paper: "slab",
  section: "V",
  id: "slab/alloc",
  figureName: "",
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
  figure: {
    kind: "bar",
    x: { field: "n", title: "Slabs, or pairs" },
    metric: "mops",
    y: { title: "Throughput" },
    facet: { field: "op+positive_ratio", title: "Operation" },
    paper: [{ label: "SlabAlloc 600 M/s (K40c)", value: 600, table: "slab-alloc", where: { op: "allocate" } }],
  },
  notes:
    "The paper allocates a million slabs and gives no figure. No slab is touched: the rate is that of claiming bits. SlabAlloc's " +
    "super blocks are bindings that every access chooses among, where the paper has addresses in shared memory; SlabAlloc-light has one array. " +
    "In SlabAlloc-light and SlabAlloc the searching warp reads a slab by 32 lanes.",
};
