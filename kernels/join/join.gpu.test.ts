import { expect, test } from "vitest";
import { freedAfterTest, spared, testGpu, withEdits } from "../../bench/device/testing.js";
import { mix32 } from "../common/random.js";
import { EMPTY } from "../common/steps.js";
import type { Gpu } from "../device/gpu.js";
import { owned } from "../device/owned.js";
import { JOIN_KINDS, type JoinKind, makeJoin } from "./join.js";

const gpu = testGpu();
const { upload } = freedAfterTest(gpu);

/** Pairs of rows, `build` before `probe`, sorted; of semi and anti joins the rows of the probe side. */
function oracle(build: Uint32Array, probe: Uint32Array, kind: JoinKind): string[] {
  const rows = new Map<number, number[]>();
  for (const [i, key] of build.entries()) rows.set(key, [...(rows.get(key) ?? []), i]);
  const results = [...probe].flatMap((key, j) => {
    const partners = rows.get(key) ?? [];
    if (kind === "semi") return partners.length > 0 ? [`${j}`] : [];
    if (kind === "anti") return partners.length > 0 ? [] : [`${j}`];
    const all = kind === "left" && partners.length === 0 ? [EMPTY] : partners;
    return all.map((i) => `${i} ${j}`);
  });
  return results.sort();
}

async function joined(
  build: Uint32Array,
  probe: Uint32Array,
  kind: JoinKind,
  slots?: number,
  on: Gpu = gpu(),
  unique = false,
) {
  const options = { kind, unique, ...(slots && { slots }) };
  const made = await owned(on, async (own) => ({ join: await makeJoin(own, options) }));
  try {
    const sides = [
      { keys: await upload(build), n: build.length },
      { keys: await upload(probe), n: probe.length },
    ] as const;
    await made.join.run((...pass) => on.time(...pass), ...sides);
    const { results, rows, restarts } = await made.join.run((...pass) => on.time(...pass), ...sides);
    const ofProbe = [...(await on.read(rows.probe, results))];
    const ofBuild = rows.build && (await on.read(rows.build, results));
    return { rows: ofProbe.map((j, o) => (ofBuild ? `${ofBuild[o]} ${j}` : `${j}`)).sort(), restarts };
  } finally {
    made.destroy();
  }
}

const drawn = (n: number, keys: number, salt = 0) =>
  Uint32Array.from({ length: n }, (_, i) => mix32(mix32(i + salt) % keys));
const build = drawn(4099, 1000);
const probe = drawn(3001, 1500, 1e6);

test.each(JOIN_KINDS)("%s of keys that repeat is what a Map says", async (kind) => {
  const { rows } = await joined(build, probe, kind);
  expect(rows).toEqual(oracle(build, probe, kind));
});

test("keys that occur hundreds of times, in parts of few slots", async () => {
  const [few, some] = [drawn(2000, 7), drawn(40, 9)];
  const { rows } = await joined(few, some, "inner", 64);
  expect(rows).toEqual(oracle(few, some, "inner"));
});

test("keys that are unique, as is expected, and some that are not", async () => {
  const keys = Uint32Array.from({ length: 3001 }, (_, i) => mix32(i));
  const asked = Uint32Array.from({ length: 2000 }, (_, i) => mix32(2 * i));
  const { rows, restarts } = await joined(keys, asked, "left", 64, undefined, true);
  expect({ rows, restarts }).toEqual({ rows: oracle(keys, asked, "left"), restarts: 0 });
  if (spared) return;
  keys[7] = keys[8] ?? 0;
  const repeated = await joined(keys, asked, "left", 64, undefined, true);
  expect(repeated).toEqual({ rows: oracle(keys, asked, "left"), restarts: 1 });
});

test("no row has a partner", async () => {
  expect((await joined(Uint32Array.of(1, 1), Uint32Array.of(2, EMPTY), "inner")).rows).toEqual([]);
  expect((await joined(Uint32Array.of(1, EMPTY), Uint32Array.of(2, EMPTY), "inner")).rows).toEqual(["1 1"]);
});

test("the key whose hash is EMPTY is found by another seed", async () => {
  // The inverse of mix32 of EMPTY, by the seed of the first attempt.
  const key = (unmix32(EMPTY) ^ 0x9e3779b9) >>> 0;
  const { rows, restarts } = await joined(Uint32Array.of(5, key, key), Uint32Array.of(key), "inner");
  expect(rows).toEqual(["1 0", "2 0"]);
  expect(restarts).toBe(1);
});

function unmix32(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x7ed1b41d);
  h = Math.imul(h ^ ((h >>> 13) ^ (h >>> 26)), 0xa5cb9243);
  return (h ^ (h >>> 16)) >>> 0;
}

// On SwiftShader without sorts, which its own file has there.
test.skipIf(spared)("of a build side that is too uneven for partitions the rows are sorted first", async () => {
  const uneven = Uint32Array.from(drawn(20_000, 2 ** 30), (key, i) => (i % 2 ? key : 7));
  const asked = Uint32Array.of(7, 8, ...uneven.subarray(0, 500).filter((key) => key !== 7));
  const right = oracle(uneven, asked, "inner");
  const { rows, restarts } = await joined(uneven, asked, "inner");
  expect(rows).toEqual(right);
  expect(restarts).toBe(1);
  const edit = { "begins[part] = row;": "begins[part] = min(row + 1u, ranges_plan.rows);" };
  const faulty = withEdits(gpu(), "kernels/join/ranges.wgsl", edit);
  expect((await joined(uneven, asked, "inner", undefined, faulty)).rows).not.toEqual(right);
});

test.skipIf(spared)("so are they at once where bins for such rows cannot be bound", async () => {
  const small = Object.create(gpu(), { maxBinding: { value: 2 ** 20 } });
  const [same, asked] = [new Uint32Array(60_000).fill(7), Uint32Array.of(7, 8)];
  expect(await joined(same, asked, "semi", 64, small)).toEqual({ rows: ["0"], restarts: 0 });
});

test("results that the device does not bind are refused", async () => {
  const small = Object.create(gpu(), { maxBinding: { value: 2 ** 20 } });
  const one = new Uint32Array(600);
  await expect(joined(one, one, "inner", 64, small)).rejects.toThrow("360000 results of 2880000 bytes");
});

test.skipIf(spared).each([
  [
    "index",
    { "let count = atomicExchange(&words[slot], begin);": "let count = atomicExchange(&words[slot], part_begin);" },
  ],
  ["probe", { "slots[begin + slot + 1u].y - there.y": "min(5u, slots[begin + slot + 1u].y - there.y)" }],
  ["expand", { "begins[middle] <= result": "begins[middle] < result" }],
])("a fault in %s is found", async (file, edit) => {
  const faulty = withEdits(gpu(), `kernels/join/${file}.wgsl`, edit);
  const { rows } = await joined(build, probe, "inner", undefined, faulty);
  expect(rows).not.toEqual(oracle(build, probe, "inner"));
});
