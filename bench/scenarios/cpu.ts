/** Times one operation of a CPU table on the workload that GPU tables get, with the wall clock. */
import { EMPTY } from "../../datasets/dataset.js";
import { openDataset } from "../../datasets/index.js";
import { mix } from "../../datasets/random.js";
import { type Uniform, uniform } from "../../datasets/rng.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import type { Benchmark, PreparedCell } from "./benchmark.js";
import { type CpuTable, cpuTables } from "./cpu/tables.js";
import { FIND, INSERT } from "./operations.js";
import { LOOKUPS, lookupsOf, ownOf } from "./parameters.js";
import { shuffled } from "./workload/shuffle.js";

/** Keys drawn for absent lookups. */
const MAX_POOL = 2 ** 24;

type CpuKeys = Awaited<ReturnType<typeof loadKeys>>;

const OPERATIONS = [INSERT, FIND];

export const cpuBenchmark: Benchmark = {
  measures: "CPU table",
  operations: OPERATIONS,
  series: () => cpuTables.map(({ id, title }) => ({ id, title, ops: OPERATIONS.map((operation) => operation.id) })),
  parameters: [LOOKUPS],
  clock: "cpu",
  runs: { api: () => "cpu", besideGpu: true },
  bytes: () => 0,
  async prepare(cell) {
    const type = ownOf(cell, cpuTables);
    if (cell.n > type.maxPairs) throw new UsageError(`${type.id}: n = ${cell.n}, but ${type.limit}`);
    const data = await loadKeys(cell);
    const table = type.create(data.unique, cell.loadFactor ?? 0.5);
    return cell.op === "insert" ? prepareInsert(cell, data, table) : prepareFind(cell, data, table);
  },
};

async function loadKeys({ dataset, n, seed }: CellSpec) {
  const source = await openDataset(dataset, { n, seed });
  const keys = new Uint32Array(n);
  let filled = 0;
  for await (const chunk of source.chunks()) {
    keys.set(chunk, filled);
    filled += chunk.length;
  }
  return {
    keys,
    absent: await source.absent(Math.max(1024, Math.min(n, MAX_POOL))),
    unique: source.unique(),
    rankAt: source.rankAt,
  };
}

/** The value of a key under a salt, as bench/scenarios/workload/values.wgsl has it but for the hash: never EMPTY. */
function valueFor(key: number, salt: number): number {
  return mix(key ^ salt) >>> 1;
}

function writeValues(keys: Uint32Array, values: Uint32Array, salt: number): void {
  for (let i = 0; i < keys.length; i++) values[i] = valueFor(keys[i] as number, salt);
}

/** Wall time of `work` in nanoseconds, on the clock that tinybench uses by default. */
function timed(work: () => void): number {
  const begin = performance.now();
  work();
  return Math.max(1, (performance.now() - begin) * 1e6);
}

/** First answer that is not what was inserted under `salt`; "" if all are right. */
function compare(queries: Uint32Array, results: Uint32Array, expected: (i: number) => number): string {
  const wrong = results.findIndex((result, i) => result !== expected(i));
  return wrong < 0 ? "" : `result ${wrong} is ${results[wrong]} for key ${queries[wrong]}, expected ${expected(wrong)}`;
}

/** FNV-1a over the words, twice with different bases: 64 bits, hexadecimal. */
function digestOf(...arrays: readonly Uint32Array[]): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const words of arrays) {
    for (const word of words) {
      a = Math.imul(a ^ word, 0x01000193);
      b = mix(b ^ word);
    }
  }
  return [a, b].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const common = { access: null, metrics: async () => [] };

function prepareInsert(cell: CellSpec, { keys, absent }: CpuKeys, table: CpuTable): PreparedCell {
  let salt = cell.seed;
  const values = new Uint32Array(keys.length);
  return {
    mutates: true,
    async reset() {
      salt = (salt + 0x9e3779b9) >>> 0;
      writeValues(keys, values, salt);
      table.clear();
    },
    sample: async () => timed(() => table.insert(keys, values)),
    operations: keys.length,
    dataHash: digestOf(keys),
    async verify() {
      const results = new Uint32Array(keys.length);
      table.find(keys, results);
      const wrong = compare(keys, results, (i) => valueFor(keys[i] ?? 0, salt));
      if (wrong) return wrong;
      const none = new Uint32Array(absent.length);
      table.find(absent, none);
      return compare(absent, none, () => EMPTY);
    },
    ...common,
  };
}

function prepareFind(cell: CellSpec, data: CpuKeys, table: CpuTable): PreparedCell {
  const { queries, present } = drawQueries(cell, data);
  const { keys } = data;
  const results = new Uint32Array(queries.length);
  const values = new Uint32Array(keys.length);
  writeValues(keys, values, cell.seed);
  table.insert(keys, values);
  return {
    mutates: false,
    repeats: false,
    sample: async () => timed(() => table.find(queries, results)),
    operations: queries.length,
    dataHash: digestOf(keys, queries),
    async verify() {
      results.fill(0xdeadbeef);
      table.find(queries, results);
      return compare(queries, results, (i) => (present[i] ? valueFor(queries[i] ?? 0, cell.seed) : EMPTY));
    },
    ...common,
  };
}

/** Fisher-Yates, in place. */
function shuffle<Words extends Uint8Array | Uint32Array>(words: Words, draw: Uniform): Words {
  for (let i = words.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1));
    [words[i], words[j]] = [words[j] as number, words[i] as number];
  }
  return words;
}

/**
 * Exactly round(lookups · positiveRatio) present keys, drawn with replacement as the data set has it, among the absent ones in random order. Where
 * the cell names no number of lookups and all are present: every key once, in random order, as GPU tables get them.
 */
function drawQueries(cell: CellSpec, { keys, absent, rankAt }: CpuKeys) {
  const lookups = lookupsOf(cell);
  const draw = uniform(cell.seed);
  const present = new Uint8Array(lookups).fill(1, 0, Math.round(lookups * (cell.positiveRatio ?? 1)));
  if (cell.params.lookups === undefined && cell.positiveRatio === 1) {
    return { queries: shuffle(keys.slice(), draw), present };
  }
  shuffle(present, draw);
  const queries = new Uint32Array(lookups);
  for (let i = 0; i < lookups; i++) {
    const pool = present[i] ? keys : absent;
    const at =
      present[i] && rankAt ? shuffled(rankAt(draw()), keys.length, cell.seed) : Math.floor(draw() * pool.length);
    queries[i] = pool[at] as number;
  }
  return { queries, present };
}
