/** The trend page in a real Chromium, opened as a file without a network. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { addToHistory, deviceHistory } from "../../bench/compare/history.js";
import { csvText, header } from "../../bench/results/csv.js";
import { row } from "../../bench/results/testing.js";
import { openBrowser } from "./testing.js";
import { trendPage } from "./trend.js";

const opened = await openBrowser();
const folder = mkdtempSync(join(tmpdir(), "hashbench-trend-"));
afterAll(async () => {
  if (typeof opened !== "string") await opened.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page of 12 runs, half as fast from the seventh on. */
async function page(): Promise<string> {
  for (let day = 10; day < 22; day++) {
    const change = {
      run: `run${day}`,
      time: `2026-01-${day}T00:00:00Z`,
      commit: `commit${day}`,
      value: day < 16 ? 100 : 50,
    };
    mkdirSync(join(folder, `${day}`));
    writeFileSync(join(folder, `${day}`, "test.csv"), header() + csvText([row(change)]));
    addToHistory(join(folder, `${day}`), join(folder, "history"));
  }
  const file = join(folder, "trend.html");
  writeFileSync(file, await trendPage(deviceHistory(join(folder, "history", "test-device.history"), 0.025)));
  return pathToFileURL(file).href;
}

test.skipIf(typeof opened === "string")(
  "live figures without a request or complaint; a point tells its commit",
  async () => {
    if (typeof opened === "string") return;
    const address = await page();
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await opened.browser.newContext({ colorScheme, offline: true });
      const view = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      view.on("console", (message) => complaints.push(message.text()));
      view.on("pageerror", (error) => complaints.push(error.message));
      view.on("request", (request) => requests.push(request.url()));
      await view.goto(address);
      await view.locator("figure > div svg").waitFor();
      const points = view.locator("figure .role-mark.mark-symbol path");
      // Of the 12 runs, and the diamond of the change.
      expect(await points.count()).toBe(13);
      await points.nth(2).hover({ force: true });
      await expect
        .poll(() => view.locator(":root").evaluate("document.documentElement.outerHTML.includes('commit: commit12')"))
        .toBe(true);
      // biome-ignore lint/performance/useDomNodeTextContent: what a reader sees, with white space between cells
      expect(await view.locator("tbody tr").first().innerText()).toMatch(/−50\.0 %.*commit15 → commit16/s);
      expect(complaints).toEqual([]);
      expect(requests).toEqual([address]);
      await context.close();
    }
  },
);
