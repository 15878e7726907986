/**
 * The library's speed beside the harness', on one device and by the same stamps: quotient at load factor 0.8. After a build:
 *
 *     node dist/bench/library-speed.js [--log2 24,27] [--rounds 15] [--device auto]
 *
 * Both tables are in memory, and each round times both, the one that goes first in turn. Prints rates and their ratios; `--json`: all times.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keyConstants, keyRange } from "../datasets/random.js";
import { createTable } from "../kernels/create.js";
import { quotient as libraryTable } from "../kernels/library/tables/quotient.js";
import { quotient } from "../kernels/quotient/quotient.js";
import { chooseAdapter } from "./adapter/adapter.js";
import { openDawn } from "./gpu/dawn.js";
import type { WebGpu } from "./gpu/gpu.js";
import { summarise } from "./measure/statistics.js";

const LOAD_FACTOR = 0.8;
const SEED = 1;
/** Rounds before those that count. */
const WARM_UP = 3;
const CHECKED = 1 << 16;
const STAMPS_BYTES = 16;

const { values: flags } = parseArgs({
  options: {
    log2: { type: "string", default: "24,27" },
    rounds: { type: "string", default: "15" },
    device: { type: "string", default: "auto" },
    json: { type: "boolean", default: false },
    /** Measure in this process, whose environment has the adapter's driver. */
    adapter: { type: "string" },
  },
});

/** ns of each round. */
type Times = Readonly<Record<"insert" | "find", { readonly harness: number[]; readonly library: number[] }>>;

if (flags.adapter === undefined) {
  const { adapterFlag, env } = await chooseAdapter({ device: flags.device });
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2), "--adapter", adapterFlag];
  const { status } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  const gpu = await openDawn({ adapter: flags.adapter, robust: false, toggles: [] });
  for (const log2 of flags.log2.split(",").map(Number)) {
    const times = await measure(gpu, 2 ** log2, Number(flags.rounds));
    if (flags.json) console.log(JSON.stringify({ device: gpu.info.name, driver: gpu.info.driver, log2, times }));
    else for (const line of linesOf(gpu.info.name, log2, times)) console.log(line);
  }
  process.exit();
}

function linesOf(device: string, log2: number, times: Times): string[] {
  return Object.entries(times).map(([op, { harness, library }]) => {
    const rate = (ns: readonly number[]) => `${(2 ** log2 / summarise(ns).median).toFixed(2)} G/s`;
    const ratios = summarise(library.map((ns, i) => (harness[i] ?? Number.NaN) / ns));
    const ratio = `${ratios.median.toFixed(4)} (${ratios.lo.toFixed(4)} to ${ratios.hi.toFixed(4)})`;
    return `${device}, 2^${log2} ${op}: harness ${rate(harness)}, library ${rate(library)}, library / harness ${ratio}`;
  });
}

async function measure(gpu: WebGpu, n: number, rounds: number): Promise<Times> {
  const [keys, values, queries, results] = [
    await gpu.alloc("keys", 4 * n),
    await gpu.alloc("values", 4 * n),
    await gpu.alloc("queries", 4 * n),
    await gpu.alloc("results", 4 * n),
  ];
  const constants = keyConstants(SEED);
  const chunk = 2 ** 22;
  for (let first = 0; first < n; first += chunk) {
    const part = keyRange(first, Math.min(chunk, n - first), constants);
    gpu.write(keys, 4 * first, part);
    gpu.write(
      values,
      4 * first,
      part.map((key) => key >>> 1),
    );
    // The last ones first.
    gpu.write(queries, 4 * (n - first - part.length), part.toReversed());
    await gpu.finished();
  }
  const harness = await createTable(quotient, gpu, { n, loadFactor: LOAD_FACTOR, seed: SEED, counting: false });
  const library = await libraryTable.create(gpu.device, { capacity: n, loadFactor: LOAD_FACTOR, seed: SEED });
  const pairs = { keys, values, n };
  const lookups = { keys: queries, results, n };
  const run = gpu.time.bind(gpu);
  const stamped = stamping(gpu.device);
  const times: Times = { insert: { harness: [], library: [] }, find: { harness: [], library: [] } };
  const sides = {
    async harness() {
      await harness.clear();
      times.insert.harness.push((await harness.insert(run, pairs)).ns);
      times.find.harness.push((await harness.find(run, lookups)).ns);
    },
    async library() {
      await library.clear();
      times.insert.library.push(await stamped((encoder) => library.encodeInsert(encoder, pairs)));
      times.find.library.push(await stamped((encoder) => library.encodeFind(encoder, lookups)));
    },
  };
  for (let round = 0; round < rounds + WARM_UP; round++) {
    for (const side of round % 2 === 0 ? (["harness", "library"] as const) : (["library", "harness"] as const)) {
      await gpu.zero(results);
      await sides[side]();
      const [asked, answers] = [
        await gpu.read(queries, Math.min(n, CHECKED)),
        await gpu.read(results, Math.min(n, CHECKED)),
      ];
      if (answers.some((answer, i) => answer !== (asked[i] ?? 0) >>> 1)) throw new Error(`${side}: wrong answers`);
    }
  }
  harness.destroy();
  library.destroy();
  for (const buffer of [keys, values, queries, results]) gpu.free(buffer);
  for (const { harness: a, library: b } of Object.values(times)) for (const list of [a, b]) list.splice(0, WARM_UP);
  return times;
}

/** Times the one pass that is recorded, on an idle device, as the harness' timer does; in ns. */
function stamping(device: GPUDevice) {
  const querySet = device.createQuerySet({ type: "timestamp", count: 2 });
  const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const resolved = device.createBuffer({ size: STAMPS_BYTES, usage: QUERY_RESOLVE | COPY_SRC });
  const readback = device.createBuffer({ size: STAMPS_BYTES, usage: COPY_DST | MAP_READ });
  const timestampWrites = { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  return async (record: (encoder: GPUCommandEncoder) => void): Promise<number> => {
    await device.queue.onSubmittedWorkDone();
    const encoder = device.createCommandEncoder();
    const beginComputePass = () => encoder.beginComputePass({ timestampWrites });
    record(
      new Proxy(encoder, {
        get(target, name) {
          if (name === "beginComputePass") return beginComputePass;
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      }),
    );
    encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, readback, 0, STAMPS_BYTES);
    device.queue.submit([encoder.finish()]);
    await readback.mapAsync(GPUMapMode.READ);
    const [begin = 0n, end = 0n] = new BigUint64Array(readback.getMappedRange());
    const ns = Number(end - begin);
    readback.unmap();
    return ns;
  };
}
