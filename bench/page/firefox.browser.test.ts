/** The built page in the system's Firefox, on lavapipe; skipped where one of them is missing. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { unzipSync } from "fflate";
import { afterAll, describe, expect, test } from "vitest";
import { readResults } from "../results/read.js";
import { serve } from "./server.js";
import { PAGE_FOLDER } from "./site.js";
import { type Firefox, openFirefox } from "./testing.js";

/** gph's insertion among them, whose pipelines have constants that this compiler does not take. */
const FIGURES = ["stadium/table1", "gph/fig3"];
const CHOICE = `experiments=${FIGURES}&tables=stash,gph&n=1024&quick&seed=7&timeout=60`;
/** Software adapters are on the list of those that Firefox does not use. */
const SOFTWARE = { "gfx.webgpu.ignore-blocklist": true };

const server = await serve({ folder: PAGE_FOLDER, made: new Map() }, 0);
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const out = mkdtempSync(join(tmpdir(), "hashbench-firefox-test-"));
const opened = await openFirefox(SOFTWARE);
const lacks = typeof opened === "string" ? opened : await adapterLacks(opened);
if (lacks !== "") console.warn(`tests in Firefox skipped: ${lacks}`);
afterAll(async () => {
  server.close();
  rmSync(out, { recursive: true, force: true });
  if (typeof opened !== "string") await opened.close();
});

async function adapterLacks(firefox: Firefox): Promise<string> {
  await firefox.open(`${origin}/theme.js`);
  return String(await firefox.run("return await navigator.gpu.requestAdapter() ? '' : 'it has no adapter here'"));
}

const text = (selector: string) => `document.querySelector("${selector}").textContent`;

/** Unpacks what was downloaded; the results folder. */
async function unpacked(downloads: string): Promise<string> {
  // A name without bytes stands there first, and a part beside it.
  const whole = () => {
    const names = readdirSync(downloads);
    const zip = names.find((name) => name.endsWith(".zip"));
    return zip && names.length === 1 && statSync(join(downloads, zip)).size > 0 ? join(downloads, zip) : null;
  };
  for (const began = Date.now(); !whole() && Date.now() - began < 60_000; ) await sleep(100);
  const entries = Object.entries(unzipSync(readFileSync(whole() ?? "no download")));
  for (const [path, bytes] of entries) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), bytes);
  }
  return join(out, entries[0]?.[0].split("/")[0] ?? "");
}

describe.skipIf(lacks !== "")("the page in Firefox", () => {
  test("figures are verified, drawn and downloaded, without subgroups", async () => {
    if (typeof opened === "string") return;
    await opened.open(`${origin}/#${CHOICE}`);
    await opened.until("!document.querySelector('#run').disabled", 60);
    expect(await opened.run(`return ${text("#adapter")}`)).toContain("no subgroups");
    await opened.run("document.querySelector('#run').click()");
    await opened.until("document.body.dataset.ended", 250);
    for (const id of FIGURES)
      expect(
        await opened.run(`return document.querySelectorAll('[data-experiment="${id}"] svg path').length`),
        id,
      ).toBeGreaterThan(10);
    await opened.run("document.querySelector('#download').click()");
    const rows = await readResults(await unpacked(opened.downloads));
    expect(rows.filter(({ status }) => status !== "ok" && status !== "skipped")).toEqual([]);
    expect(new Set(rows.filter(({ status }) => status === "ok").map(({ experiment }) => experiment))).toEqual(
      new Set(FIGURES),
    );
    expect(new Set(rows.map(({ dawn }) => dawn))).toEqual(new Set([expect.stringMatching(/^Firefox\/\d+/)]));
    expect(opened.printed()).not.toContain(`JavaScript error: ${origin}`);
  }, 300_000);

  test.each([
    ["switched off, as it comes on Linux", { "dom.webgpu.enabled": false }, /no WebGPU, or it is switched off/],
    ["kept from this adapter by its list", {}, /offers no adapter/],
  ])("WebGPU that is %s is one message, and nothing can be run", async (_, preferences, says) => {
    const other = await openFirefox(preferences);
    if (typeof other === "string") throw new Error(other);
    try {
      await other.open(origin);
      await other.until("document.querySelector('#messages p')", 30);
      expect(await other.run(`return ${text("#messages")}`)).toMatch(says);
      expect(await other.run("return document.querySelector('#run').disabled")).toBe(true);
    } finally {
      await other.close();
    }
  });
});
