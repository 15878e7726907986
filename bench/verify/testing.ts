/** Conformance cases as tests. */
import { expect, test } from "vitest";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { TableType } from "../../kernels/table.js";
import { spared } from "../device/testing.js";
import { type Case, checkCase, Inconclusive, inapplicable, ONE_ROUND } from "./case.js";
import { cases } from "./index.js";

/** The cases that apply to the table. */
export function casesFor(type: TableType, which: "all" | "core" = "all"): Case[] {
  return cases.filter((one) => (which === "all" || one.core) && inapplicable(one, type) === "");
}

/**
 * The table's cases, but long ones, whose name has one of these parts, in their order. Throws if a part is in no name: a case that
 * has another name now must not be left out.
 */
export function casesNamed(type: TableType, ...parts: readonly string[]): Case[] {
  const all = casesFor(type).filter(({ long }) => !long);
  const lost = parts.find((part) => !all.some(({ name }) => name.includes(part)));
  if (lost !== undefined) throw new Error(`${type.id} has no case "${lost}"`);
  return all.filter(({ name }) => parts.some((part) => name.includes(part)));
}

/** The one case whose name has this part. Throws if there is none, or several. */
export function caseNamed(type: TableType, part: string): Case {
  const [one, ...others] = casesNamed(type, part);
  if (!one || others.length > 0) throw new Error(`${type.id} has several cases "${part}"`);
  return one;
}

/**
 * A test of each case; it is skipped, and says why, where the adapter cannot decide it. A case of random operations, which may be as
 * long as anyone likes, has to say when parts of a round have ended.
 */
export function testCases(
  cases: readonly Pick<Case, "name" | "check" | "random">[],
  gpu: () => Gpu,
  type: TableType,
): void {
  for (const one of cases) {
    test(one.name, async ({ skip }) => {
      if (spared && one.name.startsWith("pairs beyond")) skip("millions of pairs: on lavapipe alone");
      try {
        let parts = 0;
        const ended = () => {
          parts += 1;
        };
        await checkCase(one, gpu(), type, ONE_ROUND, ended);
        // The round itself is one.
        if (one.random) expect(parts).toBeGreaterThan(2);
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        skip(error.message);
      }
    });
  }
}
