/** SELECT key, SUM, MIN, MAX, COUNT of up to four columns GROUP BY key, on the device. See README.md. */
import { groupsFor, lazily, WORKGROUP } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { DoesNotFit, GpuError, UsageError } from "../device/errors.js";
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
  evenSample,
  expectedGroups,
  FEW,
  isSparse,
  isUncertain,
  type Plan,
  planAfter,
  reachFor,
  type Sample,
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
/** After partitions the table is for a group for each so many rows; more than are left, where the groups are expected as they are. */
const LEFT_ROWS = 32;
/** A table that was too small is made for so many times as many groups. */
const GROWTH = 8;
export const MOST_ROWS = 2 ** 30;
/** Rows of a tile of runs.wgsl, and what it has in workgroup memory beside its table. */
const RUN_ROWS = 4 * WORKGROUP;
const SCAN_BYTES = BESIDE_BYTES + 8 * WORKGROUP;

/** How the kernels are made. The defaults are those that were fastest on an H200 (results/studies/group-by.md). */
export interface GroupByTuning {
  /** Lanes of the workgroups that have a table in their memory. */
  readonly lanes?: number;
  /** Slots of that table. Default: as many as there is memory for. */
  readonly slots?: number;
  /** Slots of it that a search looks at. Default: by the sample, 8 in a part. */
  readonly reach?: number;
  /** There are far fewer groups than slots. Default: by the sample. */
  readonly sparse?: boolean;
  /** Turns of a tile: in each a lane reads four rows. Default: by the number of rows. */
  readonly turns?: number;
  /** Workgroups that take tiles, at most. */
  readonly workgroups?: number;
}

export interface GroupByOptions extends GroupByTuning {
  readonly aggregates: readonly Aggregate[];
  /** Columns of values, 1 to 4. */
  readonly columns?: number;
  /** Default: as a sample of the rows says. */
  readonly plan?: Plan | undefined;
  /** Of hashes. Default: the same for all. */
  readonly seed?: number | undefined;
}

/** Buffers of `Gpu.alloc`, a u32 a row. */
export interface GroupRows {
  readonly keys: GPUBuffer;
  readonly columns: readonly GPUBuffer[];
  /** Below 2^30. */
  readonly n: number;
}

/** Where groups go. */
export interface GroupRoom {
  /** In any order. */
  readonly keys: GPUBuffer;
  /** Word w of group g, in the order of `wordsOf`, is element w * room + g. */
  readonly answers: GPUBuffer;
  /** Groups that there is room for. */
  readonly room: number;
}

/** The answer. Its buffers stay the group-by's, which runs again into them. */
export interface Groups extends GroupRoom {
  readonly ns: number;
  readonly plan: Plan;
  /** Runs with a table that was too small. */
  readonly restarts: number;
  readonly groups: number;
}

/** What the steps of a plan are made for. */
interface Sizes {
  /** Rows, at most. */
  readonly n: number;
  readonly sample: Sample;
  readonly expected: number;
  /** Groups that the table in global memory is for. */
  readonly capacity: number;
  /** After partitions, which leave few. */
  readonly left: number;
}

type MakeSteps = (rows: GroupRows, into: GroupRoom) => Step[];

/** Throws a UsageError for options that there cannot be. */
export async function makeGroupBy(gpu: Owner, options: GroupByOptions) {
  const { columns = 1, aggregates, seed = SEED } = options;
  const words = wordsOf(aggregates, columns);
  const layout = madeFor(words, columns);
  const stride = layout.constants.STRIDE * WORD;
  const { maxComputeInvocationsPerWorkgroup: mostLanes = 256, maxComputeWorkgroupStorageSize: memory = 2 ** 14 } =
    gpu.info.limits;
  const { lanes = Math.min(1024, mostLanes), workgroups = 1024 } = options;
  const { slots = Math.min(MOST_SLOTS, Math.floor((memory - BESIDE_BYTES) / (WORD * (1 + words.length)))) } = options;
  const fewLanes = Math.min(256, 64 * Math.floor((memory - BESIDE_BYTES) / (64 * FEW * words.length * WORD)));

  const said = await gpu.alloc("status of a group-by", STATUS_BYTES + 16);
  const sampling = await makeSampling(gpu, seed);
  const made = (name: string, conditions = {}, own = {}): Promise<Kernel> =>
    gpu.kernel({
      file: `kernels/group-by/${name}.wgsl`,
      constants: { ...layout.constants, ...own },
      conditions: { ...layout.conditions, ...conditions },
      bound: { said, status: said, few: sampling.few },
    });
  const kernel = (name: string, conditions = {}, own = {}) => lazily(() => made(name, conditions, own));
  const ofTable = (reach = 8) => ({ LANES: lanes, SLOTS: slots, REACH: options.reach ?? reach });
  const kernels = {
    clear: kernel("clear"),
    clearIfFailed: kernel("clear", { IF_FAILED: true }),
    clearIfLeft: kernel("clear", { IF_LEFT: true }),
    compact: kernel("compact"),
    compactIfLeft: kernel("compact", { IF_LEFT: true }),
    bins: kernel("bins", {}, ofTable()),
    runs: kernel("runs", {}, { LANES: WORKGROUP, SLOTS: RUN_ROWS + 1 }),
  };
  /** The kernel of a plan that takes tiles of so many rows, and how many workgroups take them. */
  const taking = async (
    plan: "few" | "local" | "global" | "left",
    n: number,
    { sparse = false, reach }: { readonly sparse?: boolean; readonly reach?: number } = {},
  ) => {
    const own = plan === "few" ? fewLanes : plan === "global" ? 256 : lanes;
    // Partitions leave few rows.
    const turns = options.turns ?? turnsFor(plan === "left" ? n / 16 : n, own);
    const conditions = { DIRECT: plan === "global", LEFT: plan === "left", SPARSE: sparse };
    const kernel = await (plan === "few"
      ? made("few", {}, { LANES: own, TURNS: turns })
      : made("local", conditions, { ...(plan !== "global" && ofTable(reach)), LANES: own, TURNS: turns }));
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

  /** Sorted rows are one column, in a table in workgroup memory that has a slot for each row of a tile. */
  const sortable = columns === 1 && WORD * (1 + words.length) * (RUN_ROWS + 1) + SCAN_BYTES <= memory;

  const stepsOf = async (plan: Plan, { n, sample, expected, capacity, left }: Sizes): Promise<MakeSteps> => {
    // Of sorted rows two runs a tile go to the table.
    const most = plan === "sort" ? 2 * Math.ceil(n / RUN_ROWS) : plan === "partition" ? left : capacity;
    const inTable = Math.min(capacity, most);
    const bits = Math.min(mostBits, Math.ceil(Math.log2(SLOTS_PER_GROUP * inTable)));
    const table = await tables.get(bits);
    const sweepers = Math.min(SWEEPERS, groupsFor(((2 ** bits + 1) * stride) / 16));
    const bindings = (rows: GroupRows, into: GroupRoom) => {
      const {
        keys,
        columns: [values = keys],
      } = rows;
      const named = { rows: rows.n, shift: 32 - bits, seed, room: into.room };
      return {
        pairs: { keys, values, n: rows.n },
        named,
        clear: { table_words: table, plan: named },
        compact: { table, plan: named, group_keys: into.keys, answers: into.answers },
      };
    };
    if (plan === "partition") {
      const parted = partPlan(gpu, { n, groups: expected, even: evenGroups(sample, n), slots });
      if (columns > 1) throw new DoesNotFit(`group-by: partitions take one column, not ${columns}`);
      if (!parted)
        throw new DoesNotFit(`group-by: ${n} rows of ${expected} groups fit no partitions that can be bound`);
      const { list, scatter, before, add } = await partitions.get(parted);
      const taker = await taking("left", n);
      const [clearIfFailed, bins, clearIfLeft, compactIfLeft] = await Promise.all([
        kernels.clearIfFailed(),
        kernels.bins(),
        kernels.clearIfLeft(),
        kernels.compactIfLeft(),
      ]);
      return (rows, into) => {
        const { pairs, named, clear, compact } = bindings(rows, into);
        return [
          ...scatter(pairs, seed, { list, status: said }),
          dispatch(clearIfFailed, sweepers, clear),
          add(bins, { ...compact, ...before, list }),
          dispatch(clearIfLeft, sweepers, clear),
          dispatch(taker.kernel, taker.takers, { list, table, plan: named }),
          dispatch(compactIfLeft, sweepers, compact),
        ];
      };
    }
    const [clearAll, compactAll] = await Promise.all([kernels.clear(), kernels.compact()]);
    if (plan === "sort") {
      if (!sortable) throw new DoesNotFit(`group-by: no sort of ${columns} columns and ${words.length} words`);
      const { sorter, sorted } = await sorters.get(n);
      const runs = await kernels.runs();
      return (rows, into) => {
        const { pairs, clear, compact } = bindings(rows, into);
        const inOrder = { ...compact, sorted_keys: sorted.keys, sorted_values: sorted.values };
        return [
          dispatch(clearAll, sweepers, clear),
          ...sorter.steps(pairs, sorted, rows.n),
          dispatch(runs, Math.ceil(rows.n / RUN_ROWS), inOrder),
          dispatch(compactAll, sweepers, compact),
        ];
      };
    }
    const { kernel: adder, takers } = await taking(plan, n, {
      sparse: options.sparse ?? isSparse(sample, n),
      reach: reachFor(sample, n),
    });
    const known = plan === "few" && { known: Math.min(FEW, sample.distinct) };
    return (rows, into) => {
      const { named, clear, compact } = bindings(rows, into);
      const values = Object.fromEntries(rows.columns.map((column, i) => [`column_${"abcd"[i]}`, column]));
      return [
        dispatch(clearAll, sweepers, clear),
        dispatch(adder, takers, { keys: rows.keys, ...values, table, plan: named, ...known }),
        dispatch(compactAll, sweepers, compact),
      ];
    };
  };
  const tooManyGroups = (groups: number) => {
    const bytes = stride * (2 ** Math.ceil(Math.log2(SLOTS_PER_GROUP * groups)) + 1);
    return new DoesNotFit(
      `group-by: a table of ${groups} groups takes ${bytes} bytes; the device binds ${gpu.maxBinding}`,
    );
  };
  const planFor = (sample: Sample, n: number, groups: number) => {
    const parts = columns === 1 ? partPlan(gpu, { n, groups, even: evenGroups(sample, n), slots }) : null;
    const partitioned = parts?.roomy ?? false;
    return options.plan ?? choosePlan(sample, { n, slots, partitioned });
  };

  return {
    words,
    /** What a pass of `steps` says: `distinct` are the groups, and `bound` is not 0 where there was no room for them. */
    status: said,
    /**
     * What makes the steps for up to n rows in up to so many groups, by the plan for equally frequent ones: they read no sample and wait for
     * nothing. Throws DoesNotFit.
     */
    async steps({ n, groups }: { readonly n: number; readonly groups: number }): Promise<MakeSteps> {
      const sample = evenSample(groups, n);
      const chosen = planFor(sample, n, groups);
      // Others know keys by the sample.
      const plan = chosen === "partition" ? chosen : "local";
      // After partitions it has few groups.
      if (plan === "local" && Math.log2(SLOTS_PER_GROUP * groups) > mostBits) throw tooManyGroups(groups);
      const capacity = Math.max(LEAST_GROUPS, groups);
      return stepsOf(plan, { n, sample, expected: groups, capacity, left: capacity });
    },
    /** Throws DoesNotFit, if there are more groups than memory for them or if the plan that was asked for cannot be. */
    async run(runs: RunSteps, rows: GroupRows): Promise<Groups> {
      const { n } = rows;
      if (!(n >= 1 && n < MOST_ROWS)) throw new UsageError(`group-by: ${n} rows; 1 to ${MOST_ROWS - 1}`);
      if (rows.columns.length !== columns)
        throw new UsageError(`group-by: ${rows.columns.length} columns of ${columns}`);
      const seen = await sampling.sample(runs, rows);
      const counted = isUncertain(seen, n)
        ? await sampling.count(runs, rows)
        : { ns: 0, groups: expectedGroups(seen, n) };
      const expected = Math.max(seen.distinct, counted.groups);
      const chosen = planFor(seen, n, expected);
      let plan = chosen === "few" && fewLanes < (options.plan ? 1 : LEAST_FEW_LANES) ? "local" : chosen;
      let ns = seen.ns + counted.ns;
      for (
        let restarts = 0, capacity = Math.max(LEAST_GROUPS, capacityFor(seen, n, expected)), left = n / LEFT_ROWS;
        ;
        restarts++, capacity *= GROWTH, left *= GROWTH
      ) {
        const into = await answers.get(Math.min(n, Math.ceil(capacity), mostRoom));
        const steps = await stepsOf(plan, {
          n,
          sample: seen,
          expected,
          capacity: Math.ceil(capacity),
          left: Math.max(LEAST_GROUPS, Math.ceil(left)),
        });
        const said = await run(runs, steps(rows, into));
        ns += said.ns;
        const { misplaced, bound, distinct: groups } = said.status;
        if (misplaced)
          throw new GpuError("group-by: the lanes of a workgroup are in other subgroups than the adapter says");
        if (!bound) return { ns, plan, restarts, groups, ...into };
        if (groups > mostRoom) {
          const bytes = groups * words.length * WORD;
          throw new DoesNotFit(
            `group-by: ${groups} groups or more, of ${bytes} bytes; the device binds ${gpu.maxBinding}`,
          );
        }
        if ((plan === "partition" ? Math.min(left, capacity) : capacity) >= n) throw tooManyGroups(groups);
        if (!options.plan) plan = planAfter(plan, sortable);
      }
    },
  };
}
