/** The library in a page, as it was built. */
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openBrowser } from "../../../reports/report/testing.js";
import type * as library from "../index.js";

const { serve } = (await import(/* @vite-ignore */ join(import.meta.dirname, "voxels", "serve.mjs"))) as {
  serve(): Promise<{ url: string; close(): void }>;
};

let opened: Awaited<ReturnType<typeof openBrowser>>;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;
/** What the page said on its console, or threw. */
const said: string[] = [];

beforeAll(async () => {
  opened = await openBrowser("swiftshader");
  server = await serve();
});
afterAll(async () => {
  server.close();
  if (typeof opened !== "string") await opened.close();
});
beforeEach(async ({ skip }) => {
  if (typeof opened === "string") return skip(opened);
  said.length = 0;
  page = await opened.browser.newPage();
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400 && !response.url().endsWith("favicon.ico")) said.push(response.url());
  });
});

/** A page of the same origin that does nothing. */
const idle = () => new URL("/dist/kernels/library/index.js", server.url).href;

/** Of Chromium, of icons and adapters; none of them is the page's. */
const isChromiums = (line: string) => /favicon|powerPreference|status of 404/.test(line);

test("the voxels of the example are as many as a Set has", async () => {
  await page.goto(server.url);
  await page.waitForFunction("document.body.dataset.voxels");
  const voxels = new Set<number>();
  for (let i = 0; i < 200_000; i++) {
    const random = (salt: number) => (Math.imul(i ^ salt, 0x9e3779b1) >>> 9) / 2 ** 23;
    const [x, y] = [random(0x2545) * 128, random(0x7f4a) * 128];
    const z = 40 + 24 * Math.sin(x / 13) * Math.cos(y / 17) + 2 * random(0x1234);
    voxels.add((Math.floor(z) << 20) | (Math.floor(y) << 10) | Math.floor(x));
  }
  expect(voxels.size).toBeGreaterThan(10_000);
  expect(await page.textContent("#said")).toBe(`200000 points in ${voxels.size} voxels`);
  expect(said.filter((line) => !isChromiums(line))).toEqual([]);
});

test("the eight applications run in a page, in one file as a bundler writes them", async () => {
  const { outputFiles = [] } = await build({
    entryPoints: [join(import.meta.dirname, "applications.mjs")],
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    globalName: "all",
    external: ["webgpu"],
  });
  await page.goto(idle());
  await page.addScriptTag({ content: outputFiles[0]!.text });
  const done = await page.evaluate(`(async () => {
    const device = await (await navigator.gpu.requestAdapter()).requestDevice();
    const done = [];
    // Of the cache; others take no number.
    const rounds = 500;
    for (const [name, run] of Object.entries(all.applications)) done.push(name + ": " + await run(device, rounds));
    return done;
  })()`);
  expect(done).toEqual([
    expect.stringContaining("visited-states: 181440 positions"),
    expect.stringContaining("voxel-hash: 200000 points in 50751 voxels"),
    "mesh: 20000 triangles of 10201 vertices",
    expect.stringContaining("cache: 500 rounds: 1024 pairs"),
    expect.stringContaining("join: 19597 pairs"),
    "group-by: 100000 sales of 3000 products",
    expect.stringContaining("join-rows: 36073 results"),
    "typegpu: 20000 points in 6823 cells",
  ]);
  expect(said.filter((line) => !isChromiums(line))).toEqual([]);
});

test("a million random operations in a page leave what they leave in a Map", async () => {
  await page.goto(idle());
  const wrong = await page.evaluate(async () => {
    // The test runner would make a function of its own of an import.
    const load = new Function("return import('/dist/kernels/library/index.js')") as () => Promise<typeof library>;
    const { createTable, EMPTY } = await load();
    const { gpu } = (globalThis as unknown as { navigator: { gpu: GPU } }).navigator;
    const device = await (await gpu.requestAdapter())!.requestDevice();
    const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const N = 25_000;
    const make = (usage: number) => device.createBuffer({ size: 4 * N, usage });
    const [keys, values, results] = [0, 1, 2].map(() => make(STORAGE | COPY_SRC | COPY_DST)) as [
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
    ];
    const readback = make(COPY_DST | MAP_READ);
    const table = await createTable(device, "quotient", { capacity: 100_000, seed: 1 });
    const oracle = new Map<number, number>();
    let state = 1;
    const draw = (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const distinct = () => {
      const drawn = new Set<number>();
      while (drawn.size < N) drawn.add(Math.imul(draw(100_000), 0x9e3779b1) >>> 0);
      return Uint32Array.from(drawn);
    };
    let wrong = 0;
    for (let operations = 0; operations < 1_000_000; operations += 4 * N) {
      const inserted = distinct();
      const own = inserted.map((key) => (key ^ operations) >>> 1);
      device.queue.writeBuffer(keys, 0, inserted);
      device.queue.writeBuffer(values, 0, own);
      wrong += (await table.insert({ keys, values, n: N })).refused;
      for (const [i, key] of inserted.entries()) oracle.set(key, own[i]!);
      const erased = distinct();
      device.queue.writeBuffer(keys, 0, erased);
      const expected = erased.filter((key) => oracle.delete(key)).length;
      if ((await table.erase({ keys, n: N })).erased !== expected) wrong++;
      for (let search = 0; search < 2; search++) {
        const asked = distinct();
        device.queue.writeBuffer(keys, 0, asked);
        const encoder = device.createCommandEncoder();
        table.encodeFind(encoder, { keys, results, n: N });
        encoder.copyBufferToBuffer(results, 0, readback, 0, 4 * N);
        device.queue.submit([encoder.finish()]);
        await readback.mapAsync(GPUMapMode.READ);
        const found = new Uint32Array(readback.getMappedRange());
        for (const [i, key] of asked.entries()) if (found[i] !== (oracle.get(key) ?? EMPTY)) wrong++;
        readback.unmap();
      }
    }
    table.destroy();
    return wrong;
  });
  expect(wrong).toBe(0);
  expect(said.filter((line) => !isChromiums(line))).toEqual([]);
});
