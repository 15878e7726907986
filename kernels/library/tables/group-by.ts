/** `webgpu-hash-table/group-by`: see kernels/group-by/README.md. */
import { UsageError } from "../../device/errors.js";
import { statusOf } from "../../device/status.js";
import { MOST_ROWS, makeGroupBy } from "../../group-by/group-by.js";
import { AGGREGATES, type Aggregate, type GroupWord, wordsOf } from "../../group-by/layout.js";
import type { Plan } from "../../group-by/plan.js";
import { checkMembers, checkWhole } from "../check.js";
import { GROUPING } from "../grouping.js";
import { inQuery, type QueryOptions, queryCheck, type RecordedQuery, recordQuery } from "../queries.js";

export type { Aggregate, GroupWord } from "../../group-by/layout.js";
export type { Plan } from "../../group-by/plan.js";
export type { QueryOptions, RecordedQuery } from "../queries.js";
export * from "../shared.js";

/** Rows on the device: a u32 a row in buffers with the usage STORAGE, of 16 · ceil(n / 4) bytes or more. No key and no value is reserved. */
export interface GroupByRows {
  readonly keys: GPUBuffer;
  /** Columns of values, up to 4. None: rows are counted alone. */
  readonly columns: readonly GPUBuffer[];
  /** Below 2^30. */
  readonly n: number;
}

/** Where groups go: two buffers, in any order of the groups. */
export interface GroupByOutput {
  /** A u32 a group. */
  readonly keys: GPUBuffer;
  /** Word w of group g is element w · room + g, for each of the `words`. */
  readonly answers: GPUBuffer;
}

/** A group-by of rows that are there. */
export interface GroupByQuery extends GroupByRows, QueryOptions {
  /**
   * Of each column: `sum` (modulo 2^32) or `sum64` (two words, the lower one first), `min`, `max`; and `count`, of the rows of the group.
   * Values are unsigned.
   */
  readonly aggregates: readonly Aggregate[];
  /**
   * Asked once the groups are counted, and before one is written, unless there are none. The buffers have the usage COPY_DST, and `room` is
   * `groups`. Nothing is written where it gives undefined.
   */
  output(groups: number, words: readonly GroupWord[]): GroupByOutput | undefined;
}

/** What a group-by found. */
export interface Grouped {
  readonly groups: number;
  /** What the words of a group are. */
  readonly words: readonly GroupWord[];
  /** How it was done; undefined for no rows. */
  readonly plan: Plan | undefined;
}

/**
 * `SELECT key, aggregates FROM rows GROUP BY key`: one group for each different key. A sample of the rows decides how it is done.
 * Arguments are checked and copied at the call. The buffers of rows are read until the promise settles; what was written is there for whatever
 * is submitted then.
 *
 * @throws UsageError for wrong arguments, or output with too little room. DoesNotFit for more groups than the device binds, with their
 * bytes, or than it has memory for. Unsupported, GpuError, DeviceLost. Then nothing is left on the device.
 *
 * @example
 * const { groups } = await groupBy(device, { keys, columns: [prices], n, aggregates: ["sum"], output: (groups) => ({
 *   keys: buffer(4 * groups), answers: buffer(4 * groups),
 * }) });
 */
export async function groupBy(device: GPUDevice, query: GroupByQuery): Promise<Grouped> {
  const names = ["keys", "columns", "n", "aggregates", "output", "seed", "label"];
  const check = queryCheck(device, "groupBy", checkMembers("groupBy", query, names));
  const { label, seed } = check;
  const { output } = query;
  const rows = checkedRows(check, label, query, query.columns?.length);
  if (typeof output !== "function") throw new UsageError(`${label}: output is no function`);
  const columns = rows.columns.length;
  const words = checkedWords(label, query.aggregates, query.columns.length);
  const aggregates = [...query.aggregates];
  if (rows.n === 0) return { groups: 0, words, plan: undefined };
  return inQuery(device, GROUPING, label, async (own, run) => {
    const by = await makeGroupBy(own, { aggregates, columns, seed });
    const { groups, plan, keys, answers, room } = await by.run(run, rows);
    const into = output(groups, words);
    if (into) {
      checkedOutput(check, label, into, { words, room: groups }, "COPY_DST");
      const bytes = 4 * groups;
      await own.submit([
        { from: keys, to: into.keys, bytes },
        ...words.map((_, w) => ({
          from: answers,
          fromOffset: 4 * w * room,
          to: into.answers,
          toOffset: w * bytes,
          bytes,
        })),
      ]);
    }
    return { groups, words, plan };
  });
}

/** What recorded group-bys are made for. */
export interface GroupByKind extends QueryOptions {
  /** As of a {@link GroupByQuery}. */
  readonly aggregates: readonly Aggregate[];
  /** Columns of values, up to 4; 0 for counts alone. */
  readonly columns: number;
  /** Rows, at most. */
  readonly n: number;
  /** Groups, at most: `room` of the output. */
  readonly groups: number;
}

/** Rows of a recorded group-by. The output has the usage STORAGE. */
export interface RecordedRows extends GroupByRows {
  readonly output: GroupByOutput;
}

/**
 * Group-bys that are recorded among the caller's commands, with memory and kernels of their own. They take no sample: they are done as is best for
 * as many equally frequent groups as there are at most.
 *
 * @throws As {@link groupBy}.
 */
export async function recordGroupBy(
  device: GPUDevice,
  kind: GroupByKind,
): Promise<RecordedQuery<RecordedRows> & { readonly words: readonly GroupWord[] }> {
  const names = ["aggregates", "columns", "n", "groups", "seed", "label"];
  const check = queryCheck(device, "groupBy", checkMembers("groupBy", kind, names));
  const { label, seed } = check;
  const { n: most, columns, groups } = kind;
  const aggregates = [...(kind.aggregates ?? [])];
  const words = checkedWords(label, aggregates, columns);
  for (const [name, value] of Object.entries({ n: most, groups }))
    if (!(Number.isSafeInteger(value) && value >= 1 && value < MOST_ROWS))
      throw new UsageError(`${label}: ${name} is ${value}; it takes 1 to ${MOST_ROWS - 1}`);
  const recorded = await recordQuery<RecordedRows>({
    device,
    kernels: GROUPING,
    check,
    async make(own) {
      const by = await makeGroupBy(own, { aggregates, columns: Math.max(1, columns), seed });
      const steps = await by.steps({ n: most, groups: Math.min(groups, most) });
      return {
        status: by.status,
        stepsOf(whose, given) {
          const { output, ...own } = checkMembers(whose, given, ["keys", "columns", "n", "output"]);
          const rows = checkedRows(check, whose, own, columns);
          if (rows.n > most) throw new UsageError(`${whose}: n is ${rows.n}; it was made for ${most}`);
          checkedOutput(check, whose, output, { words, room: groups }, "STORAGE");
          return rows.n === 0 ? [] : steps(rows, { keys: output.keys, answers: output.answers, room: groups });
        },
      };
    },
  });
  return Object.assign(recorded, { words });
}

/**
 * Reads OUTCOME_BYTES of a recorded group-by. `failed`: there are more groups than it was made for, or lanes were in other subgroups than the
 * driver says. Then `groups` may be a part of them, and the output is not to be relied on.
 */
export function readGroups(outcome: Uint32Array): { readonly groups: number; readonly failed: boolean } {
  const { distinct, bound, misplaced } = statusOf(outcome);
  return { groups: distinct, failed: bound + misplaced > 0 };
}

type Check = ReturnType<typeof queryCheck>;

function checkedWords(whose: string, aggregates: readonly Aggregate[], columns: number): GroupWord[] {
  if (!Array.isArray(aggregates)) throw new UsageError(`${whose}: aggregates is no array`);
  checkWhole(whose, "columns", columns);
  const unknown = aggregates.find((one) => !AGGREGATES.includes(one));
  if (unknown !== undefined)
    throw new UsageError(`${whose}: no aggregate ${unknown}; there are ${AGGREGATES.join(", ")}`);
  if (columns === 0 && aggregates.some((one) => one !== "count"))
    throw new UsageError(`${whose}: without columns there is count alone`);
  return wordsOf(aggregates, Math.max(1, columns));
}

/** The rows; the keys are their column where there is no other. */
function checkedRows(check: Check, whose: string, { keys, columns, n }: GroupByRows, count: number): GroupByRows {
  if (!Array.isArray(columns)) throw new UsageError(`${whose}: columns is no array`);
  if (columns.length !== count) throw new UsageError(`${whose}: ${columns.length} columns; it was made for ${count}`);
  checkWhole(whose, "n", n);
  if (n >= MOST_ROWS) throw new UsageError(`${whose}: n is ${n}; it takes ${MOST_ROWS - 1} at most`);
  check.column(whose, "keys", keys, n);
  for (const [i, column] of columns.entries()) check.column(whose, `columns[${i}]`, column, n);
  return { keys, columns: columns.length > 0 ? [...columns] : [keys], n };
}

function checkedOutput(
  check: Check,
  whose: string,
  output: GroupByOutput,
  { words, room }: { readonly words: readonly GroupWord[]; readonly room: number },
  usage: "STORAGE" | "COPY_DST",
): void {
  const { keys, answers } = checkMembers(`the output of ${whose}`, output, ["keys", "answers"]);
  check.holds(whose, { name: "output.keys", buffer: keys, first: 0, end: room }, usage);
  check.holds(whose, { name: "output.answers", buffer: answers, first: 0, end: words.length * room }, usage);
  check.apart(whose, { "output.keys": keys, "output.answers": answers }, ["output.keys"]);
}
