/** SELECT key, SUM, MIN, MAX, COUNT of up to four columns GROUP BY key, on the device. See README.md. */
import { groupsFor, lazily, WORKGROUP } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { STATUS_BYTES, type StatusWords, statusOf } from "../device/status.js";
import { RadixSort } from "../radix-sort/sort.js";
import type { RunSteps } from "../table.js";
import { type Aggregate, madeFor, wordsOf } from "./layout.js";
import { makePartitions, type PartPlan, partPlan } from "./partitions.js";
import {
  capacityFor,
  choosePlan,
  evenGroups,
  expectedGroups,
  FEW,
  type Plan,
  planAfter,
  type Sample,
  togetherFor,
  turnsFor,
} from "./plan.js";
import { makeSampling, SEED } from "./sampling.js";

const WORD = 4;
/** Workgroups of clear.wgsl and compact.wgsl, at most. */
const SWEEPERS = 8192;
/** What a kernel has in workgroup memory beside its table, at most. */
const BESIDE_BYTES = 128;
const MOST_SLOTS = 8192;
/** With fewer lanes, as groups have more words, the plan few is slower than a table in workgroup memory. */
const LEAST_FEW_LANES = 192;
/** Slots of the table in global memory for each group that is expected, at least, and groups that it is always for. */
const SLOTS_PER_GROUP = 1.5;
const LEAST_GROUPS = 2 ** 12;
/** A table that was too small is made for so many times as many groups. */
const GROWTH = 8;
const MOST_ROWS = 2 ** 30;
/** Rows of a tile of runs.wgsl. */
const RUN_ROWS = 4 * WORKGROUP;

/** How the kernels are made. The defaults are those that were fastest on an H200 (results/studies/group-by.md). */
export interface GroupByTuning {
  /** Lanes of the workgroups that have a table in their memory. */
  readonly lanes?: number;
  /** Slots of that table. Default: as many as there is memory for. */
  readonly slots?: number;
  /** Slots of it that a search looks at. */
  readonly reach?: number;
  /** Turns of a tile: in each a lane reads four rows. Default: by the number of rows. */
  readonly turns?: number;
  /** Workgroups that take tiles, at most. */
  readonly workgroups?: number;
  /** The first slots of four rows are looked at together. Default: where few groups are expected. */
  readonly together?: boolean | undefined;
}

export interface GroupByOptions extends GroupByTuning {
  readonly aggregates: readonly Aggregate[];
  /** Columns of values, 1 to 4. */
  readonly columns?: number;
  /** Default: as a sample of the rows says. */
  readonly plan?: Plan | undefined;
}

/** Buffers of `Gpu.alloc`, a u32 a row. */
export interface GroupRows {
  readonly keys: GPUBuffer;
  readonly columns: readonly GPUBuffer[];
  /** Below 2^30. */
  readonly n: number;
}

/** The answer. Its buffers stay the group-by's, which runs again into them. */
export interface Groups {
  readonly ns: number;
  readonly plan: Plan;
  /** Runs with a table that was too small. */
  readonly restarts: number;
  readonly groups: number;
  /** In any order. */
  readonly keys: GPUBuffer;
  /** Word w of group g, in the order of `wordsOf`, is element w * room + g. */
  readonly answers: GPUBuffer;
  readonly room: number;
}

/** Throws a UsageError for options that there cannot be. */
export async function makeGroupBy(gpu: Owner, options: GroupByOptions) {
  const { columns = 1, aggregates } = options;
  const words = wordsOf(aggregates, columns);
  const layout = madeFor(words, columns);
  const stride = layout.constants.STRIDE * WORD;
  const { maxComputeInvocationsPerWorkgroup: mostLanes = 256, maxComputeWorkgroupStorageSize: memory = 2 ** 14 } =
    gpu.info.limits;
  const { lanes = Math.min(1024, mostLanes), reach = 8, workgroups = 1024 } = options;
  const { slots = Math.min(MOST_SLOTS, Math.floor((memory - BESIDE_BYTES) / (WORD * (1 + words.length)))) } = options;
  const fewLanes = Math.min(256, 64 * Math.floor((memory - BESIDE_BYTES) / (64 * FEW * words.length * WORD)));

  const said = await gpu.alloc("status of a group-by", STATUS_BYTES + 16);
  const sampling = await makeSampling(gpu);
  const made = (name: string, conditions = {}, own = {}): Promise<Kernel> =>
    gpu.kernel({
      file: `kernels/group-by/${name}.wgsl`,
      constants: { ...layout.constants, ...own },
      conditions: { ...layout.conditions, ...conditions },
      bound: { said, status: said, few: sampling.few, hot: sampling.hot },
    });
  const kernel = (name: string, conditions = {}, own = {}) => lazily(() => made(name, conditions, own));
  const ofTable = { LANES: lanes, SLOTS: slots, REACH: reach };
  const kernels = {
    clear: kernel("clear"),
    clearIfFailed: kernel("clear", { IF_FAILED: true }),
    clearIfLeft: kernel("clear", { IF_LEFT: true }),
    compact: kernel("compact"),
    compactIfLeft: kernel("compact", { IF_LEFT: true }),
    bins: kernel("bins", {}, ofTable),
    runs: kernel("runs", {}, { LANES: WORKGROUP, SLOTS: RUN_ROWS + 1 }),
  };
  /** The kernel of a plan that takes tiles of so many rows, and how many workgroups take them. */
  const taking = async (plan: "few" | "local" | "hot" | "global" | "left", n: number, together = false) => {
    const own = plan === "few" ? fewLanes : plan === "global" ? 256 : lanes;
    // Partitions leave few rows.
    const turns = options.turns ?? turnsFor(plan === "left" ? n / 16 : n, own);
    const conditions = { DIRECT: plan === "global", HOT: plan === "hot", LEFT: plan === "left", TOGETHER: together };
    const kernel = await (plan === "few"
      ? made("few", {}, { LANES: own, TURNS: turns })
      : made("local", conditions, { ...(plan !== "global" && ofTable), LANES: own, TURNS: turns }));
    return { kernel, takers: Math.min(workgroups, Math.ceil(n / (4 * own * turns))) };
  };
  /** The table in global memory, of 2^bits slots and one. */
  const tables = gpu.kept((own, bits: number) => own.alloc("table of groups", (2 ** bits + 1) * stride));
  const answers = gpu.kept(async (own, room: number) => ({
    room,
    keys: await own.alloc("keys of groups", room * WORD),
    answers: await own.alloc("aggregates of groups", room * words.length * WORD),
  }));
  const partitions = gpu.kept(
    (own, plan: PartPlan) => makePartitions(own, plan),
    (has, wanted) => has.n === wanted.n && JSON.stringify(has.geometry) === JSON.stringify(wanted.geometry),
  );
  const sorters = gpu.kept(async (own, n: number) => ({
    sorter: await RadixSort.make(own, n),
    sorted: { keys: await own.alloc("keys in order", n * WORD), values: await own.alloc("values in order", n * WORD) },
  }));
  const mostBits = Math.floor(Math.log2(gpu.maxBinding / stride - 1));
  const mostRoom = Math.floor(gpu.maxBinding / (WORD * words.length));

  const run = async (run: RunSteps, steps: readonly Step[]): Promise<{ ns: number; status: StatusWords }> => {
    const { ns, status } = await run(steps, said);
    return { ns, status: statusOf(status) };
  };

  /** The steps of a plan, with a table and an answer for so many groups. */
  const stepsOf = async (plan: Plan, rows: GroupRows, sample: Sample, expected: number, capacity: number) => {
    const { n, keys, columns: values } = rows;
    // Of sorted rows two runs a tile go to the table.
    const inTable = plan === "sort" ? Math.min(capacity, 2 * Math.ceil(n / RUN_ROWS)) : capacity;
    const bits = Math.min(mostBits, Math.ceil(Math.log2(SLOTS_PER_GROUP * inTable)));
    const answer = await answers.get(Math.min(n, capacity, mostRoom));
    const table = await tables.get(bits);
    const named = { rows: n, shift: 32 - bits, seed: SEED, room: answer.room };
    const sweepers = Math.min(SWEEPERS, groupsFor(((2 ** bits + 1) * stride) / 16));
    const clear = { table_words: table, plan: named };
    const compact = { table, plan: named, group_keys: answer.keys, answers: answer.answers };
    const [column] = values;
    const alone = columns === 1 && column;
    if (plan === "partition") {
      const parted = partPlan(gpu, { n, groups: expected, even: evenGroups(sample, n), slots });
      if (!parted || !alone) throw new DoesNotFit(`group-by: no partitions of ${n} rows of ${columns} columns`);
      const { list, scatter, before, add } = await partitions.get(parted);
      const left = { list, status: said };
      const taker = await taking("left", n);
      return {
        answer,
        steps: [
          ...scatter(keys, alone, SEED, left),
          dispatch(await kernels.clearIfFailed(), sweepers, clear),
          add(await kernels.bins(), { ...compact, ...before, list }),
          dispatch(await kernels.clearIfLeft(), sweepers, clear),
          dispatch(taker.kernel, taker.takers, { list, table, plan: named }),
          dispatch(await kernels.compactIfLeft(), sweepers, compact),
        ],
      };
    }
    const cleared = dispatch(await kernels.clear(), sweepers, clear);
    const compacted = dispatch(await kernels.compact(), sweepers, compact);
    if (plan === "sort") {
      if (!alone) throw new DoesNotFit(`group-by: no sort of ${columns} columns`);
      const { sorter, sorted } = await sorters.get(n);
      const inOrder = { ...compact, sorted_keys: sorted.keys, sorted_values: sorted.values };
      const runs = dispatch(await kernels.runs(), Math.ceil(n / RUN_ROWS), inOrder);
      return { answer, steps: [cleared, ...sorter.steps({ keys, values: alone }, sorted, n), runs, compacted] };
    }
    const namedColumns = Object.fromEntries(values.map((column, i) => [`column_${"abcd"[i]}`, column]));
    const { kernel: adder, takers } = await taking(
      plan,
      n,
      plan === "local" && (options.together ?? togetherFor(sample, n)),
    );
    const known =
      (plan === "few" && { known: Math.min(FEW, sample.distinct) }) || (plan === "hot" && { known: sample.hot });
    const adding = dispatch(adder, takers, { keys, ...namedColumns, table, plan: named, ...known });
    return { answer, steps: [cleared, adding, compacted] };
  };

  return {
    words,
    /** Throws DoesNotFit, if there are more groups than memory for them or if the plan that was asked for cannot be. */
    async run(runs: RunSteps, rows: GroupRows): Promise<Groups> {
      const { n } = rows;
      if (!(n >= 1 && n < MOST_ROWS)) throw new UsageError(`group-by: ${n} rows; 1 to ${MOST_ROWS - 1}`);
      if (rows.columns.length !== columns)
        throw new UsageError(`group-by: ${rows.columns.length} columns of ${columns}`);
      const seen = await sampling.sample(runs, rows);
      const expected = expectedGroups(seen, n);
      const partitioned =
        columns === 1 && partPlan(gpu, { n, groups: expected, even: evenGroups(seen, n), slots }) !== null;
      const chosen = options.plan ?? choosePlan(seen, { n, slots, partitioned });
      let plan = chosen === "few" && fewLanes < (options.plan ? 1 : LEAST_FEW_LANES) ? "local" : chosen;
      let ns = seen.ns;
      for (
        let restarts = 0, capacity = Math.max(LEAST_GROUPS, capacityFor(seen, n));
        ;
        restarts++, capacity *= GROWTH
      ) {
        const { answer, steps } = await stepsOf(plan, rows, seen, expected, Math.ceil(capacity));
        const said = await run(runs, steps);
        ns += said.ns;
        const { misplaced, bound, distinct: groups } = said.status;
        if (misplaced)
          throw new Error("group-by: the lanes of a workgroup are in other subgroups than the adapter says");
        if (!bound) return { ns, plan, restarts, groups, ...answer };
        if (capacity >= n) throw new DoesNotFit(`group-by: more groups than the device binds a table for`);
        if (!options.plan) plan = planAfter(plan, columns);
      }
    },
  };
}
