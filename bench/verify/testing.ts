/** Conformance cases as tests. */
import { test } from "vitest";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";
import { type Case, checkCase, Inconclusive } from "./case.js";

/** A test of each case; it is skipped, and says why, where the adapter cannot decide it. */
export function testCases(
  cases: readonly Pick<Case, "name" | "check" | "random">[],
  gpu: () => Gpu,
  type: TableType,
): void {
  for (const one of cases) {
    test(one.name, async ({ skip }) => {
      try {
        await checkCase(one, gpu(), type);
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        skip(error.message);
      }
    });
  }
}
