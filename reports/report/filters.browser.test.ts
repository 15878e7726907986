/** The address, the chooser of devices and the ranking, on a page of four synthetic devices in a real Chromium. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";
import { claims, experiments, headlines } from "../../bench/experiments/index.js";
import { scorecard } from "../../bench/experiments/scorecard.js";
import { readResults } from "../../bench/results/read.js";
import { buildReport } from "./contents.js";
import { figuresPage, reportPage } from "./page.js";
import { openBrowser, syntheticFleet } from "./testing.js";

const DEVICES = 4;
const IDS = new Set(["gph/fig10", "stadium/table1", "cuckoo/misses", "device/limits"]);

const opened = await openBrowser();
if (typeof opened === "string" && process.env.HASHBENCH_REQUIRE_ADAPTERS === "1") throw new Error(opened);

let out = "";
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "hashbench-filters-"));
  const measured = await readResults(join(packageRoot, "results", "nvidia-h200"));
  const report = buildReport({
    rows: syntheticFleet(
      measured.filter(({ experiment }) => IDS.has(experiment)),
      DEVICES,
    ),
    experiments: experiments.filter(({ id }) => IDS.has(id)),
    claims: claims.filter(({ experiment }) => IDS.has(experiment)),
    hosts: new Map(),
    headlines,
    scorecard,
  });
  await writeFile(join(out, "report.html"), reportPage(report));
  await writeFile(join(out, "figures.html"), figuresPage(report));
});
afterAll(async () => {
  if (typeof opened !== "string") await opened.close();
  await rm(out, { recursive: true, force: true });
});

/** Opens a page at an address with this query, and hands it to `look`. */
async function visit(query: string, look: (page: Page) => Promise<void>, name = "report.html", opens = true) {
  if (typeof opened === "string") throw new Error(opened);
  const context = await opened.browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(`${pathToFileURL(join(out, name)).href}${query}`);
    if (opens) await page.evaluate("document.querySelectorAll('details.figures').forEach((d) => { d.open = true; })");
    await look(page);
  } finally {
    await context.close();
  }
}

const shownClaims = (page: Page) => page.locator("tr.claim:visible").count();
const shownFigures = (page: Page) => page.locator(".figure[data-experiment]:visible").count();
const query = (page: Page) => page.evaluate<string>("location.search");

/** The counts that the page tells, as numbers: shown claims and figures. */
async function told(page: Page) {
  const texts = await page.locator("#claim-count, #figure-count").allTextContents();
  return texts.map((text) => Number(/^\d+/.exec(text)?.[0]));
}

describe.skipIf(typeof opened === "string")("the report of several devices", () => {
  test("opens a paper's figures for a link to one of them, and for a filter", async () => {
    const look = async (page: Page) => {
      expect(await shownFigures(page)).toBe(0);
      await page.locator('.contents a[href="#figure-gph-fig10"]').first().click();
      await expect.poll(() => page.locator("#figure-gph-fig10").isVisible()).toBe(true);
      const opened = await shownFigures(page);
      await page.locator("[name=paper]").selectOption("device");
      await page.locator("[name=paper]").selectOption("");
      await expect.poll(() => shownFigures(page)).toBeGreaterThan(opened);
    };
    await visit("", look, "report.html", false);
    const linked = async (page: Page) => expect(await page.locator("#figure-gph-fig10").isVisible()).toBe(true);
    await visit("#figure-gph-fig10", linked, "report.html", false);
  });

  test("keeps search and filters in the address, and counts what is shown", async () => {
    await visit("", async (page) => {
      const all = await shownClaims(page);
      expect(await told(page)).toEqual([all, IDS.size]);
      await page.locator("[name=paper]").selectOption("gph");
      await page.locator("[name=q]").fill("warpcore faster");
      await expect.poll(() => query(page)).toBe("?q=warpcore+faster&paper=gph");
      await expect.poll(() => shownClaims(page)).toBeLessThan(all);
      const [some, figures] = [await shownClaims(page), await shownFigures(page)];
      expect(some).toBeGreaterThan(0);
      expect(await told(page)).toEqual([some, figures]);
      const address = await query(page);
      await visit(address, async (again) => {
        expect(await again.locator("[name=q]").inputValue()).toBe("warpcore faster");
        await expect.poll(() => shownClaims(again)).toBe(some);
        expect(await told(again)).toEqual([some, figures]);
      });
      await page.locator("button[type=reset]").click();
      expect(await query(page)).toBe("");
      await expect.poll(() => shownClaims(page)).toBe(all);
    });
  });

  test("of one paper shows its conclusions, claims and figures, and nothing of another", async () => {
    await visit("?paper=stadium", async (page) => {
      await expect.poll(() => page.locator("section.part:visible").count()).toBe(1);
      expect(await page.locator("section.part:visible h2").textContent()).toBe("Stadium Hashing, PACT 2015");
      expect(await page.locator("article.conclusions:visible h3").allTextContents()).toEqual([
        "Stadium Hashing, PACT 2015",
      ]);
      expect(await shownFigures(page)).toBe(1);
      expect(await page.locator("tr.claim:visible:not([data-paper=stadium])").count()).toBe(0);
    });
  });

  test("shows the devices that are chosen, in every part, and keeps them in the address", async () => {
    await visit("", async (page) => {
      const heads = page.locator(".claims thead .score");
      const table = page.locator("#paper-gph .claims").first();
      expect(await table.locator("thead .score").allTextContents()).toHaveLength(3);
      const first = (await table.locator("thead .score").first().textContent()) ?? "";
      await page.locator(".chooser summary").click();
      const boxes = page.locator("[name=device]");
      for (const i of [0, 1, 2]) await boxes.nth(i).uncheck();
      // The last one that is shown cannot be taken away.
      expect(await boxes.nth(0).isChecked()).toBe(true);
      await boxes.nth(3).check();
      await boxes.nth(0).uncheck();
      const slug = (await boxes.nth(3).getAttribute("value")) ?? "";
      expect(await query(page)).toBe(`?device=${slug}`);
      await expect.poll(() => table.locator("thead .score").count()).toBe(1);
      expect(await table.locator("thead .score").textContent()).not.toBe(first);
      expect(await heads.allTextContents()).not.toContain(first);
      expect(await page.locator("#device-count").textContent()).toBe(`1 of ${DEVICES}`);
      for (const part of ["#devices .of-device:has(.facts)", "#figure-gph-fig10 .device"])
        expect(
          await page.locator(`${part}:visible`).evaluateAll((all) => all.map((e) => e.dataset.device)),
          part,
        ).toEqual([slug]);
    });
  });

  test("draws devices together, as rates or as shares of the limit, and a series' box removes it from all", async () => {
    await visit("?view=shares", async (page) => {
      const figure = page.locator("#figure-gph-fig10");
      await figure.scrollIntoViewIfNeeded();
      const plot = figure.locator('[data-together="shares"] .plot[data-live]');
      await plot.locator("svg").waitFor();
      expect(await figure.locator(".device:visible").count()).toBe(1);
      expect(await plot.locator("[role=graphics-document]").getAttribute("aria-label")).toContain("Share of the limit");
      const marks = plot.locator('[aria-roledescription="point"]');
      const before = await marks.count();
      await figure.locator('input[data-series="WarpCore"]').click();
      await expect.poll(() => marks.count()).toBeLessThan(before);
      await page.locator("[name=view]").selectOption("");
      expect(await query(page)).toBe("");
      await expect.poll(() => figure.locator("[data-together]:visible").count()).toBe(0);
    });
  });

  test("keeps every verdict within its column, beside those of other devices", async () => {
    await visit("", async (page) => {
      const wide = await page.locator("td.score .badge:visible").evaluateAll((badges) => {
        const right = (element: (typeof badges)[number]) => element.getBoundingClientRect().right;
        return badges.map((badge) => right(badge) > right(badge.closest("td") ?? badge) + 1);
      });
      expect(wide.length).toBeGreaterThan(20);
      expect(wide).not.toContain(true);
    });
  });

  test("ranks the devices by rate, and in another order by share of the limit", async () => {
    await visit("", async (page) => {
      const line = page.locator("tr.ranked").first();
      await line.locator(".disclose").click();
      const places = page.locator("tr.ranked + .more .places tbody tr");
      await expect.poll(() => places.count()).toBe(DEVICES);
      const order = async () =>
        (await places.locator("td:nth-child(2)").allTextContents()).map((text) => text.slice(0, 12));
      expect(await order()).toEqual(["synthetic-00", "synthetic-01", "synthetic-02", "synthetic-03"]);
      await page.locator('[data-order="share"]').click();
      // Those with an odd number are farther from their limits.
      await expect.poll(async () => (await order()).slice(2)).toEqual(["synthetic-01", "synthetic-03"]);
    });
  });
});

describe.skipIf(typeof opened === "string")("the page of figures alone", () => {
  test("has headings in order, alternative texts, and colours of dark pages", async () => {
    await visit(
      "",
      async (page) => {
        const levels = await page.locator("h1, h2, h3").evaluateAll((all) => all.map(({ tagName }) => tagName));
        expect(levels.slice(0, 3)).toEqual(["H1", "H2", "H3"]);
        const figure = page.locator("#figure-gph-fig10");
        await figure.scrollIntoViewIfNeeded();
        const picture = figure.locator(".plot[data-live] [role=graphics-document]").first();
        await picture.waitFor();
        expect(await picture.getAttribute("aria-label")).toMatch(
          /^Lookups of GPH and other tables by share of present keys on .*Lines: /,
        );
        const ink = () =>
          page.evaluate<string>(
            `getComputedStyle(document.querySelector("#figure-gph-fig10 .plot[data-live] svg text")).fill`,
          );
        const light = await ink();
        await page.emulateMedia({ colorScheme: "dark" });
        await expect.poll(ink).not.toBe(light);
        expect((await told(page)).at(-1)).toBe(await shownFigures(page));
      },
      "figures.html",
    );
  });
});
