/** The page in a real Chromium, opened as a file without a network. */

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withPowers } from "../../bench/base/format.js";
import { packageRoot } from "../../bench/base/paths.js";
import { isPapers } from "../../bench/claims/claim.js";
import { claims, experiments, headlines } from "../../bench/experiments/index.js";
import { scorecard } from "../../bench/experiments/scorecard.js";
import { parseRows } from "../../bench/results/csv.js";
import { readResults } from "../../bench/results/read.js";
import type { ResultRow } from "../../bench/results/record.js";
import { buildReport } from "./contents.js";
import { readHosts } from "./hosts.js";
import { reportPage } from "./page.js";
import { writeReport } from "./report.js";
import { openBrowser } from "./testing.js";

/** Functions that the tests call in the page. */
const INSPECT = join(packageRoot, "reports", "report", "client", "test", "inspect.js");
const BACKGROUND = "getComputedStyle(document.body).backgroundColor";
const RESULTS = join(packageRoot, "results", "nvidia-h200");

const opened = await openBrowser();
if (typeof opened === "string") {
  if (process.env.HASHBENCH_REQUIRE_ADAPTERS === "1") throw new Error(opened);
  console.warn(`browser tests skipped: ${opened}`);
}
const rows = await readResults(RESULTS);
const scores = scorecard(claims, rows);

/** What the report of two devices is of: figures of every form, and claims of every verdict. */
const NOT_RUN = scores.find(({ verdict }) => verdict === "not run")?.claim.experiment ?? "";
const FORMS = new Set([
  NOT_RUN,
  ...["device/limits", "cuckoo/fig4.4-insert", "cuckoo/fig4.7-strided", "cuckoo/restarts", "gph/fig10"],
  ...["stadium/fig13", "stadium/fig17a", "stadium/fig19a", "stadium/table1"],
]);
const formClaims = claims.filter(({ experiment }) => FORMS.has(experiment));
const formRows = rows.filter(({ experiment }) => FORMS.has(experiment));
/** As of a second device that is slower and whose cuckoo table failed. */
const others = formRows.map((row): ResultRow => {
  const scaled = {
    value: row.value === null ? null : row.value / 40,
    lo: row.lo && row.lo / 41,
    hi: row.hi && row.hi / 39,
  };
  const other = { ...row, device: "llvmpipe (test)", driver: "Mesa", ...(row.metric === "mops" ? scaled : {}) };
  const failed = row.table === "cuckoo" && row.n > 1e8 && row.metric === "mops";
  return failed ? { ...other, value: null, lo: null, hi: null, status: "timeout", reason: "no answer in 60 s" } : other;
});

let out = "";
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "hashbench-report-"));
  const hosts = new Map(readHosts(RESULTS));
  const one = reportPage(buildReport({ experiments, claims, headlines, scorecard, rows, hosts }));
  await mkdir(join(out, "one"));
  await writeFile(join(out, "one", "report.html"), one);
  const readRows = async () => [...formRows, ...others];
  await writeReport(
    { from: [RESULTS], out: join(out, "two"), formats: ["html"] },
    { experiments, claims: formClaims, headlines, scorecard, readRows },
  );
});
afterAll(async () => {
  if (typeof opened !== "string") await opened.close();
  await rm(out, { recursive: true, force: true });
});

/** What a page did that it should not. */
type Visited = { readonly page: Page; readonly complaints: readonly string[]; readonly requests: readonly string[] };

/** Opens a report with the network cut, hands it to `visit`, and closes it. */
async function visit(name: "one" | "two", options: BrowserContextOptions, look: (v: Visited) => Promise<void>) {
  if (typeof opened === "string") throw new Error(opened);
  const context = await opened.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints: string[] = [];
  const requests: string[] = [];
  const address = pathToFileURL(join(out, name, "report.html")).href;
  await context.route("**/*", (route) => {
    if (route.request().url().split("#", 1)[0] === address) return route.continue();
    requests.push(route.request().url());
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.addInitScript({ path: INSPECT });
  try {
    await page.goto(address);
    await page.evaluate("document.querySelectorAll('details.figures').forEach((d) => { d.open = true; })");
    await look({ page, complaints, requests });
  } finally {
    await context.close();
  }
}

/** The figure's plots, once they are live. */
async function live(page: Page, experiment: string) {
  const figure = page.locator(`[data-experiment="${experiment}"]`);
  await figure.scrollIntoViewIfNeeded();
  await figure.locator(".plot[data-live] svg").first().waitFor();
  return figure;
}

/** Of each so many figures one. */
async function allLive(page: Page, each = 1): Promise<void> {
  // The elements themselves: what is visible, and so the number of a box, may change while others are drawn.
  for (const [i, box] of (await page.locator(".device:visible").elementHandles()).entries()) {
    if (i % each > 0) continue;
    await box.scrollIntoViewIfNeeded();
    await box.waitForSelector(".plot[data-live]", { state: "attached" });
  }
}

describe.skipIf(typeof opened === "string")("the report in Chromium", () => {
  for (const name of ["one", "two"] as const) {
    /** Of one device the phone's page below may not complain either. */
    test.runIf(name === "two")(
      `makes no request and no complaint, also when every figure is live (${name})`,
      async () => {
        await visit(name, {}, async ({ page, complaints, requests }) => {
          for (const view of ["", "rates", "shares"]) {
            if (view !== "") await page.locator("[name=view]").selectOption(view);
            await allLive(page);
          }
          expect(complaints).toEqual([]);
          expect(requests).toEqual([]);
        });
      },
    );

    test(`fits a phone without scrolling sideways or complaining, live figures and open lines included (${name})`, async () => {
      await visit(name, { viewport: { width: 360, height: 780 } }, async ({ page, complaints, requests }) => {
        // The other report has figures of every form; the pictures of all are there before.
        await allLive(page, name === "one" ? 4 : 1);
        await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
        await page.locator(".claim:has(.badge:not(.not-run)) .disclose").first().click();
        await page.locator(".rows table").first().waitFor();
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
        // Names of limits stand along their lines, not all at one edge of the panels.
        const names =
          "[...document.querySelectorAll('.plot text')].filter((one) => one.textContent.startsWith('limit'))";
        const across = await page.evaluate(
          `${names}.map((one) => parseFloat(one.getAttribute("transform").slice(10)))`,
        );
        expect(Math.max(...(across as number[]))).toBeGreaterThan(20);
        expect(await page.evaluate("inspect.namesOverNames()")).toEqual([]);
        // Lines of the tables that everyone reads are cards: nothing of them is out of sight.
        const cut = "(box) => box.querySelector(':scope > .stack') && box.scrollWidth > box.clientWidth";
        expect(await page.evaluate(`[...document.querySelectorAll(".scroll")].filter(${cut}).length`)).toBe(0);
        // The reason is as wide as its claim.
        const reason = page.locator(".more:visible td p").first();
        expect((await reason.boundingBox())?.width).toBeGreaterThan(200);
        expect(complaints).toEqual([]);
        expect(requests).toEqual([]);
      });
    });

    // A page that is loaded anew in each would take twice as long; a scheme that does not come is seen by the background.
    test(`has names for controls, headings and landmarks in order, and contrasts of 4.5:1 in light and dark (${name})`, async () => {
      await visit(name, { colorScheme: "light" }, async ({ page }) => {
        for (const fault of ["namelessControls", "repeatedIds", "skippedLevels"]) {
          expect(await page.evaluate(`inspect.${fault}()`), fault).toEqual([]);
        }
        expect(await page.locator("header, nav, main, footer").count()).toBeGreaterThanOrEqual(4);
        expect(await page.getAttribute("html", "lang")).toBe("en");
        await page.locator(".claim:has(.badge:not(.not-run)) .disclose").first().click();
        await page.locator(".rows table").first().waitFor();
        await live(page, "gph/fig10");
        const ink = () => page.evaluate(`getComputedStyle(document.querySelector(".plot[data-live] svg text")).fill`);
        const [light, lightInk] = [await page.evaluate(BACKGROUND), await ink()];
        expect(await page.evaluate("inspect.faintTexts()"), "light").toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        await expect.poll(ink).not.toBe(lightInk);
        expect(await page.evaluate(BACKGROUND)).not.toBe(light);
        expect(await page.evaluate("inspect.faintTexts()"), "dark").toEqual([]);
      });
    });
  }

  test("the report of two devices has claims of every verdict that the other has", () => {
    const shown = scores.filter(({ claim }) => FORMS.has(claim.experiment));
    expect(new Set(shown.map((s) => s.verdict))).toEqual(new Set(scores.map((s) => s.verdict)));
  });

  test("the scorecard is filtered, a claim's table has the rows of the raw data, and every line opens by keyboard", async () => {
    await visit("one", {}, async ({ page, complaints }) => {
      const shown = page.locator("tr.claim:visible");
      for (const verdict of ["not run", "not comparable"]) {
        await page.locator(`[data-verdict="${verdict}"]`).press("Enter");
        const expected = scores.filter((s) => s.verdict === verdict).length;
        expect(await shown.count()).toBe(expected);
        expect(await page.locator("#claim-count").textContent()).toBe(`${expected} of ${claims.length} claims shown`);
      }
      await page.locator('[data-verdict=""]').click();
      const papers = page.locator("#filters [name=paper]");
      await papers.selectOption("gph");
      const own = claims.filter((claim) => claim.experiment.startsWith("gph/") && isPapers(claim));
      expect(await shown.count()).toBe(own.length);
      await papers.selectOption("");

      const [scored] = scores.filter((s) => s.rows.length > 1);
      const line = page
        .locator(`tr.claim:has(button:text-is(${JSON.stringify(withPowers(scored?.claim.text ?? ""))}))`)
        .first();
      const id = await line.getAttribute("id");
      await line.locator(".disclose").click();
      const table = page.locator(`[id="${id}-more"] table`);
      await table.waitFor();
      const named = await table.locator("tbody tr td:first-child").allTextContents();
      const expected = (scored?.rows ?? []).map((row) => `${rows.indexOf(row) + 2}`);
      expect(named.toSorted()).toEqual(expected.toSorted());
      await line.locator(".disclose").click();

      const lines = page.locator("tr.claim");
      expect(await lines.count()).toBe(claims.length);
      expect(await page.evaluate("inspect.lockedLines()")).toBe(0);
      for (const verdict of new Set(scores.map((s) => s.verdict))) {
        const button = page.locator(`tr.claim[data-verdicts="${verdict}"] .disclose`).first();
        await button.press("Enter");
        expect(await button.getAttribute("aria-expanded"), verdict).toBe("true");
      }
      // A key press takes a third of a second on the whole page. All lines are buttons, which keys click.
      await page.evaluate("inspect.clickClosed()");
      const closed = page.locator('.disclose[aria-expanded="false"]');
      expect(await closed.count()).toBe(0);
      await expect.poll(() => page.locator("[data-lines]").count()).toBe(0);
      expect(await page.evaluate("inspect.reasonless()")).toBe(0);
      await lines.first().locator(".disclose").press(" ");
      expect(await closed.count()).toBe(1);
      expect(complaints).toEqual([]);
    });
  });

  test("a figure's series are removed and brought back, its scale changes, its marks are told and faded, its theme follows", async () => {
    await visit("two", { colorScheme: "light" }, async ({ page }) => {
      const figure = await live(page, "gph/fig10");
      const marks = figure.locator('.plot[data-live] [aria-roledescription="point"]');
      await expect.poll(() => figure.locator(".plot[data-live]").count()).toBe(2);
      const before = await marks.count();
      const box = figure.locator('input[data-series="Bucketed (4 pairs)"]');
      await box.press(" ");
      const own = formRows.filter((row) => row.experiment === "gph/fig10" && row.table === "bucketed");
      const points = own.filter(({ metric, status }) => metric === "mops" && status === "ok").length;
      expect(points).toBeGreaterThan(0);
      await expect.poll(() => marks.count()).toBe(before - 2 * points);

      // The scale's buttons keep the series that are off.
      const texts = () => figure.locator(".plot svg text").allTextContents();
      const parts = async () => (await texts()).filter((text) => ["2", "5"].includes(text)).length;
      expect(await parts()).toBe(0);
      await figure.locator('button[data-scale="log"]').press("Enter");
      await expect.poll(parts).toBeGreaterThan(0);
      expect(await marks.count()).toBe(before - 2 * points);
      expect(await figure.locator('button[data-scale="log"]').getAttribute("aria-pressed")).toBe("true");
      await figure.locator('button[data-scale="linear"]').click();
      await expect.poll(parts).toBe(0);
      await box.press(" ");
      await expect.poll(() => marks.count()).toBe(before);

      // Marks of other series may lie over one another.
      const mark = figure.locator('[aria-roledescription="point"][aria-label*="Bucketed"]').first();
      await mark.hover();
      const tip = page.locator(".tip");
      await tip.waitFor();
      expect(await tip.textContent()).toMatch(
        /Bucketed.*Positive lookups \(%\).*Lookup throughput \(G op\/s\).*95 % from/,
      );
      await mark.click();
      const faded = figure.locator('[aria-roledescription="point"][opacity="0.12"]');
      await expect.poll(() => faded.count()).toBeGreaterThan(0);

      const background = () => page.evaluate(BACKGROUND);
      const ink = () => page.evaluate(`getComputedStyle(document.querySelector(".plot svg text")).fill`);
      const [light, lightInk] = [await background(), await ink()];
      const button = page.locator("#theme");
      await button.press("Enter");
      expect(await background()).toBe(light);
      await button.press("Enter");
      expect(await button.textContent()).toBe("Theme: dark");
      expect(await background()).not.toBe(light);
      expect(await ink()).not.toBe(lightInk);
    });
  });

  test("the download is a result file with all rows", async () => {
    await visit("two", {}, async ({ page }) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download").press("Enter")]);
      expect(download.suggestedFilename()).toBe("hashbench.csv");
      const text = await readFile(await download.path(), "utf8");
      const short = (x: number | null) => (x === null || Number.isInteger(x) ? x : Number(x.toPrecision(5)));
      const rounded = [...formRows, ...others].map((row) => ({
        ...row,
        value: short(row.value),
        lo: short(row.lo),
        hi: short(row.hi),
      }));
      // As text: a comparison of all values takes seconds.
      const [got, expected] = [parseRows(text, "hashbench.csv"), rounded].map((some) =>
        some.map((row) => JSON.stringify(row)),
      );
      expect(got?.length).toBe(rounded.length);
      expect(got?.filter((row, i) => row !== expected?.[i]).slice(0, 3)).toEqual([]);
    });
  });

  test("without scripts the scorecard is there", async () => {
    await visit("one", { javaScriptEnabled: false }, async ({ page }) => {
      expect(await page.locator("tr.claim").count()).toBe(claims.length);
      expect(await page.locator("tr.claim .badge").count()).toBe(claims.length);
      expect(await page.locator("#filters").isVisible()).toBe(false);
      expect(await page.locator("noscript").count()).toBeGreaterThan(0);
    });
  });
});
