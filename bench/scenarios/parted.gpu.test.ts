import { expect, test } from "vitest";
import { EMPTY } from "../../kernels/common/steps.js";
import { createTable } from "../../kernels/create.js";
import { scoped } from "../../kernels/device/owned.js";
import { tableType } from "../../kernels/index.js";
import type { GpuTable, RunSteps } from "../../kernels/table.js";
import { testGpu } from "../device/testing.js";
import { parted, partSize } from "./parted.js";
import { tableBenchmark } from "./table.js";
import { cellOf, cellsOn } from "./testing.js";

const gpu = testGpu();
const cells = cellsOn(gpu);

test.each([
  ["quotient", {}],
  ["stash", { keyBytes: 8, valueBytes: 16 }],
])("%s in parts is verified and counted as one table", async (table, params) => {
  for (const op of ["insert", "find"]) {
    const positiveRatio = op === "find" ? 0.5 : null;
    const spec = cellOf({ table, op, n: 40_001, positiveRatio, params: { ...params, parts: 3 } });
    const { wrong, metrics } = await cells.measured(spec, tableBenchmark);
    expect(wrong).toBe("");
    expect(metrics.probes).toBeGreaterThanOrEqual(1);
  }
});

test("a batch is routed some items at a time; a part finds the keys that it was given, and no part those of another", async () => {
  await scoped(gpu(), async (own) => {
    const [n, first, count] = [5001, 7, 3];
    const all = (word: (i: number) => number) => Uint32Array.from({ length: first + n }, (_, i) => word(i));
    const uploaded = async (label: string, words: Uint32Array) => {
      const buffer = await own.alloc(label, words.byteLength);
      own.write(buffer, 0, words);
      return buffer;
    };
    const keys = await uploaded(
      "keys",
      all((i) => i * 5),
    );
    const values = await uploaded(
      "values",
      all((i) => i ^ 3),
    );
    const results = await uploaded(
      "results",
      all(() => 1),
    );
    const making = { n: partSize(n, count), loadFactor: 0.8, seed: 1, counting: false };
    const parts: GpuTable[] = [];
    for (let i = 0; i < count; i++) parts.push(await createTable(tableType("quotient"), own, making));
    const run: RunSteps = (...pass) => own.time(...pass);
    const table = await parted(own, parts, 1000);
    await table.clear();
    expect(await table.insert(run, { keys, values, n, first })).toMatchObject({ count: 0 });
    const answers = async (of: GpuTable) => {
      await of.find(run, { keys, results, n: first + n });
      return [...(await own.read(results, first + n))];
    };
    const right = [...all((i) => (i < first ? EMPTY : i ^ 3))];
    expect(await answers(table)).toEqual(right);
    const found: number[] = [];
    for (const part of parts) found.push((await answers(part)).filter((one) => one !== EMPTY).length);
    expect(found.reduce((sum, one) => sum + one)).toBe(n);
    for (const one of found) expect(Math.abs(one - n / count)).toBeLessThan(6 * Math.sqrt(n / count));
    // With its parts in another order it finds nothing.
    const wrong = await answers(await parted(own, [...parts.slice(1), ...parts.slice(0, 1)], 1000));
    expect(new Set(wrong)).toEqual(new Set([EMPTY]));
  });
});
