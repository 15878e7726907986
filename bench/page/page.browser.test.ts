/** The built page in a real Chromium, which measures on SwiftShader. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { openBrowser } from "../../reports/report/testing.js";
import { packageRoot } from "../base/paths.js";
import { experiments } from "../experiments/index.js";
import { csvText, header } from "../results/csv.js";
import { adapterName } from "../results/device-name.js";
import { rowKey } from "../results/key.js";
import { readResults } from "../results/read.js";
import type { ResultRow } from "../results/record.js";
import { serve } from "./server.js";
import { PAGE_FOLDER, publishedFiles } from "./site.js";

const INSPECT = join(packageRoot, "reports", "report", "client", "test", "inspect.js");
/** A figure of each paper, with tables that SwiftShader is done with soon. */
const FIGURES = ["cuckoo/fig4.4-retrieve", "stadium/table1", "slab/fig5b", "dycuckoo/fig9", "gph/fig11a"];
const TABLES = ["cuckoo", "stash"];
const ALL = `experiments=${FIGURES}&tables=${TABLES}&n=1024&seed=7&timeout=60`;
/** Four cells. */
const FEW = "experiments=stadium/table1&tables=stash&n=1024&quick&seed=7&timeout=60";

const opened = await openBrowser("swiftshader");
if (typeof opened === "string") {
  if (process.env.HASHBENCH_REQUIRE_ADAPTERS === "1") throw new Error(opened);
  console.warn(`browser tests skipped: ${opened}`);
}
const out = mkdtempSync(join(tmpdir(), "hashbench-page-"));
const made = publishedFiles(experiments, { report: "report/report.html", docs: "docs/index.html" });
const server = await serve({ folder: PAGE_FOLDER, made }, 0);
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.close();
  rmSync(out, { recursive: true, force: true });
  if (typeof opened !== "string") await opened.close();
});

interface Visit {
  readonly options?: BrowserContextOptions;
  /** Runs in the page's worker before its own code. */
  readonly planted?: string;
  /** Answers in place of the server's, by path. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** Beside other tests Chromium's first adapter has taken over half a minute. */
const PATIENCE_MS = 100_000;

/** Opens the page with a choice, hands it to `look`; it may not complain. */
async function visit(
  hash: string,
  { options, planted = "", answers = {} }: Visit,
  look: (page: Page) => Promise<void>,
) {
  if (typeof opened === "string") throw new Error(opened);
  const context = await opened.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.addInitScript({ path: INSPECT });
  await page.route("**/worker.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${planted};\n${await response.text()}` });
  });
  for (const [path, body] of Object.entries(answers))
    await page.route(`**/${path}`, (route) => route.fulfill({ body }));
  try {
    await page.goto(`${origin}/#${hash}`);
    await look(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

const ended = (page: Page) => page.locator("body[data-ended]").waitFor({ state: "attached" });
const statuses = (page: Page) =>
  page.locator("#cells tbody tr").evaluateAll((rows) => rows.map((row) => row.dataset.status));

async function run(page: Page): Promise<void> {
  await page.locator("#run:enabled").click();
}

/** Unpacks what the page's button gives; the results folder. */
async function downloaded(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#download").click()]);
  const entries = Object.entries(unzipSync(readFileSync(await file.path())));
  for (const [path, bytes] of entries) {
    const target = join(out, name, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, strFromU8(bytes));
  }
  return join(out, name, entries[0]?.[0].split("/")[0] ?? "");
}

function hashbench(...words: string[]): void {
  execFileSync(process.execPath, [join(packageRoot, "dist", "bench", "cli", "main.js"), ...words], { stdio: "pipe" });
}

/** What two runs of one seed have in common: how each cell ended, and on which data. */
const byCell = (rows: readonly ResultRow[]) =>
  new Map(rows.map((row) => [rowKey(row), `${row.status} ${row.reason} ${row.data_hash}`]));

/** In the first phase after a worker's first result. */
const AFTER_RESULT = (what: string) => `
const post = self.postMessage.bind(self);
let results = 0;
self.postMessage = (message) => {
  post(message);
  if (message.type === "result") results += 1;
  if (message.type === "phase" && results === 1) { results += 1; ${what} }
};`;

/** Says on the console when the worker has measured all that it was given. */
const MEASURED = "all of them measured";
const SAYS_MEASURED = `
const post = self.postMessage.bind(self);
self.postMessage = (message) => {
  post(message);
  if (message.type === "done") console.info("${MEASURED}");
};`;

/** Keeps the worker's thread for so long, and no core: a browser gives shared memory to such a page as WebAssembly's alone. */
const BLOCKED = (ms: number) => `
const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
Atomics.wait(new Int32Array(buffer), 0, 0, ${ms});`;

/** WebGPU's default limits and no optional feature but the clock, as phones have: the adapter offers no more, so no device has more. */
const SMALL_DEVICE = `
const offered = { maxStorageBuffersPerShaderStage: 8, maxStorageBuffersInVertexStage: 8, maxStorageBuffersInFragmentStage: 8,
  maxStorageBufferBindingSize: 2 ** 27, maxBufferSize: 2 ** 28,
  maxComputeWorkgroupStorageSize: 16384, maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupSizeX: 256 };
const of = (name) => Object.getOwnPropertyDescriptor(GPUAdapter.prototype, name).get;
const limits = of("limits");
const features = of("features");
Object.defineProperty(GPUAdapter.prototype, "limits", {
  get() {
    const all = {};
    for (const name in limits.call(this)) all[name] = limits.call(this)[name];
    return { ...all, ...offered };
  },
});
Object.defineProperty(GPUAdapter.prototype, "features", {
  get() { return new Set([...features.call(this)].filter((feature) => feature === "timestamp-query")); },
});`;

const BINDING = 2 ** 16;
/** The device says that bindings have at most so many bytes, and refuses larger ones. */
const SMALL_BINDINGS = `
const { get } = Object.getOwnPropertyDescriptor(GPUDevice.prototype, "limits");
Object.defineProperty(GPUDevice.prototype, "limits", {
  get() {
    const all = {};
    for (const name in get.call(this)) all[name] = get.call(this)[name];
    return { ...all, maxStorageBufferBindingSize: ${BINDING} };
  },
});
const { createBindGroup } = GPUDevice.prototype;
GPUDevice.prototype.createBindGroup = function (group) {
  for (const { resource } of group.entries) {
    const { buffer = resource, offset = 0, size = buffer.size - offset } = resource;
    if (size > ${BINDING}) throw new Error("a binding of " + size + " bytes");
  }
  return createBindGroup.call(this, group);
};`;

/** Rounds what queries are resolved to, wherever it is copied, down to ticks of so many nanoseconds. */
const coarse = (ns: number) => `
const stamps = new Map();
const { resolveQuerySet, copyBufferToBuffer } = GPUCommandEncoder.prototype;
GPUCommandEncoder.prototype.resolveQuerySet = function (set, first, count, buffer, offset) {
  stamps.set(buffer, count);
  return resolveQuerySet.call(this, set, first, count, buffer, offset);
};
GPUCommandEncoder.prototype.copyBufferToBuffer = function (from, at, to, ...more) {
  if (stamps.has(from)) stamps.set(to, stamps.get(from));
  return copyBufferToBuffer.call(this, from, at, to, ...more);
};
const { getMappedRange } = GPUBuffer.prototype;
GPUBuffer.prototype.getMappedRange = function (...words) {
  const bytes = getMappedRange.apply(this, words);
  const found = new BigUint64Array(bytes, 0, stamps.get(this) ?? 0);
  found.forEach((stamp, i) => { found[i] = stamp - (stamp % ${ns}n); });
  return bytes;
};`;

describe.skipIf(typeof opened === "string")("the page in Chromium", () => {
  test("a figure of each paper is verified, drawn, downloaded, and reported beside Node's with the same data", async () => {
    await visit(ALL, {}, async (page) => {
      await page.locator("#adapter", { hasText: "swiftshader" }).waitFor();
      await run(page);
      await ended(page);
      const cells = await statuses(page);
      expect(cells.length).toBeGreaterThan(FIGURES.length);
      expect(cells.filter((status) => status === "ok").length).toBeGreaterThan(10);
      for (const id of FIGURES)
        expect(
          await page
            .locator(`[data-experiment="${id}"] svg .mark-symbol path, [data-experiment="${id}"] svg .mark-rect path`)
            .count(),
          id,
        ).toBeGreaterThan(0);
      // Rates of a software adapter rank a CPU's work.
      expect(await page.locator('[data-experiment="cuckoo/fig4.4-retrieve"] figcaption').textContent()).toMatch(
        /^Fewest transactions per operation – .*: (Cuckoo|Stadium|Stash)/i,
      );
      const folder = await downloaded(page, "all");
      const node = join(out, "node");
      const size = ["--tables", TABLES.join(), "--n", "1024", "--seed", "7", "--max-noise", "0.9"];
      hashbench("run", ...FIGURES, ...size, "--device", "software", "--no-plots", "--out", node);
      const ours = await readResults(folder);
      const theirs = await readResults(node);
      // The command measures tables that it is asked for in every figure, declared there or not.
      const known = byCell(theirs);
      for (const [cell, ended] of byCell(ours)) expect(known.get(cell), cell).toBe(ended);
      expect(new Set(ours.map((row) => row.dawn))).toEqual(new Set([expect.stringMatching(/Chrome\/\d+/)]));
      hashbench("merge", folder, node, "--out", join(out, "merged"));
      hashbench("report", join(out, "merged"), "--out", join(out, "report"));
      const report = readFileSync(join(out, "report", "report.html"), "utf8");
      for (const { device } of [...ours.slice(0, 1), ...theirs.slice(0, 1)])
        expect(report).toContain(adapterName(device));
    });
  });

  test("a run that is stopped keeps its rows, and goes on where it ended", async () => {
    await visit(FEW, { planted: AFTER_RESULT(BLOCKED(6000)) }, async (page) => {
      const focused = () => page.evaluate("document.activeElement.id");
      await page.locator("#run:enabled").press("Enter");
      expect(await focused()).toBe("stop");
      await page.locator("#cells tbody tr").first().waitFor();
      await page.keyboard.press("Enter");
      await ended(page);
      expect(await focused()).toBe("run");
      expect(await page.textContent("#working")).toMatch(/^Stopped: [1-3] of 4 cells/);
      const before = (await statuses(page)).length;
      expect(before).toBeGreaterThan(0);
      await page.evaluate("delete document.body.dataset.ended");
      expect(await page.textContent("#run")).toBe("Continue");
      await run(page);
      await ended(page);
      expect(await page.textContent("#working")).toContain(`Done: ${4 - before} of ${4 - before}`);
      expect(await statuses(page)).toEqual(Array(4).fill("ok"));
    });
  });

  test("what hangs costs its cell, and what is finished stays", async () => {
    const planted = AFTER_RESULT(BLOCKED(100_000));
    await visit(FEW.replace("timeout=60", "timeout=15"), { planted }, async (page) => {
      await run(page);
      await ended(page);
      const all = await statuses(page);
      expect(all).toHaveLength(4);
      expect(all).toContain("ok");
      expect(all).toContain("timeout");
      expect(await page.locator("#cells tr[data-status=timeout]").first().textContent()).toContain(
        "no progress for 15 s",
      );
    });
  });

  test("a lost device costs its cell, and the others are measured on the next one", async () => {
    const planted = `
const open = GPUAdapter.prototype.requestDevice;
let lose;
GPUAdapter.prototype.requestDevice = async function (...words) {
  const device = await open.apply(this, words);
  Object.defineProperty(device, "lost", { value: new Promise((resolve) => { lose = resolve; }) });
  return device;
};
${AFTER_RESULT('lose({ reason: "unknown", message: "the driver was reset" });')}`;
    await visit(FEW, { planted }, async (page) => {
      await run(page);
      await ended(page);
      const all = await statuses(page);
      expect(all).toHaveLength(4);
      expect(all).toContain("ok");
      expect(await page.locator("#cells tr[data-status=crash]").first().textContent()).toContain(
        "device lost: the driver was reset",
      );
    });
  });

  test("without timestamps the wall clock serves, and the rows say so", async () => {
    const planted = `
const { get } = Object.getOwnPropertyDescriptor(GPUAdapter.prototype, "features");
Object.defineProperty(GPUAdapter.prototype, "features", {
  get() { return new Set([...get.call(this)].filter((feature) => feature !== "timestamp-query")); },
});`;
    await visit(FEW, { planted }, async (page) => {
      await page.locator("#adapter", { hasText: "wall clock" }).waitFor();
      await run(page);
      await ended(page);
      const rows = await readResults(await downloaded(page, "wall"));
      expect(new Set(rows.map(({ toggles }) => toggles))).toEqual(new Set(["clock=wall"]));
      const told = rows.filter(({ status, reason }) => status === "ok" || /ticks of this clock/.test(reason));
      expect(told).toEqual(rows);
    });
  });

  test("a device with WebGPU's default limits and without subgroups measures, and says what it lacks", async () => {
    const choice = FEW.replace("table1", "table1,dycuckoo/fig8").replace("tables=stash", "tables=stash,dycuckoo");
    await visit(choice, { planted: SMALL_DEVICE }, async (page) => {
      await page.locator("#adapter", { hasText: "no subgroups" }).waitFor();
      const limits = await page.locator("#details dl").textContent();
      for (const limit of ["StorageBuffersPerShaderStage8", "StorageBufferBindingSize134,217,728"])
        expect(limits).toContain(`max${limit}`);
      await run(page);
      await ended(page);
      const rows = await readResults(await downloaded(page, "small"));
      const said = new Set(rows.map(({ table, status, reason }) => `${table} ${status} ${reason}`));
      expect(said).toEqual(
        new Set([
          "stash ok ",
          expect.stringMatching(
            /^dycuckoo skipped dycuckoo with .*resize.*: insert needs 9 storage buffers; this device has 8$/,
          ),
        ]),
      );
    });
  });

  test("tables larger than a binding lie in several", async () => {
    const choice = "experiments=tables/load-factor&tables=bucketed&n=8192&quick&seed=7&timeout=60";
    await visit(choice, { planted: SMALL_BINDINGS }, async (page) => {
      await run(page);
      await ended(page);
      const rows = await readResults(await downloaded(page, "bindings"));
      expect(rows.filter(({ status }) => status !== "ok")).toEqual([]);
      const bytes = rows.filter(({ metric }) => metric === "table_bytes").map(({ value }) => value ?? 0);
      expect(Math.max(...bytes)).toBeGreaterThan(BINDING);
    });
  });

  test("timestamps in steps of 100 µs: cells take long enough for them, or are skipped with that reason", async () => {
    const choice = FEW.replace("stadium", "cuckoo/fig4.4-retrieve,stadium").replace("stash", "cuckoo,stash");
    await visit(choice, { planted: coarse(100_000) }, async (page) => {
      await page.locator("#adapter", { hasText: "timestamps in steps of 100 µs" }).waitFor();
      await run(page);
      await ended(page);
      const rows = await readResults(await downloaded(page, "coarse"));
      expect(new Set(rows.map(({ toggles }) => toggles))).toEqual(new Set(["clock=timestamps/100000ns"]));
      const skipped = rows.filter(({ status }) => status === "skipped");
      expect(new Set(skipped.map(({ table, op }) => `${table} ${op}`))).toContain("stash insert");
      for (const { reason } of skipped) expect(reason).toMatch(/ticks of this clock \(100 µs\), 20 are needed/);
      const times = rows.filter(({ metric, status }) => metric === "time" && status === "ok");
      expect(times.length).toBeGreaterThan(0);
      for (const { value, repetitions } of times) expect((value ?? 0) * repetitions).toBeGreaterThan(20 * 100_000);
    });
  });

  test.each([
    ["no WebGPU", 'Object.defineProperty(navigator, "gpu", { value: undefined });', /this browser has no WebGPU/],
    ["no adapter", "navigator.gpu.requestAdapter = async () => null;", /offers no adapter/],
    ["no script", 'throw new Error("planted");', /planted/],
  ])("%s is one message, and nothing can be run", async (_, planted, says) => {
    if (typeof opened === "string") return;
    const context = await opened.browser.newContext();
    const page = await context.newPage();
    await page.route("**/worker.js", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `${planted};\n${await response.text()}` });
    });
    await page.goto(origin);
    expect(await page.locator("#messages p").textContent()).toMatch(says);
    expect(await page.locator("#choice").isVisible()).toBe(false);
    expect(await page.locator("#help").textContent()).toContain("chrome://gpu");
    await context.close();
  });

  test("what was measured while the tab was in the background is measured again", async () => {
    const hide = (page: Page, hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));`);
    await visit(FEW, { planted: SAYS_MEASURED }, async (page) => {
      await page.locator("#run:enabled").waitFor();
      const measured = page.waitForEvent("console", (said) => said.text() === MEASURED);
      await run(page);
      await page.locator("#working", { hasText: /stash/ }).waitFor();
      await hide(page, true);
      await page.locator("#notes li", { hasText: "in the background" }).waitFor();
      await measured;
      expect(await page.getAttribute("body", "data-ended")).toBeNull();
      await hide(page, false);
      await ended(page);
      expect(await statuses(page)).toEqual(Array(4).fill("ok"));
    });
  });

  test("a link holds the choice, and what it says wrongly is told", async () => {
    await visit("experiments=slab/fig4a,slab/fig4&tables=cuckoo&n=4096&seed=x&timeout=5", {}, async (page) => {
      await page.locator("#run:enabled").waitFor();
      const said = (await page.locator("#messages p").allTextContents()).join("\n");
      expect(said).toContain('experiments "slab/fig4"');
      expect(said).toContain("seed=x");
      await page.locator("#experiments summary").click();
      await page.locator("#search").fill("slab flush");
      const shown = page.locator("#experiments label.check:visible");
      expect(await shown.count()).toBeLessThan(5);
      for (const text of await shown.allTextContents()) expect(text).toMatch(/flush/i);
      await page.locator("#search").press("Enter");
      expect(await page.locator("#stop").isVisible()).toBe(false);
      await page.locator("input[name=timeout]").fill("9");
      await page.waitForFunction('location.hash === "#experiments=slab/fig4a&tables=cuckoo&n=4096&seed=1&timeout=9"');
      await page.evaluate('location.hash = "experiments=slab/fig4a&seed=3"');
      await page.waitForFunction("document.forms[0].elements.seed.value === '3'");
      expect(await page.locator("#messages p").count()).toBe(0);
    });
  });

  test("hostile rows of published results stay texts", async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const [row] = await readResults(join(packageRoot, "results", "nvidia-h200", "cuckoo", "fig4.4-retrieve.csv"));
    if (!row) throw new Error("no rows");
    const rows = [1e6, 2e6].map((n) => ({
      ...row,
      device: hostile,
      table: "stash",
      variant: hostile,
      dataset: hostile,
      n,
      metric: "mops",
      experiment: "stadium/table1",
    }));
    const answers = {
      "published/index.json": JSON.stringify({ devices: { [hostile]: ["stadium/table1"] }, report: "report/" }),
      "published/**/table1.csv": header() + csvText(rows),
    };
    await visit(FEW, { answers }, async (page) => {
      await run(page);
      await ended(page);
      await page.locator("#published").selectOption(hostile);
      await page.locator(".plot svg", { hasText: "onerror" }).waitFor();
      expect(await page.locator("img, script:not([src])").count()).toBe(0);
      expect(await page.title()).toBe("hashbench in this browser");
    });
  });

  describe("for its readers", () => {
    test("published devices are drawn beside", async () => {
      await visit(FEW, {}, async (page) => {
        await run(page);
        await ended(page);
        await page.locator("#published").selectOption("nvidia-h200");
        await page.locator(".plot svg", { hasText: "H200" }).waitFor();
        expect(await page.locator(".plot svg").count()).toBe(1);
        const nameless = "svg [role=graphics-symbol]:not([aria-label], [aria-hidden])";
        expect(await page.locator(nameless).count()).toBe(0);
        expect(
          await page.locator("#pages a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
        ).toEqual(["report/report.html", "docs/index.html"]);
        for (const fault of ["namelessControls", "repeatedIds", "skippedLevels"])
          expect(await page.evaluate(`inspect.${fault}()`), fault).toEqual([]);
        expect(await page.evaluate("inspect.faintTexts()"), "light").toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        expect(await page.evaluate("inspect.faintTexts()"), "dark").toEqual([]);
        await page.setViewportSize({ width: 400, height: 800 });
        await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(400);
        const warned = page.waitForEvent("dialog");
        await page.close({ runBeforeUnload: true });
        const dialog = await warned;
        expect(dialog.type()).toBe("beforeunload");
        await dialog.dismiss();
      });
    });
  });
});
