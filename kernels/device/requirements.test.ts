import { expect, test } from "vitest";
import { WgslModule } from "../../bench/device/module.js";
import { lacking } from "./requirements.js";

const MODULE = `
  struct Pair { key: u32, at: vec3u, count: atomic<u32> }
  alias Value = vec2u;
  // Names before what they are made of, as a linker leaves them.
  var<workgroup> pairs: array<Pair, PAIRS>;
  const PAIRS = max(3u, LANES / 2u);
  override LANES: u32 = 8u;
  override TWICE: u32 = 2u * LANES;
  override NEEDED: u32;
  var<workgroup> values: array<Value, TWICE>;
  var<workgroup> /* not: array<u32, 99> */ one: atomic<u32>;
  var<workgroup> given: array<u32, NEEDED>;
  const sizes = Sizes(1u, 7u);
  @group(0) @binding(0) var<storage, read> a: array<u32>;
  @group(0) @binding(1) var<storage, read_write> b: array<atomic<u32>>;
  @group(1) @binding(0) var<storage> counters: array<u32>;
  struct Plan { x: u32, b: u32 }
  @group(0) @binding(31) var<uniform> plan: Plan;
  fn apart(b: u32) -> u32 { let counters = b; return counters; }
  @compute @workgroup_size(1) fn shadowing() { _ = apart(a[0]) + plan.b; }
  // Between two functions, and of neither.
  @group(0) @binding(2) var<storage> c: array<u32>;
  fn helper() -> u32 { var<function> x = a[0]; const local = 4u; return x + values[local].x; }
  @compute @workgroup_size(LANES, 2) fn wide() { if (LANES > 99u) { one = helper() + plan.x; } }
  @workgroup_size(16) @compute fn pairwise() { pairs[0].key = atomicLoad(&b[0]) + counters[0]; }
  @compute @workgroup_size(1) fn sized() { given[0] = 1u; }`;
const module = new WgslModule(MODULE);

test("storage buffers and workgroup variables count where the entry point, or what it calls, names them", () => {
  // 16 values of 8 bytes, and an atomic, which takes 16.
  expect(module.requirements("wide")).toEqual({ storageBuffers: 1, workgroupBytes: 144, lanes: [8, 2, 1] });
  expect(module.requirements("pairwise")).toEqual({ storageBuffers: 2, workgroupBytes: 128, lanes: [16, 1, 1] });
});

test("a variable is not named by a function that has a parameter, a member or a variable of that name, or stands before it", () => {
  expect(module.requirements("shadowing").storageBuffers).toBe(1);
});

test("constants that are given replace the defaults of overrides, in sizes and lanes", () => {
  expect(module.requirements("wide", { LANES: 64 })).toMatchObject({ workgroupBytes: 1040, lanes: [64, 2, 1] });
  expect(module.requirements("pairwise", { LANES: 64 }).workgroupBytes).toBe(1024);
  expect(module.requirements("sized", { NEEDED: 5 }).workgroupBytes).toBe(32);
});

test("a size that cannot be told is an error", () => {
  expect(() => module.requirements("sized")).toThrow("the size of given is unknown");
});

test.each([
  [{}, ""],
  [{ storageBuffers: 11 }, "11 storage buffers; this device has 8"],
  [{ workgroupBytes: 23_616 }, "23616 bytes of workgroup memory; this device has 16384"],
  [{ lanes: [32, 9, 1] as const }, "288 lanes in a workgroup; this device has 256"],
  [{ lanes: [1, 1, 65] as const }, "65 layers in a workgroup; this device has 64"],
])("what %o lacks: %s", (more, text) => {
  const limits = {
    maxStorageBuffersPerShaderStage: 8,
    maxComputeWorkgroupStorageSize: 16384,
    maxComputeInvocationsPerWorkgroup: 256,
    maxComputeWorkgroupSizeX: 256,
    maxComputeWorkgroupSizeY: 256,
    maxComputeWorkgroupSizeZ: 64,
  };
  const requirements = { storageBuffers: 8, workgroupBytes: 16384, lanes: [256, 1, 1] as const, ...more };
  expect(lacking(requirements, limits)).toBe(text);
});
