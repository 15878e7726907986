import { existsSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { loadPlugins } from "../bench/plugins/plugins.js";
import { isForThread, MadeAhead } from "./ahead.js";
import type { KeySource } from "./dataset.js";
import { openDataset } from "./index.js";

/** The compiled one. */
const THREAD = new URL("../dist/datasets/ahead-thread.js", import.meta.url);
const N = 100_000;
const SEED = 3;
const ABSENT = 500;

async function read(source: KeySource) {
  const keys: number[] = [];
  for await (const chunk of source.chunks()) for (const key of chunk) keys.push(key);
  return { keys, unique: source.unique(), absent: [...(await source.absent(ABSENT))], note: source.note };
}

const wanted = (dataset: string) => ({ dataset, n: N, seed: SEED, absent: ABSENT });

test("the thread is built", () => {
  expect(existsSync(THREAD)).toBe(true);
});

test.each(["tw", "normal", "zipf:1", "lineitem", "reddit"])("%s by a thread is the data set", async (dataset) => {
  const opened = await openDataset(dataset, { n: N, seed: SEED });
  const ahead = new MadeAhead(1, 1, THREAD);
  ahead.begin([wanted(dataset)]);
  const source = ahead.take(wanted(dataset), opened);
  expect(source).not.toBe(opened);
  expect(await read(source)).toEqual(await read(opened));
});

test("a data set of a plug-in is made by a thread that has loaded the plug-in", async () => {
  const path = new URL("../bench/cli/e2e/fixtures/outside/outside.mjs", import.meta.url).pathname;
  await loadPlugins([path]);
  const opened = await openDataset("runs", { n: N, seed: SEED });
  const ahead = new MadeAhead(1, 1, THREAD);
  expect(await isForThread({ dataset: "runs", n: N, seed: SEED })).toBe(true);
  ahead.begin([wanted("runs")]);
  expect(await read(ahead.take(wanted("runs"), opened))).toEqual(await read(opened));
});

test("what was not begun, is small, or was taken before is the caller's own to make", async () => {
  const opened = await openDataset("tw", { n: N, seed: SEED });
  const ahead = new MadeAhead(1, N, THREAD);
  ahead.begin([wanted("com"), wanted("tw")]);
  expect(ahead.take(wanted("tw"), opened)).toBe(opened);
  expect(ahead.take({ ...wanted("com"), seed: 4 }, opened)).toBe(opened);
  const com = ahead.take(wanted("com"), await openDataset("com", { n: N, seed: SEED }));
  expect((await read(com)).keys).toHaveLength(N);
  expect(ahead.take(wanted("com"), opened)).toBe(opened);
  const small = new MadeAhead(1, N + 1, THREAD);
  small.begin([wanted("tw")]);
  expect(small.take(wanted("tw"), opened)).toBe(opened);
  expect(new MadeAhead(1, 1, new URL("./nothing.js", import.meta.url)).take(wanted("tw"), opened)).toBe(opened);
});

test("what a thread cannot make it says to who reads it", async () => {
  const opened = await openDataset("tw", { n: N, seed: SEED });
  const ahead = new MadeAhead(1, 1, THREAD);
  ahead.begin([wanted("nonsense")]);
  await expect(read(ahead.take(wanted("nonsense"), opened))).rejects.toThrow('unknown data set "nonsense"');
});

test("begun again after it was given up, it is whole", async () => {
  const opened = await openDataset("tw", { n: N, seed: SEED });
  for (const giveUp of [(ahead: MadeAhead) => ahead.keep([wanted("com")]), (ahead: MadeAhead) => ahead.pause()]) {
    const ahead = new MadeAhead(1, 1, THREAD);
    ahead.begin([wanted("tw")]);
    giveUp(ahead);
    expect(ahead.take(wanted("tw"), opened)).toBe(opened);
    ahead.begin([wanted("tw")]);
    expect((await read(ahead.take(wanted("tw"), opened))).keys).toHaveLength(N);
  }
});

test("what is worth a thread is lacking until one has made it", async () => {
  const ahead = new MadeAhead(1, 1000, THREAD);
  const set = { dataset: "tw", n: 3000, seed: 1 };
  expect(ahead.lacks(set)).toBe(true);
  expect(ahead.lacks({ ...set, n: 999 })).toBe(false);
  ahead.begin([{ ...set, absent: 10 }]);
  expect(ahead.lacks(set)).toBe(true);
  await expect.poll(() => ahead.lacks(set), { timeout: 60_000 }).toBe(false);
  expect(new MadeAhead(0, 1000, THREAD).lacks(set)).toBe(false);
});

test("what is wanted still is kept, and in a pause what is there", async () => {
  const opened = await openDataset("tw", { n: N, seed: SEED });
  const ahead = new MadeAhead(1, 1, THREAD);
  ahead.begin([wanted("tw")]);
  // A thread at a time: the second one begins once the first has ended.
  await vi.waitFor(() => {
    ahead.begin([wanted("com")]);
    ahead.keep([wanted("tw"), wanted("com")]);
    const com = ahead.take(wanted("com"), opened);
    expect(com).not.toBe(opened);
  }, 60_000);
  ahead.pause();
  expect(ahead.take(wanted("tw"), opened)).not.toBe(opened);
});

test("a thread makes what neither the device does nor asks a function for", async () => {
  const names = ["tw", "normal", "zipf:1", "random", "taobench", "zipf:x", "nonsense"];
  expect(await Promise.all(names.map((dataset) => isForThread({ dataset, n: N, seed: SEED })))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
