import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Experiment } from "../../bench/base/experiment.js";
import type { ResultRow } from "../../bench/results/record.js";
import { plotData } from "../figures/series.js";
import { experiment, threeRows } from "../figures/testing.js";
import { plotFolders } from "./plot.js";
import { writeReport } from "./report.js";

/** Rows that count how often the lower end of an interval is asked for, as each drawing does. */
function counting(): { readonly rows: readonly ResultRow[]; readonly reads: () => number } {
  let reads = 0;
  const rows = [...threeRows(), ...threeRows({ device: "Other" })].map((row) =>
    Object.defineProperty(row, "lo", {
      get() {
        reads++;
        return 99;
      },
    }),
  );
  return { rows, reads: () => reads };
}

/** Of the same rows, by what is drawn once of each. */
function readsOnce(): number {
  const { rows, reads } = counting();
  plotData(experiment(), rows);
  return reads();
}

let out = "";
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), "hashbench-once-"));
});
afterEach(() => rm(out, { recursive: true }));

test("a report works out what a figure draws once a device, for both scales of y, and once for all devices", async () => {
  const readsOf = async (experiments: readonly Experiment[]) => {
    const { rows, reads } = counting();
    await writeReport(
      { from: [out], out, formats: ["html", "markdown"] },
      { experiments, claims: [], scorecard: () => [], readRows: async () => rows },
    );
    return reads();
  };
  // The rest of the report asks for it too, such as the raw data. Where all devices are together, the row that says what a cell is is copied.
  const [apart, together, copied] = [readsOnce(), readsOnce(), counting().rows.length];
  expect((await readsOf([experiment()])) - (await readsOf([]))).toBe(apart + together + copied);
});

test("plot works out what a figure draws once for all pictures", async () => {
  const { rows, reads } = counting();
  await plotFolders({ from: [out], out, formats: ["svg", "png"] }, async () => rows, [experiment()]);
  expect(reads()).toBe(readsOnce());
});
