/** Conformance of tables that answer with a member, an id or a range: their keys may repeat. */
import { shuffle } from "simple-statistics";
import { keyOf } from "../../../datasets/random.js";
import { uniform } from "../../../datasets/rng.js";
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import { configure } from "../../../kernels/define.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import { hex } from "../../scenarios/workload/check.js";
import { type Bulk, Mismatch, withoutFixedSizes, withTable } from "../bulk.js";
import { type Case, isSlow } from "../case.js";
import { keysFrom } from "../draw.js";

const MAX_LOAD_FACTOR = 0.8;

/** Pairs of a build. */
interface Input {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
}

/** n pairs of `distinct` keys, each key equally often as near as can be, in random order; all values differ. */
function repeated(n: number, distinct: number, from = 0): Input {
  const draw = uniform(n + 31 * distinct + from);
  const different = keysFrom(from, Math.min(n, distinct), 99);
  const inTurn = Array.from({ length: n }, (_, i) => different[i % distinct] ?? 0);
  const keys = Uint32Array.from(shuffle(inTurn, draw));
  return { keys, values: Uint32Array.from(keys, (_, i) => (Math.imul(i, 0x9e3779b1) >>> 1) ^ 0x1234) };
}

/** The values of each valid key. */
function oracleOf({ keys, values }: Input): ReadonlyMap<number, readonly number[]> {
  const all = new Map<number, number[]>();
  for (const [i, key] of keys.entries()) {
    if (key >= DELETED) continue;
    const own = all.get(key) ?? [];
    own.push(values[i] ?? 0);
    all.set(key, own);
  }
  return all;
}

class Checked {
  constructor(
    private readonly gpu: Gpu,
    private readonly type: TableType,
    private readonly bulk: Bulk,
  ) {}

  /** Builds, and asks for every key, and for some that are absent. How often the build started again. */
  async build(input: Input): Promise<number> {
    const oracle = oracleOf(input);
    await this.bulk.table.clear();
    const n = input.keys.length;
    const result = await this.bulk.insert(input.keys, input.values);
    const refused = input.keys.reduce((sum, key) => sum + (key >= DELETED ? 1 : 0), 0);
    if (result.count !== refused) throw new Mismatch(`insert refused ${result.count} of ${n} pairs, not ${refused}`);
    if (result.distinct !== oracle.size) {
      throw new Mismatch(`insert counts ${result.distinct} different keys of ${oracle.size}`);
    }
    await this.ask(oracle, n);
    return result.restarts;
  }

  private async ask(oracle: ReadonlyMap<number, readonly number[]>, listed: number): Promise<void> {
    const words = this.type.answers === "range" ? 2 : 1;
    const absent = keysFrom(5_000_000, 100, 99).concat(EMPTY, DELETED);
    const asked = Uint32Array.from([...oracle.keys(), ...absent]);
    const got = await this.bulk.find(asked, this.bulk.run, words);
    const listedAt = this.bulk.table.storage?.list;
    const list = listedAt && listed > 0 ? await this.gpu.read(listedAt, listed) : new Uint32Array();
    for (const [i, key] of asked.entries()) {
      const answer = got.subarray(words * i, words * (i + 1));
      const own = oracle.get(key);
      if (own) this.checkPresent(key, own, answer, oracle.size, list);
      else if (answer.some((word) => word !== EMPTY)) throw new Mismatch(`find(${hex(key)}): ${answer}, not absent`);
    }
  }

  private checkPresent(
    key: number,
    own: readonly number[],
    [first = 0, count = 0]: Uint32Array,
    size: number,
    list: Uint32Array,
  ): void {
    if (this.type.answers === "member") {
      if (first !== 1) throw new Mismatch(`find(${hex(key)}): ${hex(first)}, not a member`);
    } else if (this.type.answers === "id") {
      // As many different keys as ids, and a list of one key an id: no id is given twice, and none is left out.
      if (first >= size || list[first] !== key) {
        throw new Mismatch(`find(${hex(key)}): id ${first} of ${size}, which stands for ${hex(list[first] ?? EMPTY)}`);
      }
    } else {
      if (count !== own.length) throw new Mismatch(`find(${hex(key)}): ${count} values of ${own.length}`);
      const got = list.slice(first, first + count).sort();
      const expected = Uint32Array.from(own).sort();
      if (got.some((value, i) => value !== expected[i])) throw new Mismatch(`find(${hex(key)}): other values`);
    }
  }
}

/** Does `work` with a table for n pairs, which is then freed. */
function onTable(gpu: Gpu, type: TableType, n: number, work: (table: Checked) => Promise<unknown>): Promise<unknown> {
  const loadFactor = Math.min(MAX_LOAD_FACTOR, type.safeLoadFactor);
  return withTable(gpu, type, { n, loadFactor, fixed: true }, (bulk) => work(new Checked(gpu, type, bulk)));
}

/** A check that builds with each of the inputs on a table of its size. */
function builds(inputs: (sizes: typeof SLOW) => readonly Input[], seen = (gpu: Gpu) => gpu): Case["check"] {
  return async (gpu, type) => {
    for (const input of inputs(isSlow(gpu, type) ? SLOW : FAST))
      await onTable(seen(gpu), type, input.keys.length, (table) => table.build(input));
  };
}

const TWO_FUNCTIONS = { functions: 2 };

/** Of few keys, with two hash functions and at the largest load factor many builds fail at first. */
async function startingAgain(gpu: Gpu, type: TableType): Promise<void> {
  const { maxLoadFactor: loadFactor } = configure(type, TWO_FUNCTIONS);
  const n = 60;
  await withTable(gpu, type, { n, loadFactor, params: TWO_FUNCTIONS }, async (bulk) => {
    const table = new Checked(gpu, type, bulk);
    let restarts = 0;
    for (let build = 0; build < 20; build++) restarts += await table.build(repeated(n, n, n * build));
    if (restarts === 0) throw new Error("no build started again: nothing is known of those that do");
  });
}

/** Pairs of a build. Software adapters sort a few thousand pairs per second. */
const SLOW = { large: 2 ** 14, usual: 2 ** 11 };
const FAST: typeof SLOW = { large: 1_000_000, usual: 2 ** 14 };
const multiplicities = Array.from({ length: 11 }, (_, i) => 2 ** i);

const casesOfAll: readonly Case[] = (
  [
    {
      name: "repeated keys: sizes from none to many, every key once",
      check: builds(({ large }) =>
        [...new Set([0, 1, 31, 33, 2 ** 14, large])].map((n) => repeated(n, Math.max(1, n))),
      ),
    },
    {
      name: "repeated keys: every key 1 to 1024 times",
      check: builds(({ usual }) => multiplicities.map((times) => repeated(usual + 5, Math.ceil(usual / times)))),
    },
    {
      name: "repeated keys: all keys equal",
      check: builds(({ usual }) => [2, 33, usual + 5].map((n) => repeated(n, 1))),
    },
    {
      name: "repeated keys: by the kernels of tables beyond a GPU's cache",
      check: builds(({ large }) => [repeated(large, Math.ceil(large / 3))], withoutFixedSizes),
    },
    {
      name: "repeated keys: many pairs, keys of every number of copies",
      check: builds(({ large }) => {
        // Key number k occurs as often as its numbers of trailing zeros are rare: 1, 2, 1, 4, 1, 2, 1, 8 … times.
        const keys = Array.from({ length: large / 16 }, (_, k) =>
          new Array<number>(Math.min(1024, (k + 1) & -(k + 1))).fill(keyOf(k, 99)),
        ).flat();
        const values = Uint32Array.from(keys, (_, i) => Math.imul(i, 0x85ebca6b) >>> 1);
        return [{ keys: Uint32Array.from(keys), values }];
      }),
    },
    {
      name: "repeated keys: reserved keys are refused, and no key of the build before stays",
      async check(gpu, type) {
        // Several tiles of a sort, which knows of none that was before.
        const n = 2 ** 14 + 5;
        await onTable(gpu, type, n, async (table) => {
          await table.build(repeated(n, 70, 5_000_000));
          await table.build(repeated(n, 5000, 6_000_000));
          const { keys, values } = repeated(500, 50);
          for (const at of [0, 77, 499]) keys[at] = at % 2 === 0 ? EMPTY : DELETED;
          // It is listed as others are.
          values[200] = EMPTY;
          await table.build({ keys, values });
        });
      },
    },
  ] satisfies Pick<Case, "name" | "check">[]
).map((one) => ({ ...one, needs: ["repeated keys"] }));

export const cases: readonly Case[] = [
  ...casesOfAll,
  {
    name: "repeated keys: builds that start again with other hash functions",
    needs: ["repeated keys"],
    applies: ({ parameters }) =>
      parameters.some(({ name }) => name === "functions") ? "" : "has no choice of hash functions",
    check: startingAgain,
  },
];
