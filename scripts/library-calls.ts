/**
 * What a call of the library's tables costs, small n included: µs per call by the host's clock, by promise, recorded, and in a shader of a
 * program's own. After a build:
 *
 *     node dist/scripts/library-calls.js [--tables quotient,bucketed] [--log2 6,8,10,12,14,16,18,20] [--rounds 9] [--device auto]
 *
 * In the folder of a bundle it is `LD_LIBRARY_PATH=lib ./node dist/scripts/library-calls.js`. Each promise is awaited before the next call.
 * Recorded operations, and dispatches of the shader, are 64 to a submission, whose end is awaited. Insertions are of keys that are there.
 * Prints the median of the rounds; answers are checked.
 */
import { parseArgs } from "node:util";
import { columns } from "../bench/base/document.js";
import { formatNumber } from "../bench/base/format.js";
import type { WebGpu } from "../bench/device/gpu.js";
import { summarise } from "../bench/measure/statistics.js";
import { keyConstants, keyRange } from "../datasets/random.js";
import { gridOf } from "../kernels/device/gpu.js";
import type * as Library from "../kernels/library/index.js";
import { ADAPTER_OPTIONS, library, onAdapter } from "./on-adapter.js";

/** Calls that one time is of. */
const TOGETHER = 64;
const LANES = 256;
const TABLES = ["quotient", "bucketed", "double-hashing", "linear-probing"] as const;
const OPERATIONS = {
  find: "results[i] = table_find(keys[i]);",
  insert: "results[i] = u32(table_insert(keys[i], values[i]));",
} as const;
type Operation = keyof typeof OPERATIONS;

const { values: flags } = parseArgs({
  options: {
    tables: { type: "string", default: "quotient" },
    log2: { type: "string", default: "6,8,10,12,14,16,18,20" },
    rounds: { type: "string", default: "9" },
    ...ADAPTER_OPTIONS,
  },
});

await onAdapter(flags, async (gpu) => {
  const rows: string[][] = [];
  for (const table of flags.tables.split(",") as (typeof TABLES)[number][])
    rows.push(...(await measured(gpu, table, flags.log2.split(",").map(Number))));
  const heads = ["table", "", "n", "by promise, µs", "recorded, µs", "in the shader, µs"];
  console.log(`${gpu.info.name}, ${gpu.info.driver}\n${columns(heads, rows)}`);
  return 0;
});

async function measured(gpu: WebGpu, name: (typeof TABLES)[number], sizes: readonly number[]): Promise<string[][]> {
  const most = 2 ** Math.max(...sizes);
  const table = await library.createTable(gpu.device, name, { capacity: most });
  const buffers = await Promise.all(["keys", "values", "results"].map((one) => gpu.alloc(one, 4 * most)));
  const [keys, values, results] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer];
  const all = keyRange(0, most, keyConstants(1));
  const expected = all.map((key) => key >>> 1);
  gpu.write(keys, 0, all);
  gpu.write(values, 0, expected);
  const { refused } = await table.insert({ keys, values, n: most });
  if (refused > 0) throw new Error(`${name}: ${refused} pairs were refused`);
  const submitted = async (record: (encoder: GPUCommandEncoder) => void) => {
    const encoder = gpu.device.createCommandEncoder();
    for (let i = 0; i < TOGETHER; i++) record(encoder);
    gpu.device.queue.submit([encoder.finish()]);
    await gpu.device.queue.onSubmittedWorkDone();
  };
  const rows: string[][] = [];
  for (const op of Object.keys(OPERATIONS) as Operation[]) {
    const shader = await calling(gpu.device, table, op);
    for (const log2 of sizes) {
      const n = 2 ** log2;
      const ways = [
        async () => {
          for (let i = 0; i < TOGETHER; i++)
            await (op === "find" ? table.find({ keys, results, n }) : table.insert({ keys, values, n }));
        },
        () =>
          submitted((encoder) => {
            if (op === "find") table.encodeFind(encoder, { keys, results, n });
            else table.encodeInsert(encoder, { keys, values, n });
          }),
        () => submitted((encoder) => shader(encoder, [keys, values, results], n)),
      ];
      const times: number[][] = ways.map(() => []);
      // The first round warms up.
      for (let round = 0; round <= Number(flags.rounds); round++)
        for (const [i, way] of ways.entries()) {
          await gpu.zero(results);
          const begin = performance.now();
          await way();
          if (round > 0) times[i]?.push(((performance.now() - begin) * 1000) / TOGETHER);
          if (op === "insert") await table.find({ keys, results, n });
          const answers = await gpu.read(results, n);
          if (answers.some((answer, at) => answer !== expected[at])) throw new Error(`${name}, ${op}: a wrong answer`);
        }
      rows.push([name, op, `2^${log2}`, ...times.map((own) => formatNumber(summarise(own).median, 3))]);
    }
  }
  for (const buffer of buffers) gpu.free(buffer);
  table.destroy();
  return rows;
}

/** What records a dispatch of a shader that calls the table's function for n items. */
async function calling(device: GPUDevice, table: Library.ShaderTable, op: Operation) {
  const own = table.device({ group: 1, functions: [op] });
  const code = `${own.code}
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@compute @workgroup_size(${LANES})
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = (wid.y * nwg.x + wid.x) * ${LANES}u + lid;
  if (i < arrayLength(&keys)) { ${OPERATIONS[op]} }
}`;
  const types = ["read-only-storage", "read-only-storage", "storage"] as const;
  const layout = device.createBindGroupLayout({
    entries: types.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
  });
  const pipeline = await device.createComputePipelineAsync({
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout, own.layout] }),
    compute: { module: device.createShaderModule({ code }), entryPoint: "main" },
  });
  return (encoder: GPUCommandEncoder, buffers: readonly GPUBuffer[], n: number) => {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer, size: 4 * n } }));
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
    pass.setBindGroup(1, own.bindGroup());
    pass.dispatchWorkgroups(...gridOf(Math.ceil(n / LANES)));
    pass.end();
  };
}
