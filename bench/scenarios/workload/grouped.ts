/** The rows of a group-by on the device, and the check of its answer. */
import { queryRows } from "../../../datasets/lineitem.js";
import { QUERIES, QUERY_NAMES, type QueryName } from "../../../datasets/tpch/queries.js";
import { groupsFor } from "../../../kernels/common/steps.js";
import { dispatch } from "../../../kernels/device/bind.js";
import { DoesNotFit, UsageError } from "../../../kernels/device/errors.js";
import { IdleGpu } from "../../../kernels/device/idle.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { Distinct } from "../../../kernels/group-by/distinct.js";
import type { GroupRoom, GroupRows, Groups } from "../../../kernels/group-by/group-by.js";
import type { GroupWord } from "../../../kernels/group-by/layout.js";
import { type Check, firstWrong, hex } from "./check.js";
import { digestOf } from "./keys.js";

const FILE = "bench/scenarios/workload/grouped.wgsl";
/** In the order of the numbers that grouped.wgsl has for them, before those of queries. */
export const SHAPES = ["even", "zipf", "hot", "q1", "orders", "turns"] as const;
export type Shape = (typeof SHAPES)[number];
const OF: readonly (GroupWord["of"] | "first")[] = ["sum", "upper", "min", "max", "count", "first"];

export interface GroupedSpec {
  readonly n: number;
  /** Groups that rows may be in; `q1` and `orders` have their own number. */
  readonly groups: number;
  readonly shape: Shape;
  /** Zipf's exponent. */
  readonly skew: number;
  readonly columns: number;
  readonly seed: number;
  /** Of a value. Default: 32. */
  readonly bits?: number;
}

/** Groups that there may be. */
export function groupsOf({ n, groups, shape }: Pick<GroupedSpec, "n" | "groups" | "shape">): number {
  if (shape === "q1") return 4;
  return shape === "orders" ? 7 * Math.ceil(n / 28) : groups;
}

async function allocated(gpu: Owner, n: number, count: number) {
  const keys = await gpu.alloc("keys of rows", 4 * n);
  const columns: GPUBuffer[] = [];
  for (let i = 0; i < count; i++) columns.push(await gpu.alloc(`column ${i + 1} of rows`, 4 * n));
  return { keys, columns };
}

export class GroupedRows implements GroupRows {
  private constructor(
    private readonly gpu: Owner,
    private readonly plan: Readonly<Record<"rows" | "groups" | "seed" | "shape" | "skew" | "what" | "first", number>>,
    readonly keys: GPUBuffer,
    readonly columns: readonly GPUBuffer[],
    readonly digest: string,
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, spec: GroupedSpec): Promise<GroupedRows> {
    const { n, shape, skew, columns: count, seed, bits = 32 } = spec;
    const shapes = { shape: SHAPES.indexOf(shape), skew: Math.round(1000 * skew) };
    const plan = { rows: n, groups: groupsOf(spec), seed, ...shapes, what: 0, first: 0 };
    const { keys, columns } = await allocated(gpu, n, count);
    const makeKeys = await gpu.kernel({ file: FILE, entry: "make_keys", takes: ["keys", "plan"] });
    const makeColumn = await gpu.kernel({ file: FILE, entry: "make_column", takes: ["column", "plan"] });
    await gpu.run([
      dispatch(makeKeys, groupsFor(n), { keys, plan }),
      ...columns.map((column, i) =>
        dispatch(makeColumn, groupsFor(n), { column, plan: { ...plan, first: i * n, what: 32 - bits } }),
      ),
    ]);
    return new GroupedRows(gpu, plan, keys, columns, await digestOf(gpu, keys, n));
  }

  /**
   * Those of a query on TPC-H's lineitem. Throws DoesNotFit.
   * @param count columns, the first ones of the query. Throws a UsageError if it has fewer.
   */
  static async ofQuery(gpu: Owner, query: QueryName, n: number, count: number): Promise<GroupedRows> {
    const { groups, columns: has } = QUERIES[query];
    if (count > has.length) throw new UsageError(`${query}: ${count} columns of ${has.length}`);
    const { keys, columns } = await allocated(gpu, n, count);
    let last = 0;
    let first = 0;
    // Who only compiles has no use for the rows.
    for await (const block of gpu.device instanceof IdleGpu ? [] : queryRows(query, n, count)) {
      gpu.write(keys, 4 * first, block.keys);
      for (const [i, column] of columns.entries()) gpu.write(column, 4 * first, block.columns[i] as Uint32Array);
      // Else each write takes new memory.
      await gpu.finished();
      first += block.keys.length;
      last = block.keys.at(-1) as number;
    }
    const shape = SHAPES.length + QUERY_NAMES.indexOf(query);
    const plan = { rows: n, groups: groups(last), seed: 0, shape, skew: 0, what: 0, first: 0 };
    return new GroupedRows(gpu, plan, keys, columns, await digestOf(gpu, keys, n));
  }

  get n(): number {
    return this.plan.rows;
  }

  get seed(): number {
    return this.plan.seed;
  }

  private async tally(
    own: Owner,
    { of, column }: { of: GroupWord["of"] | "first"; column: number | GPUBuffer },
    groups: number,
  ) {
    const low = await own.alloc("tally", 4 * groups);
    const high = await own.alloc("tally's upper words", 4 * groups);
    const takes = ["keys", "column", "low", "high", "plan"] as const;
    const kernel = await own.kernel({ file: FILE, entry: "tally", takes });
    const plan = { ...this.plan, what: OF.indexOf(of) };
    const given = typeof column === "number" ? this.columns[column] : column;
    const values = given ?? (await own.alloc("no column", 16));
    const bindings = { keys: this.keys, column: values, low, high, plan };
    await own.run([dispatch(kernel, groupsFor(this.n), bindings)]);
    return { low, high };
  }

  /** Rows of each of so many groups, at least as many as there are. Throws DoesNotFit. */
  async counts(own: Owner, groups: number): Promise<GPUBuffer> {
    return (await this.tally(own, { of: "count", column: 0 }, groups)).low;
  }

  /** What is wrong with the first rows of all groups, in one line; "" if nothing is. Throws DoesNotFit. */
  wrongFirsts({ distinct, rows }: Distinct): Promise<string> {
    const { groups } = this.plan;
    return scoped(this.gpu, async (own) => {
      const { low } = await this.tally(own, { of: "first", column: 0 }, groups);
      const bound = { keys: this.keys, answers: rows, low };
      const wrong = await this.check(own, "check_firsts", distinct, bound, { first: distinct });
      if (wrong) return `${wrong.count} of ${distinct} rows are not the first of their key, or not in order`;
      const right = (await this.check(own, "check_empty", groups, { low }))?.count ?? 0;
      return right === distinct ? "" : `${distinct} first rows of ${right} keys`;
    });
  }

  /**
   * What is wrong with the ids of all rows, in one line; "" if nothing is. Throws DoesNotFit.
   * @param present groups, the first ones, that had the first ids before
   */
  wrongIds(ids: GPUBuffer, present: number): Promise<string> {
    const { groups } = this.plan;
    return scoped(this.gpu, async (own) => {
      const { low, high } = await this.tally(own, { of: "min", column: ids }, groups);
      const seen = async (first: number) =>
        first === 0 ? 0 : ((await this.check(own, "check_empty", first, { low }, { groups: first }))?.count ?? 0);
      const first = present + (await seen(groups)) - (await seen(present));
      const bound = { keys: this.keys, answers: ids, low, high };
      const wrong = await this.check(own, "check_ids", this.n, bound, { first, what: present });
      return wrong ? `${wrong.count} of ${this.n} rows have a wrong id, the first is row ${wrong.first}` : "";
    });
  }

  /**
   * What is wrong with the sums of all groups, by their numbers, in one line; "" if nothing is. Throws DoesNotFit.
   * @param present groups, the first ones, that have a sum though no row may be in them; others without rows have EMPTY
   */
  wrongSums(sums: GPUBuffer, present: number): Promise<string> {
    const { groups } = this.plan;
    return scoped(this.gpu, async (own) => {
      const { low } = await this.tally(own, { of: "sum", column: 0 }, groups);
      const high = await this.counts(own, groups);
      const wrong = await this.check(own, "check_sums", groups, { answers: sums, low, high }, { what: present });
      return wrong ? `${wrong.count} of ${groups} groups have a wrong sum, the first is group ${wrong.first}` : "";
    });
  }

  private check(own: Owner, entry: string, items: number, bound: Check["bound"], plan = {}) {
    const all = { ...this.plan, ...plan };
    return firstWrong(own, items, { file: FILE, entry, conditions: { VERDICT: true }, bound: { ...bound, plan: all } });
  }

  /** What is wrong with the answer, in one line; "" if nothing is. Throws DoesNotFit. */
  async wrong(answer: GroupRoom & Pick<Groups, "groups">, words: readonly GroupWord[]): Promise<string> {
    const { groups } = this.plan;
    if (answer.groups > answer.room) return `${answer.groups} groups in an answer with room for ${answer.room}`;
    if (4 * groups > this.gpu.maxBinding) throw new DoesNotFit(`a check of ${groups} groups`);
    const { keys, answers } = answer;
    const check = (entry: string, items: number, bound: Check["bound"], plan = {}) =>
      this.check(this.gpu, entry, items, bound, { rows: answer.groups, ...plan });
    const ofGroups = await scoped(this.gpu, async (own) => {
      const tallied = await this.tally(own, { of: "count", column: 0 }, groups);
      const others = await check("check_groups", answer.groups, { keys, ...tallied });
      if (others) return `${others.count} groups are there twice or of no row, first ${hex(others.first)}`;
      const missing = await check("check_missing", groups, tallied);
      return missing ? `${missing.count} groups are missing` : "";
    });
    if (ofGroups) return ofGroups;
    for (const [i, word] of words.entries()) {
      const wrong = await scoped(this.gpu, async (own) => {
        const bound = { keys, answers, ...(await this.tally(own, word, groups)) };
        return check("check_word", answer.groups, bound, { what: OF.indexOf(word.of), first: i * answer.room });
      });
      if (wrong) return `${word.of} of column ${word.column} is wrong in ${wrong.count} of ${answer.groups} groups`;
    }
    return "";
  }
}
