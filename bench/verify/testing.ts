/** Conformance cases as tests. */
import { test } from "vitest";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";
import { type Case, Inconclusive } from "./case.js";

/** A test of each case; it is skipped, and says why, where the adapter cannot decide it. */
export function testCases(cases: readonly Pick<Case, "name" | "check">[], gpu: () => Gpu, type: TableType): void {
  for (const { name, check } of cases) {
    test(name, async ({ skip }) => {
      try {
        await check(gpu(), type);
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        skip(error.message);
      }
    });
  }
}
