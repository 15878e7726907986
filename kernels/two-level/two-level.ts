import { allocBanks, fittingBanks } from "../common/banks.js";
import { answering, type Made, recorded, step } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, lazily, PAIR_BYTES, rangeOf, variant } from "../common/steps.js";
import { declare } from "../declare.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, Lookups, Making, Pairs } from "../table.js";
import {
  BUCKET_KEYS,
  BUCKET_SLOTS,
  type BucketParameters,
  bucketBuilds,
  bucketPhases,
  bucketsFor,
  phaseBytes,
  USUAL_KEYS,
} from "./buckets.js";

/** Storage buffers that build.wgsl binds beside a table in banks: starts, status, keys, values and seeds. */
const OTHER_BUFFERS = 5;

export const MAX_LOAD_FACTOR = USUAL_KEYS / BUCKET_SLOTS;

/** Alcantara's two-level cuckoo table of 2009. See README.md. */
export const twoLevel = defineTable({
  id: "two-level",
  title: "Two-level cuckoo",
  source: "Alcantara et al., SIGGRAPH Asia 2009",
  parameters: declare({}),
  configure: () => ({
    ops: ["insert", "find"],
    maxLoadFactor: MAX_LOAD_FACTOR,
    duplicates: false,
    incremental: false,
    access: (op) =>
      op === "find"
        ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result (the bucket's seed not counted)" }
        : { pattern: "write8", why: "one random 8-byte write, into the order of the buckets" },
    bytes(n, loadFactor) {
      const buckets = bucketsFor(n, loadFactor);
      return keptBytes(buckets) + phaseBytes(n, buckets);
    },
    sizing: { held: (n, loadFactor) => keptBytes(bucketsFor(n, loadFactor)) },
    create: createTwoLevel,
  }),
});

/** Bytes of slots and seeds. */
function keptBytes(buckets: number): number {
  return buckets * (BUCKET_SLOTS * PAIR_BYTES + 4);
}

async function createTwoLevel(gpu: Owner, { n, loadFactor, seed, counting }: Making): Promise<GpuTable> {
  const buckets = bucketsFor(n, loadFactor);
  const slots = buckets * BUCKET_SLOTS;
  const extent = { bytes: slots * PAIR_BYTES, blockBytes: BUCKET_SLOTS * PAIR_BYTES };
  const banks = fittingBanks(gpu, extent, OTHER_BUFFERS + Number(counting));
  const { buffers, bound, conditions, constants } = await allocBanks(gpu, "two-level table", banks);
  const apart = buffers.length > 1;
  const seeds = await gpu.alloc("two-level seeds", buckets * 4);
  const builds = await bucketBuilds(gpu, seed);
  const phases = await bucketPhases(gpu, buckets, builds, {
    most: BUCKET_KEYS,
    apart,
    refuses: true,
    usual: n,
    counting,
  });
  const source = (name: string) => ({
    file: `kernels/two-level/${name}.wgsl`,
    conditions: { ...conditions, PAIR: true, PUTS: name === "build", COOPERATIVE: name === "build" },
    constants,
    sizes: { buckets },
    fixed: inCache(extent.bytes),
    bound: { ...bound, seeds, ...phases.bound },
  });
  const fills = await Promise.all(buffers.map((buffer) => fillStep(gpu, buffer, EMPTY)));
  const ofBuild = {
    ...source("build"),
    entry: "build",
    takes: ["pairs", "parameters", ...(apart ? ["item_values"] : [])],
  };
  const build = lazily(() => variant(gpu, ofBuild, counting));
  const building = async (n: number) => {
    const { steps, items, beside } = await phases.ready(n);
    const kernel = await build();
    return (pairs: Pairs, parameters: BucketParameters) => [
      ...steps(pairs, parameters),
      dispatch(kernel, buckets, { pairs: items, ...beside, parameters }),
    ];
  };
  /** A build that is recorded is one attempt. */
  const once: Made<Pairs> = async () => {
    const steps = await building(n);
    return (pairs) => steps(pairs, builds.record(pairs.n));
  };
  const finding = { ...source("find"), takes: ["queries", "results", "parameters", "range"] } as const;
  const find: Made<Lookups> = lazily(async () => {
    const kernel = await variant(gpu, finding, counting);
    return ({ keys, results, n, first }) => {
      const parameters = builds.functions(n);
      return [step(kernel, n, { queries: keys, results, parameters, range: rangeOf(n, first) })];
    };
  });
  return {
    slots,
    bytes: keptBytes(buckets),
    storage: { reads: { indexBytes: buckets * 4 } },
    /** A build writes every slot, so only searches before it need this. */
    clear: () => gpu.run(fills),
    recordable: () => recorded(builds.status, { clear: async () => () => fills, insert: once, find }, n),
    async insert(run, pairs) {
      const steps = await building(pairs.n);
      return builds.attempts(run, (parameters) => steps(pairs, parameters), pairs.n);
    },
    find: answering(find),
  };
}
