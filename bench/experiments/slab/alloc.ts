import { type Experiment, type Series, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each } from "../helpers.js";
import { LOG_RATES, OPERATION_AND_RATIO } from "../shared.js";

const alone: readonly Series[] = [
  { table: "slab-alloc", label: "SlabAlloc", bench: "alloc", only: { op: ["allocate", "deallocate"] } },
  { table: "slab-alloc-light", label: "SlabAlloc-light", bench: "alloc", only: { op: ["allocate", "deallocate"] } },
  { table: "bump", label: "Bump allocator (ours)", bench: "alloc", only: { op: ["allocate"] } },
];
const table = "slab-hash";
const allocator = { allocator: "slab-alloc" };
const light = { allocator: "slab-alloc-light" };
const searched: readonly Series[] = [
  { table, variant: "slab-alloc", label: "Slab hash with SlabAlloc", params: { ...allocator, tile: 32 } },
  { table, variant: "slab-alloc, tiles", label: "… with SlabAlloc, by tiles", params: allocator },
  { table, variant: "slab-alloc-light", label: "Slab hash with SlabAlloc-light", params: { ...light, tile: 32 } },
  { table, variant: "slab-alloc-light, tiles", label: "… with SlabAlloc-light, by tiles", params: light },
];

export const alloc: Experiment = {
  source: { section: "V" },
  id: "slab/alloc",
  title: "Allocators of slabs, and searches in tables that they serve",
  setting:
    "A slab a lane of an empty pool eight times as large, and its deallocation; as many queries as pairs in a slab hash of memory " +
    "utilisation 80 %",
  series: [...alone, ...each(searched, { only: { op: ["find"] } })],
  axes: {
    n: [2 ** 20, 2 ** 22],
    op: ["allocate", "deallocate", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1, 0],
    lookups: "n",
  },
  software: { n: [2 ** 16], swiftshader: WARPS_ON_SWIFTSHADER },
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
