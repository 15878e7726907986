/** GPH, a perfect hashing scheme: one bucket is read for every find. See README.md. */
import { allocBanks, fittingBanks } from "../common/banks.js";
import { answering, type Made, recorded, Status } from "../common/bulk.js";
import { wideBytes } from "../common/record-bytes.js";
import { refusing } from "../common/refusing.js";
import { fillStep, lazily } from "../common/steps.js";
import { widened } from "../common/wide.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, Making, Pairs } from "../table.js";
import { bucketBytes, fillKernel, laneStep, PENDING_WORDS, refineKernel } from "./kernels.js";
import { cached, MAX_PARTITION_BYTES, routed } from "./lookups.js";
import { conflictOf, type GphParams, parameters, type Sizes, safeLoad, sizesFor } from "./parameters.js";

const KEY_BYTES = 4;
/** Storage buffers that the refinement binds beside the table: keys, values, pending pairs, status, cells and locks. */
const OTHER_BUFFERS = 6;
/** Of a table whose words have numbers of 32 bits. */
const MOST_BYTES = 2 ** 34;
/** Refinement dispatches in a row that settle no pair, before their pairs count as refused. */
const MAX_IDLE = 100;
/** Refinement dispatches of an insertion that is recorded. */
const REFINEMENTS = 8;

/** Pairs, at the fullest that it takes, whose cell index is two partitions in workgroup memory, on every device. */
function thresholds(params: GphParams): readonly number[] {
  if (params.index !== "workgroup" || params.cells > 0) return [];
  const cells = (2 * MAX_PARTITION_BYTES * 8) / params.cellBits;
  return [cells * params.bucketsPerCell * params.M * safeLoad(params)];
}

/** Bytes of a value for `widened`, which makes and reads pairs of 16 bytes; others do not need it. */
const wideValueBytes = ({ pairBytes }: GphParams) => (pairBytes === 16 ? 16 - KEY_BYTES : KEY_BYTES);
const indexBytes = ({ cells }: Sizes, { cellBits }: GphParams) => Math.ceil((cells * cellBits) / 32) * 4;
const lockBytes = ({ cells, buckets }: Sizes) => (cells + buckets) * 4;

/** What few tables have: pairs of 16 bytes, and searches that are routed. */
interface Beside {
  readonly widened?: typeof widened;
  readonly routed?: typeof routed | undefined;
}

export const gphWith = (beside: Beside) =>
  defineTable({
    id: "gph",
    title: "GPH",
    source: "Cao et al., GPH: An Efficient and Effective Perfect Hashing Scheme for GPU Architectures, SIGMOD 2025",
    parameters,
    conflict: conflictOf,
    configure: (params) => ({
      ops: ["insert", "find"],
      maxLoadFactor: params.refusals ? 1 : safeLoad(params),
      ...(params.refusals && { safeLoadFactor: safeLoad(params) }),
      duplicates: true,
      incremental: true,
      keysOnly: params.pairBytes === 4,
      sizing: { thresholds: thresholds(params), held: (n, loadFactor) => keptBytes(n, loadFactor, params) },
      access(op) {
        if (op !== "find") return { pattern: "cas", why: "one random 32-bit CAS" };
        const bytes = bucketBytes(params);
        const block = Math.min(bytes, 128);
        // Of a larger bucket the rest lies beside them, and costs less than another random access.
        const read = bytes > block ? `${block} bytes of a bucket` : `one ${bytes}-byte bucket`;
        const wide = block < 64 ? "" : "x4";
        const { g: lanes } = params;
        // Routed queries and their answers stand in the same order, which no lookup of device/limits has.
        if (params.index === "workgroup" && params.routing === "before")
          return { pattern: `read${block}${wide}`, lanes, why: `${read} (queries and answers, in order, not counted)` };
        return { pattern: `lookup${block}${wide}`, lanes, why: `${read}, the key, the result` };
      },
      bytes: (n, loadFactor) =>
        keptBytes(n, loadFactor, params) + n / 8 + wideBytes(n, KEY_BYTES, wideValueBytes(params)),
      create: (gpu, making) => create(gpu, making, params, beside),
    }),
  });
export const gph = /* @__PURE__ */ gphWith({ widened, routed });

/** Bytes of buckets, cell index and locks. */
function keptBytes(n: number, loadFactor: number, params: GphParams): number {
  const sizes = sizesFor(n, loadFactor, params);
  return sizes.buckets * bucketBytes(params) + indexBytes(sizes, params) + lockBytes(sizes);
}

async function create(gpu: Owner, making: Making, params: GphParams, beside: Beside): Promise<GpuTable> {
  const table = await openGph(gpu, making, params, beside);
  await table.clear();
  return beside.widened?.(gpu, table, KEY_BYTES, wideValueBytes(params)) ?? table;
}

export type Gph = Awaited<ReturnType<typeof openGph>>;

async function openGph(gpu: Owner, { n, loadFactor, seed, counting }: Making, params: GphParams, { routed }: Beside) {
  const sizes = sizesFor(n, loadFactor, params);
  const blockBytes = bucketBytes(params);
  const bytes = sizes.buckets * blockBytes;
  if (bytes > MOST_BYTES) throw new DoesNotFit(`gph buckets: ${bytes} bytes; gph takes ${MOST_BYTES} at most`);
  const fitting = fittingBanks(gpu, { bytes, blockBytes }, OTHER_BUFFERS + Number(counting));
  const banks = await allocBanks(gpu, "gph buckets", fitting);
  const cells = await gpu.alloc("gph cell index", indexBytes(sizes, params));
  const locks = await gpu.alloc("gph locks", lockBytes(sizes));
  const status = await Status.make(gpu);
  const bound = { ...banks.bound, cells, locks, status: status.buffer };
  const specification = { gpu, sizes, params, seed, counting, banks, bound };
  const routes = params.index === "workgroup";
  if (routes && !routed) throw new UsageError("the option kernels has no routed searches");
  const routing = routes && routed ? await routed(specification) : null;
  const find = cached(specification);
  const filler = lazily(() => fillKernel(specification));
  const refiner = lazily(() => refineKernel(specification));
  /** A bit a pair that saturation fill left; all clear between operations. */
  const pendings = gpu.kept((own, words: number) => own.alloc("gph pending pairs", words * 4));
  const inserting = async () => {
    const [fill, refine] = await Promise.all([filler(), refiner()]);
    return ({ keys, values, n, first = 0 }: Pairs, pending: GPUBuffer) => {
      const range = { first, end: first + n };
      const pairs = { keys, pending, ...(params.pairBytes !== 4 && { values }) };
      const groups = Math.max(1, Math.ceil(n / (32 * PENDING_WORDS)));
      return {
        filling: laneStep(fill, n, { ...pairs, range }),
        refining: dispatch(refine.kernel, groups, { ...pairs, range: { ...range, zero: 0 } }),
      };
    };
  };
  /** Pairs that are still pending after all refinements are refused, though there may be room for them. */
  const once: Made<Pairs> = async () => {
    const { pending, refuse } = await refusing(gpu, status.buffer, n);
    const insert = await inserting();
    return (pairs) => {
      const { filling, refining } = insert(pairs, pending);
      return [filling, ...new Array<Step>(REFINEMENTS).fill(refining), refuse];
    };
  };
  const emptying = () => Promise.all(banks.buffers.map((bank) => fillStep(gpu, bank, 0xffffffff)));
  const clear: Made<void> = async () => {
    const clearing = await Promise.all([emptying(), fillStep(gpu, cells, 0)]);
    return () => clearing.flat();
  };
  let moves = 0;
  return {
    ...(!routing &&
      params.pairBytes !== 16 && { recordable: () => recorded(status, { clear, insert: once, find }, n) }),
    slots: sizes.buckets * params.M,
    bytes: bytes + cells.size,
    storage: { reads: { indexBytes: cells.size }, restorable: { remember: () => () => undefined } },
    sizes,
    /** The locks are all clear between operations. */
    memory: { buckets: banks.buffers, cells, locks },
    /** Extended moves of the last insertion. */
    get moves() {
      return moves;
    },
    async clear() {
      await gpu.run(await emptying());
      await gpu.zero(cells);
    },
    find: routing ?? answering(find),
    /**
     * Saturation fill and refinement in one pass. Refinement runs again for pairs whose groups died of others' locks too often;
     * `count` are those that have no valid relocation.
     */
    async insert(run, pairs) {
      const pending = await pendings.get(Math.max(1, Math.ceil(pairs.n / 32)));
      const { filling, refining } = (await inserting())(pairs, pending);
      const result = { ns: 0, count: 0, restarts: 0, overflowed: 0 };
      moves = 0;
      let left = Number.POSITIVE_INFINITY;
      for (let idle = 0; left > 0 && idle < MAX_IDLE; ) {
        const steps = left === Number.POSITIVE_INFINITY ? [filling, refining] : [refining];
        const { ns, said } = await status.run(run, steps);
        if (said.bound > 0) throw new Error("gph: saturation fill reached the bound of its loop");
        result.ns += ns;
        result.count += said.refused;
        result.overflowed += said.failed;
        moves += said.changed;
        idle = said.left < left ? 0 : idle + 1;
        left = said.left;
      }
      if (left > 0) await gpu.zero(pending);
      return { ...result, count: result.count + left, overflowed: result.overflowed + left };
    },
  } satisfies GpuTable & Readonly<Record<"sizes" | "memory" | "moves", unknown>>;
}
