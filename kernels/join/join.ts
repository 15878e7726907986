/** SELECT … FROM probe JOIN build ON keys that may repeat, on the device: pairs of rows. See README.md. */
import { PrefixSum } from "../common/scan.js";
import { groupsFor, lazily, PAIR_BYTES } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, GpuError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { STATUS_BYTES, type StatusWords, statusOf } from "../device/status.js";
import { madeFor, wordsOf } from "../group-by/layout.js";
import { makePartitions, type PartPlan, partPlan, partsFor } from "../group-by/partitions.js";
import { evenGroups, expectedGroups } from "../group-by/plan.js";
import { makeSampling, SEED } from "../group-by/sampling.js";
import { RadixSort } from "../radix-sort/sort.js";
import type { RunSteps } from "../table.js";

/** In the order of the numbers that probe.wgsl has for them. `left`: rows of the probe side without a partner have one result. */
export const JOIN_KINDS = ["inner", "left", "semi", "anti"] as const;
export type JoinKind = (typeof JOIN_KINDS)[number];

const WORD = 4;
const UNIQUE = { UNIQUE: true };
/** What index.wgsl has in workgroup memory beside its table and a word a lane, at most. */
const BESIDE_BYTES = 128;
const MOST_SLOTS = 2 ** 13;
/** Results of a tile: TILE of expand.wgsl. */
const TILE = 8192;
/** Attempts at an index: one key in 2^32 has the hash EMPTY, which is none, parts may have more keys than slots, and bins may be too small. */
const ATTEMPTS = 6;
/** Keys are expected so many times as often, where a part had more than slots. */
const GROWTH = 4;

export interface JoinOptions {
  readonly kind: JoinKind;
  /** Slots of a part of the index. Default: as many as there is workgroup memory for. */
  readonly slots?: number;
  /** Keys of the build side are expected to be unique: then a slot has the row itself. Where one repeats, the index is built again. Default: no. */
  readonly unique?: boolean;
  /** Of the first index's hashes. Default: the same for all. */
  readonly seed?: number | undefined;
}

/** Keys of `Gpu.alloc`, a u32 a row, and how many. */
export interface Relation {
  readonly keys: GPUBuffer;
  readonly n: number;
}

/** The rows of each result; those of `build` are EMPTY where there is no partner, and are not there for `semi` and `anti`. */
export interface ResultColumns {
  readonly build?: GPUBuffer;
  readonly probe: GPUBuffer;
}

/** Results that were counted. */
interface Counted {
  /** Nanoseconds of the build, the sample of its rows included, and of the count. */
  readonly build: number;
  readonly probe: number;
  readonly restarts: number;
  readonly results: number;
  /** What makes the steps that write them, once. Throws DoesNotFit. */
  writing(): Promise<(columns: ResultColumns) => Step[]>;
}

/** The results. The buffers stay the join's, which runs again into them. */
export interface Joined extends Omit<Counted, "writing"> {
  readonly rows: ResultColumns;
}

/** The index of a build side, and what makes its steps. */
interface Index {
  readonly parts: number;
  /** Slots have rows. */
  readonly unique: boolean;
  readonly list: GPUBuffer;
  readonly table: GPUBuffer;
  steps(side: Relation, seed: number): Step[];
}

export async function makeJoin(gpu: Owner, options: JoinOptions) {
  const { kind, slots: wanted, seed: firstSeed = SEED, unique: expected = false } = options;
  const { maxComputeInvocationsPerWorkgroup: mostLanes = 256, maxComputeWorkgroupStorageSize: memory = 2 ** 14 } =
    gpu.info.limits;
  const lanes = Math.min(512, mostLanes);
  const room = memory - BESIDE_BYTES - WORD * lanes;
  const slots = wanted ?? Math.min(MOST_SLOTS, Math.floor(room / PAIR_BYTES));
  const alone = kind === "semi" || kind === "anti";
  const { constants, conditions } = madeFor(wordsOf(["count"], 1), 1);
  const said = await gpu.alloc("status of a join", STATUS_BYTES + 16);
  const [sampling, scan] = await Promise.all([makeSampling(gpu, firstSeed), PrefixSum.make(gpu)]);
  const kernel = (name: string, own = {}, entry = "main", made = {}) =>
    lazily(() =>
      gpu.kernel({
        file: `kernels/join/${name}.wgsl`,
        entry,
        constants: own,
        conditions: { ...conditions, ONE: alone, ...made },
        bound: { said, status: said },
      }),
    );
  const ofIndex = { ...constants, LANES: lanes, SLOTS: slots, REACH: slots };
  const ofProbe = { KIND: JOIN_KINDS.indexOf(kind), SLOTS: slots };
  const kernels = {
    rows: kernel("rows"),
    hashes: kernel("rows", {}, "main", { HASHES: true }),
    ranges: kernel("ranges"),
    index: kernel("index", ofIndex),
    sortedIndex: kernel("index", ofIndex, "main", { SORTED: true }),
    uniqueIndex: kernel("index", ofIndex, "main", UNIQUE),
    probe: kernel("probe", ofProbe),
    uniqueProbe: kernel("probe", ofProbe, "main", UNIQUE),
    tiles: kernel("expand"),
    expand: kernel("expand", {}, "expand"),
    uniqueExpand: kernel("expand", {}, "expand", UNIQUE),
  };
  const partitions = gpu.kept(
    (own, plan: PartPlan) => makePartitions(own, plan),
    (has, wants) => has.n === wants.n && JSON.stringify(has.geometry) === JSON.stringify(wants.geometry),
  );
  const indexes = gpu.kept(
    async (own, { n, parts }: Pick<PartPlan, "n" | "parts">) => ({
      numbers: await own.alloc("numbers of rows", n * WORD),
      list: await own.alloc("rows by key", n * WORD),
      table: await own.alloc("index of a join", parts * (slots + 1) * PAIR_BYTES),
    }),
    (has, wants) => has.n >= wants.n && has.parts >= wants.parts,
  );
  const sorters = gpu.kept(async (own, n: number) => ({
    sorter: await RadixSort.make(own, n),
    hashes: await own.alloc("hashes of rows", n * WORD),
    sorted: { keys: await own.alloc("hashes in order", n * WORD), values: await own.alloc("rows in order", n * WORD) },
  }));
  const ranges = gpu.kept((own, parts: number) => own.alloc("where parts begin", (parts + 1) * WORD));
  const probed = gpu.kept(async (own, n: number) => ({
    firsts: await own.alloc("first partners", n * WORD),
    offsets: await own.alloc("offsets of results", (n + 1) * WORD),
  }));
  const tileRows = gpu.kept((own, tiles: number) => own.alloc("rows of tiles", tiles * WORD));
  const outputs = gpu.kept(async (own, n: number) => ({
    probe: await own.alloc("rows of the probe side", n * WORD),
    ...(!alone && { build: await own.alloc("rows of the build side", n * WORD) }),
  }));
  const run = async (runs: RunSteps, steps: Parameters<RunSteps>[0]): Promise<{ ns: number; said: StatusWords }> => {
    const { ns, status } = await runs(steps, said);
    return { ns, said: statusOf(status) };
  };

  /** An index of so many rows, of so many keys, in partitions of one size; or of sorted rows, if keys are too uneven for these, or not `unique`. */
  const indexing = async (most: number, groups: number, plan: PartPlan | null): Promise<Index> => {
    const parts = plan?.parts ?? partsFor(gpu, { n: most, groups, slots });
    const { numbers, list, table } = await indexes.get({ n: most, parts });
    const made = { slots: table, row_list: list };
    if (plan) {
      const { scatter, list: left, add } = await partitions.get(plan);
      const unique = expected;
      const [rows, index] = await Promise.all([kernels.rows(), unique ? kernels.uniqueIndex() : kernels.index()]);
      const steps = ({ keys, n }: Relation, seed: number) => [
        dispatch(rows, groupsFor(n), { numbers, n }),
        ...scatter({ keys, values: numbers, n }, seed, { list: left, status: said }),
        add(index, unique ? { slots: table } : made),
      ];
      return { parts, unique, list, table, steps };
    }
    const { sorter, hashes, sorted: inOrder } = await sorters.get(most);
    const begins = await ranges.get(parts);
    const [hash, range, index] = await Promise.all([kernels.hashes(), kernels.ranges(), kernels.sortedIndex()]);
    const ofParts = { hashes: inOrder.keys, numbers: inOrder.values, ranges: begins };
    const steps = ({ keys, n }: Relation, seed: number) => [
      dispatch(hash, groupsFor(n), { keys, hashes, numbers, n, seed }),
      ...sorter.steps({ keys: hashes, values: numbers }, inOrder, n),
      dispatch(range, groupsFor(n + 1), { ranges_plan: { rows: n, parts }, hashes: inOrder.keys, begins }),
      dispatch(index, parts, { bin_plan: { bins: parts, size: 0 }, ...ofParts, ...made }),
    ];
    return { parts, unique: false, list, table, steps };
  };

  const build = async (runs: RunSteps, side: Relation) => {
    const n = Math.max(1, side.n);
    const sample = await sampling.sample(runs, side);
    let groups = expectedGroups(sample, n);
    let [{ ns }, seed, sorted] = [sample, firstSeed, false];
    for (let restarts = 0; restarts < ATTEMPTS; restarts++) {
      const index = await indexing(
        n,
        groups,
        sorted ? null : partPlan(gpu, { n, groups, even: evenGroups(sample, n), slots }),
      );
      const pass = await run(runs, index.steps(side, seed));
      ns += pass.ns;
      const { misplaced, bound, failed } = pass.said;
      if (misplaced) throw new GpuError("join: the lanes of a workgroup are in other subgroups than the adapter says");
      if (!bound && !failed) return { ns, restarts, seed, index };
      if (failed) sorted = true;
      else [seed, groups] = [(seed + 1) >>> 0, Math.min(n, GROWTH * groups)];
    }
    throw new DoesNotFit(`join: no index of ${n} rows in ${ATTEMPTS} attempts`);
  };

  /** Counts the results of up to so many rows of the probe side. */
  const probing = async (most: number, { table, parts, unique }: Index) => {
    const { firsts, offsets } = await probed.get(most);
    const probe = await (unique ? kernels.uniqueProbe() : kernels.probe());
    const step = ({ keys, n }: Relation, seed: number) =>
      dispatch(probe, groupsFor(n + 1), { probe_plan: { rows: n, parts, seed }, keys, slots: table, firsts, offsets });
    return { firsts, offsets, step };
  };

  /** What makes the steps that write the results, the first `room` of them. */
  const expanding = async (
    room: number,
    { list, unique }: Index,
    { firsts, offsets }: Awaited<ReturnType<typeof probing>>,
  ) => {
    const tiles = Math.ceil(room / TILE);
    const tile_rows = await tileRows.get(tiles);
    const [mark, expand] = await Promise.all([
      kernels.tiles(),
      unique && !alone ? kernels.uniqueExpand() : kernels.expand(),
    ]);
    return ({ n }: Relation, columns: ResultColumns): Step[] => {
      const expand_plan = { rows: n, results: room };
      return [
        ...scan.steps(offsets, n + 1),
        dispatch(mark, groupsFor(n), { expand_plan, offsets, tile_rows }),
        dispatch(expand, tiles, {
          expand_plan,
          offsets,
          tile_rows,
          probe_rows: columns.probe,
          ...(columns.build && { firsts, ...(!unique && { row_list: list }), build_rows: columns.build }),
        }),
      ];
    };
  };

  /** Throws DoesNotFit: for results that the device does not bind, with their number and bytes; or for a build side too large. */
  const count = async (runs: RunSteps, buildSide: Relation, probeSide: Relation): Promise<Counted> => {
    const { ns: buildNs, restarts, seed, index } = await build(runs, buildSide);
    const probe = await probing(probeSide.n, index);
    const { ns, said: counted } = await run(runs, [probe.step(probeSide, seed)]);
    const results = resultsOf(counted);
    if (results * WORD > gpu.maxBinding) {
      const bytes = results * WORD * (alone ? 1 : 2);
      throw new DoesNotFit(`join: ${results} results of ${bytes} bytes; the device binds ${gpu.maxBinding} a column`);
    }
    const writing = async () => {
      const expand = await expanding(results, index, probe);
      return (columns: ResultColumns) => expand(probeSide, columns);
    };
    return { build: buildNs, probe: ns, restarts, results, writing };
  };

  return {
    /** What a pass of `steps` says: see `resultsOf`; `bound` or `failed` are not 0 where the index could not be built. */
    status: said,
    count,
    /**
     * What makes the steps of joins of up to so many rows each, the first `results` of whose results are written. They wait for nothing:
     * the build side is sorted, whatever its keys. Throws DoesNotFit.
     */
    async steps({ build: n, probe: probes, results }: { readonly [name in "build" | "probe" | "results"]: number }) {
      const index = await indexing(n, n, null);
      const probe = await probing(probes, index);
      const expand = await expanding(results, index, probe);
      let seed = firstSeed;
      return (buildSide: Relation, probeSide: Relation, columns: ResultColumns): Step[] => {
        // Each has another, as one may have an index that cannot be built.
        seed = (seed + 1) >>> 0;
        return [...index.steps(buildSide, seed), probe.step(probeSide, seed), ...expand(probeSide, columns)];
      };
    },
    /** Throws as `count`. */
    async run(runs: RunSteps, buildSide: Relation, probeSide: Relation): Promise<Joined> {
      const { writing, ...counted } = await count(runs, buildSide, probeSide);
      const rows = await outputs.get(Math.max(1, counted.results));
      if (counted.results === 0) return { ...counted, rows };
      const { ns } = await run(runs, (await writing())(rows));
      return { ...counted, probe: counted.probe + ns, rows };
    },
  };
}

/** Results that a probe has counted. */
export function resultsOf({ left, halted }: Pick<StatusWords, "left" | "halted">): number {
  return left + 2 ** 32 * halted;
}
