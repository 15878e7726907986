/** Every table on a device with the limits that WebGPU guarantees: those of phones. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDawn } from "../bench/device/dawn.js";
import type { WebGpu } from "../bench/device/gpu.js";
import { linkKernel } from "../bench/device/link.js";
import { checkCase, Inconclusive } from "../bench/verify/case.js";
import { caseNamed, casesFor, casesNamed } from "../bench/verify/testing.js";
import { bankConditions } from "./common/banks.js";
import { configure } from "./define.js";
import { DoesNotFit, Unsupported } from "./device/errors.js";
import { ownTables, tableType } from "./index.js";
import { createTable, EMPTY } from "./library/index.js";
import { buffersOn } from "./library/testing.js";
import type { Params, TableType } from "./table.js";

let gpu: WebGpu;
beforeAll(async () => {
  const adapter = process.env.HASHBENCH_ADAPTER ?? "";
  gpu = await openDawn({ adapter, robust: true, toggles: [], defaultLimits: true });
});
afterAll(() => gpu.destroy());

test("the device has WebGPU's default limits, and says so among its toggles", () => {
  expect(gpu.info.limits).toMatchObject({
    maxStorageBuffersPerShaderStage: 8,
    maxStorageBufferBindingSize: 2 ** 27,
    maxBufferSize: 2 ** 28,
    maxComputeWorkgroupStorageSize: 2 ** 14,
    maxComputeInvocationsPerWorkgroup: 256,
  });
  expect(gpu.maxBinding).toBe(2 ** 27);
  expect(gpu.info.toggles.split(" ")).toContain("limits=default");
});

/** What these cases ask is not the device's: crowded or full memory, and races, by kernels that other cases run there. */
const ELSEWHERE = [
  "reserved keys",
  "whose value is EMPTY",
  "a full table",
  "crowded buckets",
  "slabs that run out",
  "for one key several times",
  "beside an erasure in its bucket",
  "that were erased before",
];

/** More of them by table: millions of pairs in other layouts, whose kernels bind what those of few pairs do. */
const LAYOUTS: Readonly<Record<string, readonly string[]>> = { quotient: ["pairs beyond the first number"] };

/** Of these, whose kernels are DyCuckoo's and the slab hash's but for conditions, the cases with that name: they bind most. */
const TWINS: Readonly<Record<string, RegExp>> = { megakv: /many resizes|^downsizings/, "slab-set": /^slices in which/ };

/** Whose upserts run there: those of the other tables have the same rules, and bind as much. */
const UPSERTS = "bucketed";

/** Of tables whose keys repeat: with the kernels of small tables, and of others. */
const REPEATED = ["repeated keys: every key 1 to 1024 times", "repeated keys: by the kernels of"];

/** What a table cannot do there, of its core cases; of a table that has none, of two. */
async function lacking(type: TableType): Promise<string[]> {
  const upserts = type.id === UPSERTS ? [] : ["a random history of upserts"];
  const elsewhere = [...ELSEWHERE, ...(LAYOUTS[type.id] ?? []), ...upserts];
  const own = casesFor(type, "core").filter(({ name }) => (TWINS[type.id] ?? /^/).test(name));
  const core = own.filter(({ name }) => !elsewhere.some((part) => name.includes(part)));
  const reasons: string[] = [];
  for (const one of core.length > 0 ? core : casesNamed(type, ...REPEATED)) {
    try {
      await checkCase(one, gpu, type);
    } catch (error) {
      if (error instanceof Inconclusive) continue;
      if (!(error instanceof Unsupported)) throw error;
      reasons.push(`${one.name}: ${error.message}`);
    }
  }
  return reasons;
}

const MANY = "many pairs at the usual load factor";
const RESIZES = "operations over many resizes";
/** All that is skipped there, with the parameters that tables have by default. */
const SKIPPED: Readonly<Record<string, readonly string[]>> = {
  dycuckoo: [
    `${RESIZES}: dycuckoo with resize`,
    "downsizings whose pairs do not fit into one bucket: dycuckoo with resize, alpha=0.5",
  ].map((what) => `${what}: insert needs 9 storage buffers; this device has 8`),
};

/** Tables that other tests of the process register have names with spaces. */
const ours = ownTables;

test.each(ours.map((type) => ({ id: type.id, type })))("$id", async ({ id, type }) => {
  expect(await lacking(type)).toEqual(SKIPPED[id] ?? []);
});

test.each([
  { name: "gph", capacity: 2 ** 24, bound: "268435456, in 2 storage buffers" },
  { name: "two-level", capacity: 2 ** 25, bound: "402651648, in 3 storage buffers" },
] as const)("$name of $capacity pairs lies in several buffers; twice as many do not fit", async (given) => {
  const { name, capacity, bound } = given;
  const table = await createTable(gpu.device, name, { capacity });
  expect(table.bytes).toBeGreaterThan(gpu.maxBinding);
  const keys = Uint32Array.from({ length: 1000 }, (_, i) => i);
  await buffersOn(() => gpu.device).using([keys, keys], async (...[asked, results]) => {
    await table.clear();
    await table.find({ keys: asked!, results: results!, n: keys.length });
    expect(await gpu.read(results!, keys.length)).toEqual(keys.fill(EMPTY));
  });
  table.destroy();
  const twice = createTable(gpu.device, name, { capacity: 2 * capacity });
  await expect(twice).rejects.toThrow(DoesNotFit);
  await expect(twice).rejects.toThrow(`bytes: the device binds ${bound}: limits maxStorageBufferBindingSize`);
});

test.each<[string, Params, string]>([
  ["bucketed", { partitioned: true }, MANY],
  ["quotient", { partitioned: true }, MANY],
  ["radix-sort", { sort: "lsd" }, MANY],
  ["dycuckoo", { subTables: 3 }, RESIZES],
])("what needs more of other devices needs less of this one: %s with %o", async (id, params, name) => {
  const type = configure(tableType(id), params);
  await expect(checkCase(caseNamed(type, name), gpu, type)).resolves.toBeUndefined();
});

test.each([
  {
    name: "radix-sort/scatter",
    conditions: { SUBGROUPS: false, KEYS_ONLY: false, SMALL: false },
    constants: { WARP: 32, DIGITS: 256 },
    lacks: "27920 bytes of workgroup memory",
  },
  {
    name: "dycuckoo/erase",
    conditions: {
      SUBGROUPS: false,
      COOPERATIVE: true,
      SPARING: false,
      WORDS: false,
      WIDE: false,
      SEVERAL: true,
      ...bankConditions(6),
    },
    constants: { TILE: 8 },
    lacks: "9 storage buffers",
  },
])("what is said of $name has the number that the device's own error has", async ({ name, lacks, ...given }) => {
  const source = { file: `kernels/${name}.wgsl`, ...given };
  const kernel = name.replace(/.*\//, "");
  await expect(gpu.kernel(source)).rejects.toThrow(`${kernel} needs ${lacks}; this device has `);
  const { dest: code } = await linkKernel(source);
  gpu.device.pushErrorScope("validation");
  const module = gpu.device.createShaderModule({ code });
  gpu.device.createComputePipeline({ layout: "auto", compute: { module, constants: given.constants } });
  const own = await gpu.device.popErrorScope();
  expect(own?.message).toMatch(new RegExp(`\\(${Number.parseInt(lacks, 10)}\\b`));
});
