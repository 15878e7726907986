/** The examples import the package as its users do: what was built. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join as path } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../bench/base/paths.js";
import { testGpu } from "../../../bench/device/testing.js";

const gpu = testGpu();

interface Relations {
  readonly keys: Uint32Array;
  readonly prices: Uint32Array;
  readonly orderOf: Uint32Array;
  readonly quantities: Uint32Array;
}
interface Examples {
  visitedStates(device: GPUDevice): Promise<object>;
  relations(orders: number, items: number): Relations;
  join(device: GPUDevice, relations: Relations): Promise<object>;
  deduplicate(device: GPUDevice, keys: Uint32Array): Promise<Uint32Array>;
}
const example = (name: string) => import(/* @vite-ignore */ path(import.meta.dirname, name)) as Promise<Examples>;

test("the search visits all positions of the 8-puzzle", async () => {
  const { visitedStates } = await example("visited-states.mjs");
  // 9! / 2; 31 is known to be the most.
  expect(await visitedStates(gpu().device)).toEqual({ states: 181_440, moves: 31 });
});

test("the join is that of a Map", async () => {
  const { relations, join } = await example("join.mjs");
  const made = relations(20_000, 50_000);
  const rows = new Map([...made.keys].map((key, row) => [key, row]));
  let [matches, total] = [0, 0];
  for (const [i, order] of made.orderOf.entries()) {
    const row = rows.get(order);
    if (row === undefined) continue;
    matches++;
    total = (total + made.prices[row]! * made.quantities[i]!) >>> 0;
  }
  expect(matches).toBeGreaterThan(20_000);
  expect(matches).toBeLessThan(30_000);
  expect(await join(gpu().device, made)).toEqual({ matches, total });
});

test("each of many keys is pushed once", async () => {
  const { deduplicate } = await example("deduplicate.mjs");
  const keys = Uint32Array.from({ length: 100_001 }, (_, i) => (i * i) % 30_011);
  const found = await deduplicate(gpu().device, keys);
  expect([...found].sort((a, b) => a - b)).toEqual([...new Set(keys)].sort((a, b) => a - b));
});

test("the program in README stores all of its pairs, and erases some", () => {
  const [, program = "none"] = /^```js\n(.*?)^```/ms.exec(readFileSync(path(packageRoot, "README.md"), "utf8")) ?? [];
  const printed = execFileSync("node", ["--input-type=module", "-e", program], { cwd: packageRoot, encoding: "utf8" });
  expect(printed).toBe("{ stored: 1000, refused: 0 }\n{ erased: 10 }\n");
});
