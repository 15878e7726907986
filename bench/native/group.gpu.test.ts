import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { testGpu } from "../device/testing.js";
import { temporaryFolder } from "../results/testing.js";
import { apiOf } from "../scenarios/index.js";
import { cellOf, cellsOn } from "../scenarios/testing.js";
import { loadNative } from "./load.js";
import { manifestIn } from "./testing.js";

const { measured } = cellsOn(testGpu());
const SOURCE = join(packageRoot, "bench", "native", "fixtures", "group.cpp");
const HEADERS = join(packageRoot, "kernels", "native");
const FAULTS = {
  none: /^$/,
  sum: /^sum of column 0 is wrong in 1 of 100 groups$/,
  less: /^1 groups are missing$/,
  twice: /^1 groups are there twice or of no row/,
  unwritten: /^100 groups are there twice or of no row/,
};

test.skipIf(spawnSync("c++", ["--version"]).status !== 0)(
  "what a program in C++ adds up by key is checked",
  async () => {
    const folder = temporaryFolder();
    const program = join(folder, "group");
    execFileSync("c++", ["-std=c++17", "-pthread", `-I${HEADERS}`, SOURCE, "-o", program]);
    const cell = cellOf({ bench: "group-by", op: "group", dataset: "", n: 5003, loadFactor: null });
    for (const [fault, says] of Object.entries(FAULTS)) {
      // Another test of the process may have tables of such faults.
      const table = `group-${fault}`;
      loadNative([manifestIn(folder, "", { command: [program, fault], ops: ["group"] }, table)]);
      const spec = { ...cell, table, params: { groups: 100 } };
      expect(apiOf(spec)).toBe("cpu");
      const { wrong, metrics } = await measured(spec);
      expect(wrong).toMatch(says);
      expect(metrics).toEqual({ groups: fault === "less" ? 99 : 100 });
    }
    const all = { ...cell, table: "group-none", params: { groups: 100, aggregates: "all" } };
    await expect(measured(all)).rejects.toThrow("group-none adds up one column");
  },
  60_000,
);
