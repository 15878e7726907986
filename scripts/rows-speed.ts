/**
 * Rates of upserts, of findOrInsert and of export, and a kernel that calls a table's functions beside the calls that do the same. After a build:
 *
 *     node dist/scripts/rows-speed.js [--tables quotient,bucketed] [--log2 24] [--rounds 7] [--device auto]
 *
 * In the folder of a bundle it is `LD_LIBRARY_PATH=lib ./node dist/scripts/rows-speed.js`. Prints G rows/s by the GPU's stamps, the median
 * of the rounds; what tables told is checked.
 */
import { parseArgs } from "node:util";
import { columns } from "../bench/base/document.js";
import { formatNumber } from "../bench/base/format.js";
import type { WebGpu } from "../bench/device/gpu.js";
import { Stamps } from "../bench/device/stamps.js";
import { summarise } from "../bench/measure/statistics.js";
import { keyConstants, keyRange } from "../datasets/random.js";
import { uniform } from "../datasets/rng.js";
import { gridOf } from "../kernels/device/gpu.js";
import type * as Library from "../kernels/library/index.js";
import { ADAPTER_OPTIONS, library, onAdapter } from "./on-adapter.js";

const { createTable, RULES } = library;

const LOAD_FACTOR = 0.8;
const LANES = 256;
/** Distinct keys of rows that repeat, from one to as many as a GPU's cache does not hold. */
const GROUPS = [0, 10, 16, 20] as const;
/** Distinct keys per row where duplicates are removed. */
const DISTINCT = 0.29;
const TABLES = ["quotient", "bucketed", "double-hashing", "linear-probing"] as const;

const WAYS = {
  fused: "find_or_insert in the kernel",
  states: "insertAndTell, a kernel",
  numbers: "find, insert row numbers, find, a kernel",
} as const;

const { values: flags } = parseArgs({
  options: {
    tables: { type: "string", default: TABLES.join() },
    log2: { type: "string", default: "24" },
    rounds: { type: "string", default: "7" },
    ...ADAPTER_OPTIONS,
  },
});

await onAdapter(flags, async (gpu) => {
  console.log(`${gpu.info.name}, ${gpu.info.driver}`);
  for (const log2 of flags.log2.split(",").map(Number))
    for (const table of flags.tables.split(",") as (typeof TABLES)[number][])
      console.log(columns(["table", "rows", "", "G rows/s", "from", "to"], await measured(gpu, table, log2)));
  return 0;
});

type Times = Map<string, number[]>;

async function measured(gpu: WebGpu, name: (typeof TABLES)[number], log2: number): Promise<string[][]> {
  const n = 2 ** log2;
  const stamps = new Stamps(gpu.device, name);
  const table = await createTable(stamps.device, name, { capacity: n, loadFactor: LOAD_FACTOR, seed: 1 });
  const buffers = await Promise.all(
    ["keys", "values", "results", "states", "count"].map((one) => gpu.alloc(one, 4 * n)),
  );
  const [keys, values, results, states, count] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer];
  const times: Times = new Map();
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const told = await work();
    const ns = await stamps.take();
    times.set(what, [...(times.get(what) ?? []), ns]);
    return told;
  };
  const rows = { keys, values, n };
  gpu.write(values, 0, new Uint32Array(n).fill(1));
  gpu.write(keys, 0, keyRange(0, n, keyConstants(1)));
  for (let round = 0; round <= Number(flags.rounds); round++) {
    await table.clear();
    await timed("insert, new keys", () => table.insert(rows));
    await timed("insert, present keys", () => table.insert(rows));
    for (const rule of Object.keys(RULES) as (keyof typeof RULES)[])
      await timed(`upsert ${rule}, present keys`, () =>
        table.upsert({ ...(rule === "id" ? { keys, n } : rows), rule }),
      );
    await timed("findOrInsert, present keys", () => table.findOrInsert({ ...rows, results, states }));
    await timed("insertAndTell, present keys", () => table.insertAndTell({ ...rows, states }));
    await timed("size", () => table.size());
    const { size } = (await timed("export", () => table.export({ keys: results, values: states, n }))) as {
      size: number;
    };
    if (size !== n) throw new Error(`${name}: ${size} pairs of ${n} keys`);
    await table.clear();
    await timed("upsert add, new keys", () => table.upsert({ ...rows, rule: "add" }));
    await table.clear();
    await timed("findOrInsert, new keys", () => table.findOrInsert({ ...rows, results, states }));
  }
  const draw = uniform(7);
  const drawn = (distinct: number) => {
    const all = keyRange(0, distinct, keyConstants(2));
    return Uint32Array.from({ length: n }, () => all[Math.floor(draw() * distinct)] ?? 0);
  };
  for (const groups of GROUPS) {
    gpu.write(keys, 0, drawn(2 ** groups));
    for (let round = 0; round <= Number(flags.rounds); round++)
      for (const combine of [false, true]) {
        await table.clear();
        const of = `upsert add, 2^${groups} keys${combine ? ", combined" : ""}`;
        await timed(of, () => table.upsert({ ...rows, rule: "add", combine }));
      }
  }

  const asked = drawn(Math.floor(DISTINCT * n));
  const distinct = new Set(asked).size;
  gpu.write(keys, 0, asked);
  const numbers = Uint32Array.from({ length: n }, (_, i) => i);
  gpu.write(values, 0, numbers);
  const push = await pushing(stamps.device, table, name);
  const before = await gpu.alloc("found before", 4 * n);
  for (let round = 0; round <= Number(flags.rounds); round++) {
    for (const way of ["fused", "states", "numbers"] as const) {
      await table.clear();
      await gpu.zero(count);
      await timed(`deduplicate and push: ${WAYS[way]}`, async () => {
        if (way === "states") await table.insertAndTell({ ...rows, states });
        if (way === "numbers") {
          await table.find({ keys, results: before, n });
          await table.insert(rows);
          await table.find({ keys, results: states, n });
        }
        push(way, [keys, states, before, results, count], n);
      });
      const [pushed] = await gpu.read(count, 1);
      if (pushed !== distinct) throw new Error(`${name}, ${way}: ${pushed} keys, not ${distinct}`);
    }
  }
  for (const buffer of [...buffers, before]) gpu.free(buffer);
  table.destroy();
  stamps.destroy();
  return [...times].map(([what, all]) => {
    // The first round warms up.
    const { median, lo, hi } = summarise(all.slice(1));
    return [name, `2^${log2}`, what, ...[median, hi, lo].map((ns) => formatNumber(n / ns, 4))];
  });
}

/** Kernels that push each key once: by the table's own functions, or by what calls have told. */
async function pushing(device: GPUDevice, table: Library.ShaderTable, label: string) {
  const own = table.device({ group: 1, functions: ["find_or_insert"] });
  const ways = {
    fused: { code: own.code, isNew: "table_find_or_insert(key, i).state == table_NEW", groups: [own] },
    states: { code: "", isNew: "states[i] == 1u", groups: [] },
    numbers: { code: "", isNew: "states[i] == i && before[i] == 0xffffffffu", groups: [] },
  };
  const types = ["read-only-storage", "read-only-storage", "read-only-storage", "storage", "storage"] as const;
  const layout = device.createBindGroupLayout({
    entries: types.map((type, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
  });
  const pipelines = Object.fromEntries(
    await Promise.all(
      Object.entries(ways).map(async ([way, { code, isNew, groups }]) => {
        const module = device.createShaderModule({ code: `${code}\n${pushWgsl(isNew)}` });
        const bindGroupLayouts = [layout, ...groups.map((one) => one.layout)];
        const pipelineLayout = device.createPipelineLayout({ bindGroupLayouts });
        const compute = { module, entryPoint: "main" };
        return [way, await device.createComputePipelineAsync({ layout: pipelineLayout, compute })] as const;
      }),
    ),
  );
  return (way: keyof typeof ways, buffers: readonly GPUBuffer[], n: number) => {
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const encoder = device.createCommandEncoder();
    // Timed by the table's label.
    const pass = encoder.beginComputePass({ label });
    pass.setPipeline(pipelines[way] as GPUComputePipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout, entries }));
    for (const one of ways[way].groups) pass.setBindGroup(1, one.bindGroup());
    pass.dispatchWorkgroups(...gridOf(n / LANES));
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
}

function pushWgsl(isNew: string): string {
  return `
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> states: array<u32>;
@group(0) @binding(2) var<storage, read> before: array<u32>;
@group(0) @binding(3) var<storage, read_write> frontier: array<u32>;
@group(0) @binding(4) var<storage, read_write> count: array<atomic<u32>>;
var<workgroup> pushed: atomic<u32>;
var<workgroup> first: u32;
@compute @workgroup_size(${LANES})
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = (wid.y * nwg.x + wid.x) * ${LANES}u + lid;
  var place = 0u;
  var is_new = false;
  let key = keys[min(i, arrayLength(&keys) - 1u)];
  if (i < arrayLength(&keys)) { is_new = ${isNew}; }
  if (is_new) { place = atomicAdd(&pushed, 1u); }
  workgroupBarrier();
  if (lid == 0u) { first = atomicAdd(&count[0], atomicLoad(&pushed)); }
  let from_here = workgroupUniformLoad(&first);
  if (is_new) { frontier[from_here + place] = key; }
}`;
}
