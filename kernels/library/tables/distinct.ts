/** `webgpu-hash-table/distinct`: see kernels/group-by/README.md. */
import { kernel as scan } from "../../common/scan.wgsl.js";
import { UsageError } from "../../device/errors.js";
import { statusOf } from "../../device/status.js";
import { type Distinct as Found, type KeyRows, makeDistinct } from "../../group-by/distinct.js";
import { kernel as distinctKernel } from "../../group-by/distinct.wgsl.js";
import { MOST_ROWS } from "../../group-by/group-by.js";
import { kernel as rows } from "../../join/rows.wgsl.js";
import { checkMembers, checkWhole } from "../check.js";
import { GROUPING } from "../grouping.js";
import { inQuery, type QueryOptions, queryCheck, type RecordedQuery, recordQuery } from "../queries.js";

export type { QueryOptions, RecordedQuery } from "../queries.js";
export * from "../shared.js";

const KERNELS = [...GROUPING, distinctKernel, rows, scan];

/** Rows on the device: a u32 a row in a buffer with the usage STORAGE, of 16 · ceil(n / 4) bytes or more. No key is reserved. */
export interface DistinctRows {
  readonly keys: GPUBuffer;
  /** Below 2^30. */
  readonly n: number;
}

/** Where the first row of each key is told. */
export interface DistinctOutput {
  /** A bit a row, in words of 32: bit i % 32 of word i / 32 is set where row i is the first of its key. The others are zero. */
  readonly marks: GPUBuffer;
  /** The numbers of those rows, ascending: a u32 each. */
  readonly rows: GPUBuffer;
}

/** A search for the first rows of keys that are there. */
export interface DistinctQuery extends DistinctRows, QueryOptions {
  /**
   * Asked once the different keys are counted, unless there are no rows. The buffers have the usage COPY_DST. Nothing is written where it gives
   * undefined.
   */
  output(distinct: number): DistinctOutput | undefined;
}

/**
 * `SELECT DISTINCT key`: the first row of each key, as a mask and as a list in order. Arguments are checked and copied at the call. The buffer of keys is read
 * until the promise settles; what was written is there for whatever is submitted then.
 *
 * @returns how many different keys there are
 * @throws As `groupBy`.
 *
 * @example
 * const { distinct: firsts } = await distinct(device, { keys, n, output: (distinct) => ({
 *   marks: buffer(4 * Math.ceil(n / 32)), rows: buffer(4 * distinct),
 * }) });
 */
export async function distinct(device: GPUDevice, query: DistinctQuery): Promise<{ readonly distinct: number }> {
  const check = queryCheck(
    device,
    "distinct",
    checkMembers("distinct", query, ["keys", "n", "output", "seed", "label"]),
  );
  const { label, seed } = check;
  const { output } = query;
  const given = checkedRows(check, label, query, MOST_ROWS - 1);
  if (typeof output !== "function") throw new UsageError(`${label}: output is no function`);
  if (given.n === 0) return { distinct: 0 };
  return inQuery(device, KERNELS, label, async (own, run) => {
    const { distinct, marks, rows } = await (await makeDistinct(own, { seed })).run(run, given);
    const into = output(distinct);
    if (into) {
      checkedOutput(check, label, into, { n: given.n, distinct }, "COPY_DST");
      await own.submit([
        { from: marks, to: into.marks, bytes: 4 * Math.ceil(given.n / 32) },
        { from: rows, to: into.rows, bytes: 4 * distinct },
      ]);
    }
    return { distinct };
  });
}

/** What recorded searches are made for: rows, and different keys, at most. */
export interface DistinctKind extends QueryOptions {
  readonly n: number;
  readonly distinct: number;
}

/** Rows of a recorded search. The output has the usage STORAGE, and room for as many rows as there are different keys at most. */
export interface RecordedKeys extends DistinctRows {
  readonly output: DistinctOutput;
}

/**
 * Searches for the first rows of keys that are recorded among the caller's commands, with memory and kernels of their own.
 *
 * @throws As {@link distinct}.
 */
export async function recordDistinct(device: GPUDevice, kind: DistinctKind): Promise<RecordedQuery<RecordedKeys>> {
  const check = queryCheck(device, "distinct", checkMembers("distinct", kind, ["n", "distinct", "seed", "label"]));
  const { label, seed } = check;
  const most = { n: kind.n, distinct: kind.distinct };
  for (const [name, value] of Object.entries(most))
    if (!(Number.isSafeInteger(value) && value >= 1 && value < MOST_ROWS))
      throw new UsageError(`${label}: ${name} is ${value}; it takes 1 to ${MOST_ROWS - 1}`);
  return recordQuery({
    device,
    kernels: KERNELS,
    check,
    async make(own) {
      const by = await makeDistinct(own, { seed });
      const steps = await by.steps({ n: most.n, distinct: Math.min(most.n, most.distinct) });
      return {
        status: by.status,
        stepsOf(whose, given) {
          const { output, ...own } = checkMembers(whose, given, ["keys", "n", "output"]);
          const rows = checkedRows(check, whose, own, most.n);
          checkedOutput(check, whose, output, { n: rows.n, distinct: most.distinct }, "STORAGE");
          return rows.n === 0 ? [] : steps(rows, { marks: output.marks, rows: output.rows });
        },
      };
    },
  });
}

/**
 * Reads OUTCOME_BYTES of a recorded search. `failed`: there are more different keys than it was made for, or lanes were in other subgroups than the
 * driver says. Then `distinct` may be a part of them, and the output is not to be relied on.
 */
export function readDistinct(outcome: Uint32Array): { readonly distinct: number; readonly failed: boolean } {
  const { distinct, bound, misplaced } = statusOf(outcome);
  return { distinct, failed: bound + misplaced > 0 };
}

type Check = ReturnType<typeof queryCheck>;

function checkedRows(check: Check, whose: string, { keys, n }: KeyRows, most: number): KeyRows {
  checkWhole(whose, "n", n);
  if (n > most) throw new UsageError(`${whose}: n is ${n}; it takes ${most} at most`);
  check.column(whose, "keys", keys, n);
  return { keys, n };
}

function checkedOutput(
  check: Check,
  whose: string,
  output: DistinctOutput,
  { n, distinct }: Pick<Found, "distinct"> & { readonly n: number },
  usage: "STORAGE" | "COPY_DST",
): void {
  const { marks, rows } = checkMembers(`the output of ${whose}`, output, ["marks", "rows"]);
  check.holds(whose, { name: "output.marks", buffer: marks, first: 0, end: Math.ceil(n / 32) }, usage);
  check.holds(whose, { name: "output.rows", buffer: rows, first: 0, end: distinct }, usage);
  check.apart(whose, { "output.marks": marks, "output.rows": rows }, ["output.marks"]);
}
