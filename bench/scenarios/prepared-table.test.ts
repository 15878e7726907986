import { expect, test } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { Owner } from "../../kernels/device/owned.js";
import { tableType } from "../../kernels/index.js";
import type { GpuTable, OpResult, RunSteps } from "../../kernels/table.js";
import { CellTable } from "./cell-table.js";
import { PreparedTable } from "./prepared-table.js";
import { cellOf } from "./testing.js";

const DONE: OpResult = { ns: 7, count: 0, restarts: 0 };
const prepared = () => {
  const table = new CellTable(cellOf({}), tableType("bucketed"), { parameters: [] });
  return new PreparedTable(table, new Owner(new FakeGpu()), {} as GpuTable);
};

test.each<[string, (run: RunSteps) => Promise<OpResult>]>([
  [
    "runs its pass at once",
    async (run) => {
      await run([]);
      return DONE;
    },
  ],
  [
    "runs its pass later",
    async (run) => {
      await Promise.resolve();
      await run([]);
      return DONE;
    },
  ],
  ["runs no pass", async () => DONE],
])("an operation that %s is begun, and ends", async (_, operation) => {
  const { done } = await prepared().begin(operation);
  expect(await done).toBe(DONE);
});

test("an operation that fails before its pass is not begun", async () => {
  await expect(prepared().begin(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
