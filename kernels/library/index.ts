/**
 * Hash tables on a WebGPU device of your own, in browsers and in Node. `createTable` loads a table by its name; a bundle that uses
 * one table is smaller with its module: `import { quotient } from "webgpu-hash-table/quotient"`.
 *
 * @packageDocumentation
 */
import { didYouMean } from "../../datasets/nearest.js";
import type { Params } from "../declare.js";
import { UsageError } from "../device/errors.js";
import type { TableModule, TableOptions } from "./types.js";

export type { Params, Scalar } from "../declare.js";
export {
  type Erasures,
  type Lookups,
  MIXED_KINDS,
  type MixedBatch,
  type MixedSlice,
  type Pairs,
  type Room,
} from "../table.js";
export * from "./shared.js";
export type * from "./types.js";

const recording = async () => (await import("./tables/recording.js")).recording;
const ofBuckets = async () => (await import("./tables/bucketed-operations.js")).operations;
const ofSlots = async () => (await import("./tables/double-hashing-operations.js")).operations;
const ofQuotients = async () => (await import("./tables/quotient-operations.js")).operations;
const ofSlabs = async () => (await import("./tables/slab-hash-operations.js")).operations;
const ofTickets = async () => (await import("./tables/stash-operations.js")).operations;
const ofWindows = async () => (await import("./tables/warpcore-operations.js")).operations;

const modules = {
  bucketed: async () => (await import("./tables/bucketed.js")).bucketed.with(await ofBuckets()),
  crystal: async () => (await import("./tables/crystal.js")).crystal.with(await ofSlots()),
  cuckoo: async () => (await import("./tables/cuckoo.js")).cuckoo.with(await recording()),
  "double-hashing": async () => (await import("./tables/double-hashing.js")).doubleHashing.with(await ofSlots()),
  dycuckoo: async () => (await import("./tables/dycuckoo.js")).dycuckoo.with(await recording()),
  gph: async () => (await import("./tables/gph.js")).gph.with(await recording()),
  "linear-probing": async () => (await import("./tables/linear-probing.js")).linearProbing.with(await ofSlots()),
  quotient: async () => (await import("./tables/quotient.js")).quotient.with(await ofQuotients()),
  "slab-hash": async () => (await import("./tables/slab-hash.js")).slabHash.with(await ofSlabs()),
  stash: async () => (await import("./tables/stash.js")).stash.with(await ofTickets()),
  "two-level": async () => (await import("./tables/two-level.js")).twoLevel.with(await recording()),
  warpcore: async () => (await import("./tables/warpcore.js")).warpcore.with(await ofWindows()),
  warpdrive: async () => (await import("./tables/warpdrive.js")).warpdrive.with(await ofWindows()),
};

/** Names that `createTable` knows. */
export type TableName = keyof typeof modules;

/** The type of the table of that name. */
export type TableNamed<Name extends TableName> =
  Awaited<ReturnType<(typeof modules)[Name]>> extends TableModule<infer Offered> ? Offered : never;

/** All of them. Annotated for bundlers, which would keep every table for it. */
export const tableNames = /* @__PURE__ */ Object.keys(modules) as readonly TableName[];

/** The module of a table with all its operations, for `warm` of `webgpu-hash-table/warm`. Throws a UsageError for a name that there is not. */
export async function loadTable<Name extends TableName>(name: Name): Promise<TableModule<TableNamed<Name>>> {
  if (!Object.hasOwn(modules, name))
    throw new UsageError(`no table ${name}${didYouMean(name, tableNames) || "."} There are: ${tableNames.join(", ")}`);
  const module: TableModule = await modules[name]();
  return module as TableModule<TableNamed<Name>>;
}

/** Kernels of these parameters, where the table's module has them not. */
async function kernelsApart(name: TableName, { partitioned, index, resize, regionKiB = 0, unique, keyBytes }: Params) {
  if (partitioned) return (await import("./tables/partitioned.js")).partitioned;
  if (index === "workgroup") return (await import("./tables/routed.js")).routed;
  if (resize) return (await import("./tables/resizing.js")).resizing;
  if (regionKiB !== 0) return (await import("./tables/ordered.js")).ordered;
  if (name === "slab-hash" && unique === false) return (await import("./tables/multimap.js")).multimap;
  if (keyBytes !== 8) return undefined;
  if (name === "warpcore" || name === "warpdrive") return (await import("./tables/windows.js")).windows;
  return (await import("./tables/wide.js")).wide;
}

/**
 * A table on the caller's device, cleared.
 *
 * @param device Opened by the caller, who also destroys it. It needs no features; larger limits allow larger tables.
 * @throws As {@link TableModule.create}; a UsageError for a name that there is not.
 *
 * @example
 * const table = await createTable(device, "quotient", { capacity: 1_000_000, loadFactor: 0.8 });
 * const { stored, refused } = await table.insert({ keys, values, n });
 * await table.find({ keys: queries, results, n });
 */
export async function createTable<Name extends TableName>(
  device: GPUDevice,
  name: Name,
  options: TableOptions,
): Promise<TableNamed<Name>> {
  const module = await loadTable(name);
  const kernels = await kernelsApart(name, options?.params ?? {});
  return module.create(device, kernels ? { kernels, ...options } : options);
}
