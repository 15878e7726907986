import { expect, test } from "vitest";
import { chainLimit, slotsFor } from "../../kernels/cuckoo/cuckoo.js";
import { UsageError } from "../../kernels/device/errors.js";
import { owned } from "../../kernels/device/owned.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu } from "../device/testing.js";
import { type BuildOptions, type Chains, makeChains } from "./restarts/chains.js";
import { cellOf, cellsOn, sampled } from "./testing.js";

const gpu = testGpu();
const cells = cellsOn(gpu);
const N = 10_000;
const cell = cellOf({ bench: "restarts", table: "cuckoo", n: N, seed: 1, params: { functions: 4, builds: 20 } });
const prepare = (change: Partial<CellSpec>) => cells.prepare({ ...cell, ...change });

/** A few samples of a cell, all verified, and its metrics. */
async function measured(change: Partial<CellSpec>): Promise<Record<string, { value: number; hi: number | null }>> {
  const prepared = await prepare(change);
  for (let run = 0; run < 3; run++) {
    await sampled(prepared, 1);
    expect(await prepared.verify()).toBe("");
  }
  return Object.fromEntries((await prepared.metrics(1)).map(({ metric, value, hi }) => [metric, { value, hi }]));
}

async function open(n: number, options: Partial<BuildOptions>): Promise<Chains> {
  const slots = slotsFor(n, 0.8);
  const keys = await cells.keys.get("random", n, 1);
  const usual = { slots, functions: 4, chain: chainLimit(n, 0.8, 1.03), seed: 1 };
  const builds = await owned(gpu(), (own) => makeChains(own, keys, { ...usual, ...options }));
  cells.keep(builds);
  await builds.clear();
  return builds;
}

/** What the build of that number comes to. */
async function built(builds: Chains, number: number) {
  expect(await builds.build(number)).toBeGreaterThan(0);
  return builds.last();
}

test("with four functions and 1.25n slots insertions take the iterations that theory says, half of them one or two", async () => {
  const metrics = await measured({});
  expect(metrics.builds?.value).toBe(20);
  expect(metrics.restart_share?.value).toBeLessThan(0.2);
  expect(metrics.restart_share?.hi).toBeGreaterThan(metrics.restart_share?.value ?? 1);
  // -ln(1 - load factor) / load factor (4.5.3).
  expect(metrics.probes?.value).toBeGreaterThan(1.9);
  expect(metrics.probes?.value).toBeLessThan(2.15);
  expect([1, 2]).toContain(metrics.median_probes?.value);
  expect(metrics.longest_probes?.value).toBeGreaterThan(5);
});

test("the histogram has every insertion once, and its sums are those of the report", async () => {
  const builds = await open(N, {});
  const { failed, lengths, iterations, longest } = await built(builds, 0);
  expect(failed).toBe(false);
  expect(lengths.reduce((sum, count) => sum + count, 0)).toBe(N);
  expect(lengths.length).toBe(64);
  expect(longest).toBeLessThan(64);
  expect(lengths.reduce((sum, count, i) => sum + count * (i + 1), 0)).toBe(iterations);
  expect(lengths.findLastIndex((count) => count > 0) + 1).toBe(longest);
});

test("more keys than slots always fail, and are missed", async () => {
  const builds = await open(N, { slots: N - 50 });
  for (let number = 0; number < 3; number++) {
    await builds.clear();
    expect((await built(builds, number)).failed).toBe(true);
    expect(await builds.missing()).toBeGreaterThanOrEqual(50);
  }
});

test("builds of one submission are those of their numbers, each of a cleared table", async () => {
  const builds = await open(N, {});
  const some = await builds.several(3, 100);
  expect(some.length).toBeLessThan(100);
  for (const [i, { failed, lengths }] of some.entries()) {
    await builds.clear();
    const alone = await built(builds, 3 + i);
    expect([failed, lengths.reduce((sum, count) => sum + count, 0)]).toEqual([alone.failed, N]);
    // Which of two lanes comes first differs from time to time, by a few insertions of thousands.
    expect(Math.abs((lengths[0] ?? 0) - (alone.lengths[0] ?? 0))).toBeLessThan(N / 100);
  }
  expect(await builds.several(0, 2)).toHaveLength(2);
});

test("builds of sequential keys take an iteration each by XOR, which keeps them apart, and more by multiplication", async () => {
  const probes = async (hash: string) =>
    (await measured({ dataset: "sequential", params: { functions: 4, builds: 20, hash } })).probes?.value ?? 0;
  expect(await probes("xor")).toBeLessThan(1.4);
  expect(await probes("multiply")).toBeGreaterThan(1.6);
});

test("a chain limit of one fails as soon as two keys meet", async () => {
  const builds = await open(N, { chain: 1 });
  const { failed, lengths } = await built(builds, 0);
  expect(failed).toBe(true);
  // Slots in use after one exchange each: 1.25 (1 - exp(-0.8)) a key.
  expect((lengths[0] ?? 0) / N).toBeCloseTo(1.25 * (1 - Math.exp(-0.8)), 1);
});

test("two of the chapter's functions seldom build a table of a power of two slots; five always do", async () => {
  const share = async (functions: number, n: number) =>
    (await measured({ n, loadFactor: 0.25, params: { functions, builds: 20 } })).restart_share?.value;
  expect(await share(2, 2 ** 14)).toBeGreaterThan(0.5);
  expect(await share(2, 2 ** 14 - 3)).toBeLessThan(0.3);
  expect(await share(5, 2 ** 14)).toBe(0);
});

test.each([
  [2, 2, 2.3],
  [3, 1.08, 1.2],
  [4, 1.02, 1.1],
  [5, 1, 1.07],
])("the smallest space of %d functions lies a little above its threshold", async (functions, from, to) => {
  const metrics = await measured({ n: 2000, loadFactor: null, params: { functions, builds: 10 } });
  expect(metrics.smallest_space?.value).toBeGreaterThan(from);
  expect(metrics.smallest_space?.value).toBeLessThan(to);
  expect(metrics.restart_share).toBeUndefined();
});

test("builds draw functions of their own, and a number always the same ones", async () => {
  const builds = await open(N, {});
  const seen: string[] = [];
  for (const number of [0, 1, 2, 3, 0]) {
    await builds.clear();
    // Serial insertion would give equal histograms; concurrent insertion gives nearly equal ones.
    seen.push(String((await built(builds, number)).lengths[0]));
  }
  expect(new Set(seen.slice(0, 4)).size).toBeGreaterThan(2);
});

test("functions that cuckoo has not, and keys that come twice, are bad usage", async () => {
  await expect(prepare({ params: { functions: 6, builds: 1 } })).rejects.toBeInstanceOf(UsageError);
  await expect(prepare({ dataset: "zipf:1" })).rejects.toThrow("takes every key once");
});
