/** SELECT … FROM probe JOIN build ON keys that may repeat, on the device: pairs of rows. See README.md. */
import { PrefixSum } from "../common/scan.js";
import { groupsFor, lazily, PAIR_BYTES } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { STATUS_BYTES, type StatusWords, statusOf } from "../device/status.js";
import { madeFor, wordsOf } from "../group-by/layout.js";
import { makePartitions, type PartPlan, partPlan } from "../group-by/partitions.js";
import { evenGroups, expectedGroups } from "../group-by/plan.js";
import { makeSampling, SEED } from "../group-by/sampling.js";
import { RadixSort } from "../radix-sort/sort.js";
import type { RunSteps } from "../table.js";

/** In the order of the numbers that probe.wgsl has for them. `left`: rows of the probe side without a partner have one result. */
export const JOIN_KINDS = ["inner", "left", "semi", "anti"] as const;
export type JoinKind = (typeof JOIN_KINDS)[number];

const WORD = 4;
/** What index.wgsl has in workgroup memory beside its table and a word a lane, at most. */
const BESIDE_BYTES = 128;
const MOST_SLOTS = 2 ** 13;
/** Results of a tile: TILE of expand.wgsl. */
const TILE = 2048;
/** Attempts at an index: one key in 2^32 has the hash EMPTY, which is none, parts may have more keys than slots, and bins may be too small. */
const ATTEMPTS = 6;
/** Keys are expected so many times as often, where a part had more than slots. */
const GROWTH = 4;

export interface JoinOptions {
  readonly kind: JoinKind;
  /** Slots of a part of the index. Default: as many as there is workgroup memory for. */
  readonly slots?: number;
}

/** Keys of `Gpu.alloc`, a u32 a row, and how many. */
export interface Relation {
  readonly keys: GPUBuffer;
  readonly n: number;
}

/** The results. The buffers stay the join's, which runs again into them. */
export interface Joined {
  /** Nanoseconds of the build, the sample of its rows included, and of all else. */
  readonly build: number;
  readonly probe: number;
  readonly restarts: number;
  readonly results: number;
  /** The rows of each result; those of `build` are EMPTY where there is no partner, and are not there for `semi` and `anti`. */
  readonly rows: { readonly build?: GPUBuffer; readonly probe: GPUBuffer };
}

export async function makeJoin(gpu: Owner, { kind, slots: wanted }: JoinOptions) {
  const { maxComputeInvocationsPerWorkgroup: mostLanes = 256, maxComputeWorkgroupStorageSize: memory = 2 ** 14 } =
    gpu.info.limits;
  const lanes = Math.min(512, mostLanes);
  const room = memory - BESIDE_BYTES - WORD * lanes;
  const slots = wanted ?? Math.min(MOST_SLOTS, Math.floor(room / PAIR_BYTES));
  const alone = kind === "semi" || kind === "anti";
  const { constants, conditions } = madeFor(wordsOf(["count"], 1), 1);
  const said = await gpu.alloc("status of a join", STATUS_BYTES + 16);
  const [sampling, scan] = await Promise.all([makeSampling(gpu), PrefixSum.make(gpu)]);
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
  const kernels = {
    rows: kernel("rows"),
    hashes: kernel("rows", {}, "main", { HASHES: true }),
    ranges: kernel("ranges"),
    index: kernel("index", ofIndex),
    sortedIndex: kernel("index", ofIndex, "main", { SORTED: true }),
    probe: kernel("probe", { KIND: JOIN_KINDS.indexOf(kind), SLOTS: slots }),
    tiles: kernel("expand"),
    expand: kernel("expand", {}, "expand"),
  };
  const indexes = gpu.kept(
    async (own, plan: PartPlan) => ({
      partitions: await makePartitions(own, plan),
      numbers: await own.alloc("numbers of rows", plan.n * WORD),
      list: await own.alloc("rows by key", plan.n * WORD),
      slots: await own.alloc("index of a join", plan.parts * (slots + 1) * PAIR_BYTES),
    }),
    (has, wants) => has.n === wants.n && JSON.stringify(has.geometry) === JSON.stringify(wants.geometry),
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
  const outputs = gpu.kept(async (own, n: number) => ({
    tiles: await own.alloc("rows of tiles", Math.ceil(n / TILE) * WORD),
    probe: await own.alloc("rows of the probe side", n * WORD),
    ...(!alone && { build: await own.alloc("rows of the build side", n * WORD) }),
  }));
  const run = async (runs: RunSteps, steps: Parameters<RunSteps>[0]): Promise<{ ns: number; said: StatusWords }> => {
    const { ns, status } = await runs(steps, said);
    return { ns, said: statusOf(status) };
  };

  /** The steps of an index: of rows in partitions of one size; or `sorted`, if keys are too uneven for these. */
  const indexSteps = async ({ keys, n }: Relation, plan: PartPlan, seed: number, sorted: boolean): Promise<Step[]> => {
    const { parts } = plan;
    const { partitions, numbers, list, slots: table } = await indexes.get(plan);
    const made = { slots: table, row_list: list };
    if (!sorted)
      return [
        dispatch(await kernels.rows(), groupsFor(n), { numbers, n }),
        ...partitions.scatter(keys, numbers, seed, { list: partitions.list, status: said }),
        partitions.add(await kernels.index(), made),
      ];
    const { sorter, hashes, sorted: inOrder } = await sorters.get(n);
    const begins = await ranges.get(parts);
    const of = { hashes: inOrder.keys, numbers: inOrder.values, ranges: begins };
    return [
      dispatch(await kernels.hashes(), groupsFor(n), { keys, hashes, numbers, n, seed }),
      ...sorter.steps({ keys: hashes, values: numbers }, inOrder, n),
      dispatch(await kernels.ranges(), groupsFor(n + 1), {
        ranges_plan: { rows: n, parts },
        hashes: inOrder.keys,
        begins,
      }),
      dispatch(await kernels.sortedIndex(), parts, { bin_plan: { bins: parts, size: 0 }, ...of, ...made }),
    ];
  };

  const build = async (runs: RunSteps, side: Relation) => {
    const { n } = side;
    const sample = await sampling.sample(runs, side);
    let groups = expectedGroups(sample, n);
    let [{ ns }, seed, sorted] = [sample, SEED, false];
    for (let restarts = 0; restarts < ATTEMPTS; restarts++) {
      const plan = partPlan(gpu, { n, groups, even: evenGroups(sample, n), slots });
      if (!plan) throw new DoesNotFit(`join: an index of ${n} rows`);
      const pass = await run(runs, await indexSteps(side, plan, seed, sorted));
      ns += pass.ns;
      const { misplaced, bound, failed } = pass.said;
      if (misplaced) throw new Error("join: the lanes of a workgroup are in other subgroups than the adapter says");
      const { list, slots: table } = await indexes.get(plan);
      if (!bound && !failed) return { ns, restarts, seed, parts: plan.parts, list, table };
      if (failed) sorted = true;
      else [seed, groups] = [seed + 1, Math.min(n, GROWTH * groups)];
    }
    throw new DoesNotFit(`join: no index of ${n} rows in ${ATTEMPTS} attempts`);
  };

  return {
    /** Throws DoesNotFit: for results that the device does not bind, with their number and bytes; or for a build side too large. */
    async run(runs: RunSteps, buildSide: Relation, { keys, n }: Relation): Promise<Joined> {
      const { ns: buildNs, restarts, seed, parts, list, table } = await build(runs, buildSide);
      const { firsts, offsets } = await probed.get(n);
      const probing = dispatch(await kernels.probe(), groupsFor(n + 1), {
        probe_plan: { rows: n, parts, seed },
        keys,
        slots: table,
        firsts,
        offsets,
      });
      const { ns, said: counted } = await run(runs, [probing]);
      const results = counted.left + 2 ** 32 * counted.halted;
      if (results * WORD > gpu.maxBinding) {
        const bytes = results * WORD * (alone ? 1 : 2);
        throw new DoesNotFit(`join: ${results} results of ${bytes} bytes; the device binds ${gpu.maxBinding} a column`);
      }
      const { tiles, ...rows } = await outputs.get(Math.max(1, results));
      const joined = { build: buildNs, restarts, results, rows };
      if (results === 0) return { ...joined, probe: ns };
      const expand_plan = { rows: n, results };
      const [mark, expand] = await Promise.all([kernels.tiles(), kernels.expand()]);
      const { ns: more } = await run(runs, [
        ...scan.steps(offsets, n + 1),
        dispatch(mark, groupsFor(n), { expand_plan, offsets, tile_rows: tiles }),
        dispatch(expand, Math.ceil(results / TILE), {
          expand_plan,
          offsets,
          tile_rows: tiles,
          probe_rows: rows.probe,
          ...(rows.build && { firsts, row_list: list, build_rows: rows.build }),
        }),
      ]);
      return { ...joined, probe: ns + more };
    },
  };
}
