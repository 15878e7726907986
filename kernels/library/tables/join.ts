/** `webgpu-hash-table/join`: see kernels/join/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as scan } from "../../common/scan.wgsl.js";
import { UsageError } from "../../device/errors.js";
import { statusOf } from "../../device/status.js";
import { kernel as sample } from "../../group-by/sample.wgsl.js";
import { kernel as expand } from "../../join/expand.wgsl.js";
import { kernel as index } from "../../join/index.wgsl.js";
import { JOIN_KINDS, type JoinKind, makeJoin, type Relation, resultsOf } from "../../join/join.js";
import { kernel as probe } from "../../join/probe.wgsl.js";
import { kernel as ranges } from "../../join/ranges.wgsl.js";
import { kernel as rows } from "../../join/rows.wgsl.js";
import { kernel as scatter } from "../../partitioned/scatter.wgsl.js";
import { kernel as histogram } from "../../radix-sort/histogram.wgsl.js";
import { kernel as sortScatter } from "../../radix-sort/scatter.wgsl.js";
import { kernel as starts } from "../../radix-sort/starts.wgsl.js";
import { checkMembers, checkWhole } from "../check.js";
import { outcomeKernel } from "../commands.js";
import { inQuery, type QueryOptions, queryCheck, type RecordedQuery, recordQuery } from "../queries.js";

export type { JoinKind } from "../../join/join.js";
export type { QueryOptions, RecordedQuery } from "../queries.js";
export * from "../shared.js";

const KERNELS = [
  expand,
  fill,
  histogram,
  index,
  outcomeKernel,
  probe,
  ranges,
  rows,
  sample,
  scan,
  scatter,
  sortScatter,
  starts,
];

/** Rows of a side: keys in a buffer with the usage STORAGE, a u32 a row, of 16 · ceil(n / 4) bytes or more. No key is reserved, and keys may repeat. */
export interface JoinSide {
  readonly keys: GPUBuffer;
  readonly n: number;
}

/** Where results go, with the usage STORAGE: a u32 a result, the number of its row. Results are in the order of the rows of the probe side. */
export interface JoinOutput {
  readonly probe: GPUBuffer;
  /** Not of `semi` and `anti`. EMPTY where a row of a left join has no partner. */
  readonly build?: GPUBuffer;
}

/** A join of two sides that are there. */
export interface JoinQuery extends QueryOptions {
  /**
   * `inner`: all pairs of rows with one key. `left`: and rows of the probe side without a partner. `semi`: rows of the probe side that
   * have a partner. `anti`: those that have none.
   */
  readonly kind: JoinKind;
  /** The side that is put into an index: the smaller one, say. */
  readonly build: JoinSide;
  readonly probe: JoinSide;
  /** Asked once the results are counted, and before one is written, unless there are none. Nothing is written where it gives undefined. */
  output(results: number): JoinOutput | undefined;
}

/** What a join found. */
export interface Joined {
  readonly results: number;
}

/**
 * `SELECT … FROM probe JOIN build ON key`: row numbers of all results. Arguments are checked and copied at the call. The buffers of keys are read until the
 * promise settles; what was written is there for whatever is submitted then.
 *
 * @throws UsageError for wrong arguments, or output with too little room. DoesNotFit for results that the device does not bind, with their
 * number and bytes, or a build side that it has no memory for. Unsupported, GpuError, DeviceLost. Then nothing is left on the device.
 *
 * @example
 * const { results } = await join(device, { kind: "inner", build: { keys: ids, n }, probe: { keys: orders, n: m }, output: (results) => ({
 *   build: buffer(4 * results), probe: buffer(4 * results),
 * }) });
 */
export async function join(device: GPUDevice, query: JoinQuery): Promise<Joined> {
  const names = ["kind", "build", "probe", "output", "seed", "label"];
  const check = queryCheck(device, "join", checkMembers("join", query, names));
  const { label, seed } = check;
  const { output } = query;
  const kind = checkedKind(label, query.kind);
  const [build, probe] = [
    checkedSide(check, label, "build", query.build),
    checkedSide(check, label, "probe", query.probe),
  ];
  if (typeof output !== "function") throw new UsageError(`${label}: output is no function`);
  if (probe.n === 0) return { results: 0 };
  return inQuery(device, KERNELS, label, async (own, run) => {
    const { results, writing } = await (await makeJoin(own, { kind, seed })).count(run, build, probe);
    const into = results > 0 && output(results);
    if (into) await own.run((await writing())(checkedOutput(check, label, kind, into, results)));
    return { results };
  });
}

/** What recorded joins are made for. */
export interface RecordedJoinKind extends QueryOptions {
  readonly kind: JoinKind;
  /** Rows of the build side, of the probe side, and results that are written, at most. */
  readonly most: { readonly build: number; readonly probe: number; readonly results: number };
}

/** Sides of a recorded join. */
export interface RecordedSides {
  readonly build: JoinSide;
  readonly probe: JoinSide;
  /** With room for as many results as there are at most. */
  readonly output: JoinOutput;
}

/**
 * Joins that are recorded among the caller's commands, with memory and kernels of their own. The build side is sorted, whatever its keys.
 *
 * @throws As {@link join}.
 */
export async function recordJoin(device: GPUDevice, query: RecordedJoinKind): Promise<RecordedQuery<RecordedSides>> {
  const check = queryCheck(device, "join", checkMembers("join", query, ["kind", "most", "seed", "label"]));
  const { label, seed } = check;
  const kind = checkedKind(label, query.kind);
  const most = { ...checkMembers(`most of ${label}`, query.most, ["build", "probe", "results"]) };
  for (const name of ["build", "probe", "results"] as const) {
    checkWhole(label, `most.${name}`, most[name]);
    if (most[name] === 0) throw new UsageError(`${label}: most.${name} is 0; it takes 1 or more`);
  }
  return recordQuery({
    device,
    kernels: KERNELS,
    check,
    async make(own) {
      const joining = await makeJoin(own, { kind, seed });
      const steps = await joining.steps(most);
      return {
        status: joining.status,
        stepsOf(whose, given) {
          const { output, ...sides } = checkMembers(whose, given, ["build", "probe", "output"]);
          const [build, probe] = (["build", "probe"] as const).map((name) => {
            const side = checkedSide(check, whose, name, sides[name]);
            if (side.n <= most[name]) return side;
            throw new UsageError(`${whose}: n of ${name} is ${side.n}; it was made for ${most[name]}`);
          }) as [Relation, Relation];
          const columns = checkedOutput(check, whose, kind, output, most.results);
          return probe.n === 0 ? [] : steps(build, probe, columns);
        },
      };
    },
  });
}

/**
 * Reads OUTCOME_BYTES of a recorded join. As many results were written as it was made for, if there are more. `failed`: the index could not be built, or
 * lanes were in other subgroups than the driver says; what was written is not to be relied on. Recorded again it has another hash function.
 */
export function readResults(outcome: Uint32Array): { readonly results: number; readonly failed: boolean } {
  const status = statusOf(outcome);
  const { bound, failed, misplaced } = status;
  return { results: resultsOf(status), failed: bound + failed + misplaced > 0 };
}

type Check = ReturnType<typeof queryCheck>;

function checkedKind(whose: string, kind: JoinKind): JoinKind {
  if (!JOIN_KINDS.includes(kind)) throw new UsageError(`${whose}: kind is ${kind}; it takes ${JOIN_KINDS.join(", ")}`);
  return kind;
}

function checkedSide(check: Check, whose: string, name: "build" | "probe", side: JoinSide): Relation {
  const { keys, n } = checkMembers(`${name} of ${whose}`, side, ["keys", "n"]);
  checkWhole(whose, `n of ${name}`, n);
  check.column(whose, `${name}.keys`, keys, n);
  return { keys, n };
}

function checkedOutput(check: Check, whose: string, kind: JoinKind, output: JoinOutput, results: number): JoinOutput {
  const names = kind === "semi" || kind === "anti" ? (["probe"] as const) : (["probe", "build"] as const);
  const given = checkMembers(`the output of ${whose}`, output, names);
  const columns = Object.fromEntries(names.map((name) => [`output.${name}`, given[name] as GPUBuffer]));
  for (const [name, buffer] of Object.entries(columns)) check.holds(whose, { name, buffer, first: 0, end: results });
  check.apart(whose, columns, ["output.probe"]);
  return { ...given };
}
