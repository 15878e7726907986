/** The page of `hashbench serve --plugin` in a real Chromium, which measures on SwiftShader. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openBrowser } from "../../reports/report/testing.js";
import { packageRoot } from "../base/paths.js";

const opened = await openBrowser("swiftshader");
if (typeof opened === "string") {
  if (process.env.HASHBENCH_REQUIRE_ADAPTERS === "1") throw new Error(opened);
  console.warn(`browser tests skipped: ${opened}`);
}
const program = join(packageRoot, "dist", "bench", "cli", "main.js");
const folder = mkdtempSync(join(tmpdir(), "hashbench-plugins-"));
const outside = join(packageRoot, "bench", "cli", "e2e", "fixtures", "outside", "outside.mjs");
let served: ChildProcess | undefined;
afterAll(async () => {
  served?.kill();
  rmSync(folder, { recursive: true });
  if (typeof opened !== "string") await opened.browser.close();
});

/** A table with kernels, of a module that another one imports, and an experiment with it on a plug-in's data set. */
function ownTable(): string {
  execFileSync(process.execPath, [program, "new-table", "own"], { cwd: folder });
  const both = join(folder, "own", "both.mjs");
  writeFileSync(
    both,
    `export { tables } from "./own.mjs";
    export const experiments = ({ figures: { LOAD_FACTOR, RATES } }) => [{ id: "mine/own", title: "Own", setting: "own",
      series: [{ table: "own" }], axes: { n: [1024], op: ["insert", "find"], dataset: ["runs"], loadFactor: [0.5] },
      figure: { ...RATES, x: LOAD_FACTOR } }];`,
  );
  return both;
}

async function address(...plugins: string[]): Promise<string> {
  const words = plugins.flatMap((path) => ["--plugin", path]);
  served = spawn(process.execPath, [program, "serve", "--port", "0", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(served.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return String(line).trim();
}

test.skipIf(typeof opened === "string")(
  "a plug-in's table, data set and experiment are measured in the page",
  async () => {
    if (typeof opened === "string") return;
    const page = await opened.browser.newPage();
    page.setDefaultTimeout(100_000);
    const complaints: string[] = [];
    page.on("console", (said) => ["error", "warning"].includes(said.type()) && complaints.push(said.text()));
    await page.goto(`${await address(outside, ownTable())}#experiments=mine/runs,mine/own&n=1024&seed=7&timeout=60`);
    await page.locator("#run:enabled").click();
    await page.locator("body[data-ended]").waitFor({ state: "attached" });
    const rows = page.locator("#cells tbody tr");
    const ends = await rows.evaluateAll((all) => all.map((row) => `${row.dataset.status} ${row.textContent}`));
    expect(ends.filter((text) => text.startsWith("ok mine/runs "))).toHaveLength(4);
    expect(ends.filter((text) => text.startsWith("ok mine/own own "))).toHaveLength(2);
    expect(ends).toHaveLength(6);
    expect(complaints).toEqual([]);
  },
  200_000,
);
