import { beforeAll, beforeEach, expect, test } from "vitest";
import { Unsupported } from "../../kernels/device/errors.js";
import { Kernels } from "./kernels.js";
import { addKernels } from "./link.js";

const MODULE = `
  override WIDTH: u32;
  struct Sizes { slots: u32, seed: u32 }
  @group(0) @binding(31) var<uniform> sizes: Sizes;
  @group(0) @binding(0) var<storage, read_write> data: array<u32>;
  @compute @workgroup_size(1) fn sized() { data[0] = WIDTH * sizes.slots; @if(FAST) data[1] = 1u; }
  @compute @workgroup_size(1) fn plain() { data[0] = WIDTH; }
  @compute @workgroup_size(WIDTH) fn wide() { data[0] = 1u; @if(COUNT) data[1] = 2u; }`;
const LIMITS = {
  ...{
    maxStorageBuffersPerShaderStage: 8,
    maxComputeWorkgroupStorageSize: 16384,
    maxComputeInvocationsPerWorkgroup: 256,
  },
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupSizeY: 256,
  maxComputeWorkgroupSizeZ: 64,
};

let compiled = { modules: 0, pipelines: 0 };
let kernels: Kernels;
let onSoftware: Kernels;
let codes: string[] = [];

const COUNTING = `
  @if(COUNT) @group(1) @binding(0) var<storage, read_write> counters: array<u32>;
  @group(0) @binding(0) var<storage, read_write> data: array<u32>;
  fn note() { @if(COUNT) counters[0] = 1u; }
  @compute @workgroup_size(1) fn counts() { data[0] = 1u; note(); }
  @compute @workgroup_size(1) fn silent() { data[0] = 1u; }`;

/** Has names that the others have not. */
const ANOTHER = "override OTHER: u32; @if(OTHER) const other = OTHER;";
beforeAll(() =>
  addKernels({ "fake/sizes.wgsl": MODULE, "fake/counting.wgsl": COUNTING, "fake/another.wgsl": ANOTHER }),
);
beforeEach(() => {
  compiled = { modules: 0, pipelines: 0 };
  codes = [];
  const device = {
    limits: LIMITS,
    pushErrorScope: () => undefined,
    popErrorScope: async () => null,
    createShaderModule: ({ code }: { code: string }) => {
      compiled.modules += 1;
      codes.push(code);
      return { getCompilationInfo: async () => ({ messages: [] }) };
    },
    createComputePipelineAsync: async () => {
      compiled.pipelines += 1;
      return {};
    },
  };
  // The words stand for the uniform.
  const make = (fixes: boolean) =>
    new Kernels(device as unknown as GPUDevice, (words) => words as unknown as GPUBuffer, fixes);
  kernels = make(true);
  onSoftware = make(false);
});

const file = "fake/sizes.wgsl";
const constants = { WIDTH: 1 };
const sized = (slots: number) => ({ file, entry: "sized", constants, sizes: { slots, seed: 7 } });

test("kernels that differ in their sizes alone are one pipeline, each with its own sizes", async () => {
  const [a, b] = await Promise.all([kernels.get(sized(1)), kernels.get(sized(2))]);
  expect(compiled).toEqual({ modules: 1, pipelines: 1 });
  expect(b.pipeline).toBe(a.pipeline);
  expect([a.sizes?.buffer, b.sizes?.buffer]).toEqual([
    [1, 7],
    [2, 7],
  ]);
});

test("waits for kernels are seen, but not for those that are there, that were asked for ahead, or that count", async () => {
  let waits = 0;
  kernels.around = async (compiling) => {
    waits += 1;
    return compiling();
  };
  await Promise.all([kernels.get(sized(1)), kernels.get(sized(2))]);
  expect([waits, compiled.pipelines]).toEqual([2, 1]);
  await kernels.get(sized(2));
  await kernels.get({ ...sized(1), conditions: { COUNT: true } });
  expect([waits, compiled.pipelines]).toEqual([2, 2]);
  await kernels.get({ ...sized(1), constants: { WIDTH: 9 } });
  expect([waits, compiled.pipelines]).toEqual([3, 3]);
  const ahead = { ...sized(1), constants: { WIDTH: 10 } };
  await kernels.get(ahead, true);
  await kernels.get(ahead);
  expect([waits, compiled.pipelines]).toEqual([3, 4]);
});

test("another fresh number is another program, of the entry point alone; the same one is not", async () => {
  for (const fresh of [undefined, 1, 2, 2]) await kernels.get({ ...sized(1), ...(fresh && { fresh }) });
  expect(compiled).toEqual({ modules: 3, pipelines: 3 });
  const [plain = "", one = "", two = ""] = codes;
  expect(one).toContain("fn sized() { var program = 1u; program += 1u;");
  expect(one.replace(" var program = 1u; program += 1u;", "")).toBe(plain);
  expect(two.replaceAll("2u", "1u")).toBe(one.replaceAll("2u", "1u"));
});

test("equal sizes are one uniform", async () => {
  expect((await kernels.get(sized(1))).sizes?.buffer).toBe((await kernels.get(sized(1))).sizes?.buffer);
});

test("constants and conditions that the file does not ask for make no other pipeline", async () => {
  await kernels.get(sized(1));
  await kernels.get({ ...sized(1), constants: { ...constants, OTHER: 3 }, conditions: { OTHER: true } });
  expect(compiled).toEqual({ modules: 1, pipelines: 1 });
});

test("constants, conditions and entry points do", async () => {
  for (const change of [{}, { constants: { WIDTH: 2 } }, { conditions: { FAST: true } }, { entry: "plain" }])
    await kernels.get({ ...sized(1), ...change });
  expect(compiled).toEqual({ modules: 2, pipelines: 4 });
});

test("sizes that are fixed are compiled in, each a pipeline", async () => {
  const [a, b] = await Promise.all([1, 2].map((slots) => kernels.get({ ...sized(slots), fixed: true })));
  expect(compiled).toEqual({ modules: 2, pipelines: 2 });
  expect([a?.sizes, b?.sizes]).toEqual([undefined, undefined]);
  expect(codes.every((code) => !code.includes("var<uniform>"))).toBe(true);
  expect(codes.map((code) => /const sizes = .*;/.exec(code)?.[0]).sort()).toEqual([
    "const sizes = Sizes(1u, 7u);",
    "const sizes = Sizes(2u, 7u);",
  ]);
});

test("a software adapter fixes no sizes, and nobody those of a counting variant", async () => {
  expect((await onSoftware.get({ ...sized(1), fixed: true })).sizes?.buffer).toEqual([1, 7]);
  expect((await kernels.get({ ...sized(1), fixed: true, conditions: { COUNT: true } })).sizes?.buffer).toEqual([1, 7]);
});

test("an entry point that uses no sizes takes any", async () => {
  expect((await kernels.get({ ...sized(1), entry: "plain", sizes: { other: 3 } })).sizes).toBeUndefined();
});

test("sizes that do not fit the module's are an error that names the file", async () => {
  await expect(kernels.get({ ...sized(1), sizes: { slots: 1, sed: 7 } })).rejects.toThrow(
    "fake/sizes.wgsl: sizes has no sed; it has slots, seed",
  );
});

test("a kernel that needs more than the device has is refused, by its name, before its pipeline is made", async () => {
  const wide = (WIDTH: number) => ({ file, entry: "wide", constants: { WIDTH } });
  await kernels.get(wide(256));
  expect(compiled.pipelines).toBe(1);
  await expect(kernels.get(wide(257))).rejects.toThrow(
    new Unsupported("sizes (wide)", "257 lanes in a workgroup; this device has 256"),
  );
  await expect(kernels.get({ ...wide(257), conditions: { COUNT: true } })).rejects.toThrow(
    "sizes (wide), counting, needs 257 lanes in a workgroup; this device has 256",
  );
  expect(compiled.pipelines).toBe(1);
});

test("a kernel is counted where it writes records, not where its module, or another entry point, has some", async () => {
  const conditions = { COUNT: true };
  const counted = async (name: string, entry: string) =>
    (await kernels.get({ ...sized(1), file: name, entry, conditions })).counted !== undefined;
  expect(await counted("fake/counting.wgsl", "counts")).toBe(true);
  expect(await counted("fake/counting.wgsl", "silent")).toBe(false);
  expect(await counted(file, "sized")).toBe(false);
});
