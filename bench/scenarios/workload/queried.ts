/** The rows of a query on TPC-H's lineitem on the device, and the check of its answer by what the host adds up. */
import { queryRows } from "../../../datasets/lineitem.js";
import { QUERIES, type QueryName } from "../../../datasets/tpch/queries.js";
import { IdleGpu } from "../../../kernels/device/idle.js";
import type { Owner } from "../../../kernels/device/owned.js";
import type { GroupRows, Groups } from "../../../kernels/group-by/group-by.js";
import type { GroupWord } from "../../../kernels/group-by/layout.js";
import { hex } from "./check.js";
import { digestOf } from "./keys.js";

/** What the host has of a group's column. Sums are exact: below 2^53. */
interface Tally {
  readonly sums: Float64Array;
  readonly least: Uint32Array;
  readonly most: Uint32Array;
}

export class QueriedRows implements GroupRows {
  private constructor(
    private readonly gpu: Owner,
    private readonly query: QueryName,
    readonly n: number,
    readonly keys: GPUBuffer,
    readonly columns: readonly GPUBuffer[],
    private readonly tallies: readonly Tally[],
    private readonly rows: Uint32Array,
    readonly digest: string,
  ) {}

  /** @param count columns, of those that the query has. Throws DoesNotFit. */
  static async make(gpu: Owner, query: QueryName, n: number, count: number): Promise<QueriedRows> {
    const { groups: groupsOf, numberOf } = QUERIES[query];
    // Who only compiles has no use for the rows, which take seconds.
    const idle = gpu.device instanceof IdleGpu;
    const groups = idle ? 0 : groupsOf(n);
    const keys = await gpu.alloc("keys of rows", 4 * n);
    const columns: GPUBuffer[] = [];
    for (let i = 0; i < count; i++) columns.push(await gpu.alloc(`column ${i + 1} of rows`, 4 * n));
    const tallies = columns.map(() => ({
      sums: new Float64Array(groups),
      least: new Uint32Array(groups).fill(0xffffffff),
      most: new Uint32Array(groups),
    }));
    const rows = new Uint32Array(groups);
    let first = 0;
    for await (const block of idle ? [] : queryRows(query, n)) {
      gpu.write(keys, 4 * first, block.keys);
      const numbers = block.keys.map(numberOf);
      for (const number of numbers) rows[number] = (rows[number] ?? 0) + 1;
      for (const [c, column] of columns.entries()) {
        const values = block.columns[c] ?? new Uint32Array();
        gpu.write(column, 4 * first, values);
        const { sums, least, most } = tallies[c] as Tally;
        for (const [i, number] of numbers.entries()) {
          const value = values[i] ?? 0;
          sums[number] = (sums[number] ?? 0) + value;
          least[number] = Math.min(least[number] ?? 0, value);
          most[number] = Math.max(most[number] ?? 0, value);
        }
      }
      first += numbers.length;
    }
    return new QueriedRows(gpu, query, n, keys, columns, tallies, rows, await digestOf(gpu, keys, n));
  }

  /** What is wrong with the answer, in one line; "" if nothing is. */
  async wrong(answer: Groups, words: readonly GroupWord[]): Promise<string> {
    const { gpu, query, rows } = this;
    const right = rows.reduce((sum, count) => sum + Number(count > 0), 0);
    if (answer.groups !== right) return `${answer.groups} groups of ${right}`;
    const keys = await gpu.read(answer.keys, answer.groups);
    const numbers = keys.map(QUERIES[query].numberOf);
    const left = rows.slice();
    for (const [g, number] of numbers.entries()) {
      if (!left[number]) return `group ${hex(keys[g] ?? 0)} is there twice or of no row`;
      left[number] = 0;
    }
    for (const [w, word] of words.entries()) {
      const got = await gpu.read(answer.answers, answer.groups, w * answer.room);
      const odd = numbers.findIndex((number, g) => got[g] !== this.wordOf(word, number));
      if (odd >= 0) return `${word.of} of column ${word.column} of group ${hex(keys[odd] ?? 0)} is ${got[odd]}`;
    }
    return "";
  }

  private wordOf({ of, column }: GroupWord, number: number): number | undefined {
    if (of === "count") return this.rows[number];
    const { sums, least, most } = this.tallies[column] as Tally;
    if (of === "min") return least[number];
    if (of === "max") return most[number];
    const sum = sums[number] ?? 0;
    return of === "upper" ? Math.floor(sum / 2 ** 32) : sum % 2 ** 32;
  }
}
