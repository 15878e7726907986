/**
 * The speed of the library's tables beside the harness', on one device and by the same stamps. After a build:
 *
 *     node dist/scripts/library-speed.js [--tables quotient,gph] [--log2 24,27] [--rounds 15] [--device auto] [--json]
 *
 * In the folder of a bundle it is `LD_LIBRARY_PATH=lib ./node dist/scripts/library-speed.js`.
 * Both tables are in memory, and each round times both, the one that goes first in turn, the library's by promises and by recorded commands.
 * Prints rates and their ratio with its 95 % interval; `--json`: all times. The exit code is 1 if the library is slower than 0.98 of the harness anywhere.
 */

import { parseArgs } from "node:util";
import { columns } from "../bench/base/document.js";
import { decimals, formatNumber } from "../bench/base/format.js";
import type { WebGpu } from "../bench/device/gpu.js";
import { Stamps } from "../bench/device/stamps.js";
import { ratioOf, tooSlow } from "../bench/measure/side-by-side.js";
import { summarise } from "../bench/measure/statistics.js";
import { keyConstants, keyRange } from "../datasets/random.js";
import { createTable as harnessTable } from "../kernels/create.js";
import { tableType } from "../kernels/index.js";
import type * as Library from "../kernels/library/index.js";
import { ADAPTER_OPTIONS, library, onAdapter } from "./on-adapter.js";

const { createTable: libraryTable, OUTCOME_BYTES, readOutcome, tableNames } = library;

const LOAD_FACTOR = 0.8;
const SEED = 1;
/** Rounds before those that count. */
const WARM_UP = 3;
/** Answers that are looked at in each round. */
const CHECKED = 1 << 16;
const CHUNK = 2 ** 22;

const { values: flags } = parseArgs({
  options: {
    tables: { type: "string", default: tableNames.join() },
    log2: { type: "string", default: "24,27" },
    rounds: { type: "string", default: "15" },
    json: { type: "boolean", default: false },
    ...ADAPTER_OPTIONS,
  },
});

const OPERATIONS = ["insert", "find", "insert, recorded", "find, recorded"] as const;
type Times = Readonly<Record<(typeof OPERATIONS)[number], { readonly harness: number[]; readonly library: number[] }>>;
const SIDES = ["harness", "library", "recorded"] as const;
/** Builds that may fail before one does not. */
const ATTEMPTS = 10;

/** A table at a size, or why it was not measured. */
interface Measured {
  readonly table: string;
  readonly log2: number;
  readonly times?: Times;
  readonly why?: string;
}

await onAdapter(flags, async (gpu) => {
  const all: Measured[] = [];
  for (const log2 of flags.log2.split(",").map(Number)) {
    const workload = await makeWorkload(gpu, 2 ** log2);
    for (const table of flags.tables.split(",")) {
      process.stderr.write(`${table}, 2^${log2} pairs\n`);
      all.push({ table, log2, ...(await measured(gpu, table as Library.TableName, workload, Number(flags.rounds))) });
    }
    for (const buffer of Object.values(workload)) if (typeof buffer !== "number") gpu.free(buffer);
  }
  if (flags.json) console.log(JSON.stringify({ device: gpu.info.name, driver: gpu.info.driver, measured: all }));
  else console.log(`${gpu.info.name}, ${gpu.info.driver}\n${tableOf(all)}`);
  return all.some(({ times }) => times && Object.values(times).some(tooSlow)) ? 1 : 0;
});

function tableOf(all: readonly Measured[]): string {
  const rows = all.flatMap(({ table, log2, times, why = "" }) => {
    if (!times) return [[table, `2^${log2}`, "", "", "", "", "", "", why]];
    return Object.entries(times).map(([op, both]) => {
      const rate = (ns: readonly number[]) => formatNumber(2 ** log2 / summarise(ns).median, 4);
      const { median, lo, hi } = ratioOf(both);
      const ratio = [median, lo, hi].map((one) => decimals(one, 4));
      const verdict = tooSlow(both) ? "too slow" : "";
      return [table, `2^${log2}`, op, rate(both.harness), rate(both.library), ...ratio, verdict];
    });
  });
  return columns(["table", "pairs", "", "harness G/s", "library G/s", "ratio", "from", "to", ""], rows);
}

type Workload = Awaited<ReturnType<typeof makeWorkload>>;

async function makeWorkload(gpu: WebGpu, n: number) {
  const [keys, values, queries, results] = [
    await gpu.alloc("keys", 4 * n),
    await gpu.alloc("values", 4 * n),
    await gpu.alloc("queries", 4 * n),
    await gpu.alloc("results", 4 * n),
  ];
  const constants = keyConstants(SEED);
  for (let first = 0; first < n; first += CHUNK) {
    const part = keyRange(first, Math.min(CHUNK, n - first), constants);
    gpu.write(keys, 4 * first, part);
    const own = part.map((key) => key >>> 1);
    gpu.write(values, 4 * first, own);
    // The last ones first.
    gpu.write(queries, 4 * (n - first - part.length), part.toReversed());
    await gpu.finished();
  }
  return { keys, values, queries, results, n };
}

/** The times; why there are none where the table does not go so far. */
async function measured(gpu: WebGpu, name: Library.TableName, workload: Workload, rounds: number) {
  const stamps = new Stamps(gpu.device, name);
  const tables: { destroy(): void }[] = [stamps];
  try {
    const { n } = workload;
    const type = tableType(name);
    const loadFactor = Math.min(LOAD_FACTOR, type.safeLoadFactor);
    const harness = await harnessTable(type, gpu, { n, loadFactor, seed: SEED, counting: false });
    tables.push(harness);
    // The library's own defaults are others.
    const { params } = type;
    const library = await libraryTable(stamps.device, name, { capacity: n, loadFactor, seed: SEED, params });
    tables.push(library);
    return { times: await timed(gpu, { harness, library, stamps }, workload, rounds) };
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code === "ERR_DOES_NOT_FIT" || code === "ERR_UNSUPPORTED") return { why: message };
    throw error;
  } finally {
    for (const table of tables) table.destroy();
  }
}

interface Both {
  readonly harness: Awaited<ReturnType<typeof harnessTable>>;
  readonly library: Awaited<ReturnType<typeof libraryTable>>;
  readonly stamps: Stamps;
}

async function timed(gpu: WebGpu, { harness, library, stamps }: Both, workload: Workload, rounds: number) {
  const { keys, values, queries, results, n } = workload;
  const pairs = { keys, values, n };
  const lookups = { keys: queries, results, n };
  const run = gpu.time.bind(gpu);
  const times = Object.fromEntries(OPERATIONS.map((name) => [name, { harness: [], library: [] }])) as unknown as Times;
  const outcome = await gpu.alloc("outcome", OUTCOME_BYTES);
  const submitted = (record: (encoder: GPUCommandEncoder) => void): Promise<number> => {
    const encoder = stamps.device.createCommandEncoder();
    record(encoder);
    stamps.device.queue.submit([encoder.finish()]);
    return stamps.take();
  };
  const sides = {
    async harness() {
      await harness.clear();
      const inserted = await harness.insert(run, pairs);
      const found = await harness.find(run, lookups);
      for (const name of OPERATIONS) times[name].harness.push(name.startsWith("insert") ? inserted.ns : found.ns);
      return inserted.count;
    },
    async recorded() {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        await submitted((encoder) => library.encodeClear(encoder));
        const ns = await submitted((encoder) => library.encodeInsert(encoder, pairs, { buffer: outcome }));
        const { refused, failed } = readOutcome(await gpu.read(outcome, OUTCOME_BYTES / 4));
        if (failed) continue;
        times["insert, recorded"].library.push(ns);
        times["find, recorded"].library.push(await submitted((encoder) => library.encodeFind(encoder, lookups)));
        return refused;
      }
      throw new Error(`${ATTEMPTS} builds failed`);
    },
    async library() {
      await library.clear();
      const { refused } = await library.insert(pairs);
      times.insert.library.push(await stamps.take());
      await library.find(lookups);
      times.find.library.push(await stamps.take());
      return refused;
    },
  };
  for (let round = 0; round < rounds + WARM_UP; round++) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      await gpu.zero(results);
      const refused = await sides[side]();
      const asked = await gpu.read(queries, Math.min(n, CHECKED));
      const answers = await gpu.read(results, Math.min(n, CHECKED));
      const wrong = answers.filter((answer, i) => answer !== (asked[i] ?? 0) >>> 1).length;
      if (wrong > refused) throw new Error(`${side}: ${wrong} of ${answers.length} answers are wrong`);
    }
  }
  gpu.free(outcome);
  for (const { harness: a, library: b } of Object.values(times)) for (const list of [a, b]) list.splice(0, WARM_UP);
  return times;
}
