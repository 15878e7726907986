import { expect, test } from "vitest";
import { ownTables } from "../../../kernels/index.js";
import { addPackageKernels } from "../../device/sources.js";
import { Harness } from "../harness.js";
import { InterpretedGpu } from "./gpu.js";

addPackageKernels();
const keys = (first: number, n: number) => Array.from({ length: n }, (_, i) => Math.imul(first + i, 0x9e3779b1) >>> 1);

test.each(ownTables.filter(({ answers }) => !answers || answers === "member").map((type) => [type.id, type] as const))(
  "%s works, lane after lane",
  async (_, type) => {
    await Harness.on(new InterpretedGpu(32), type, 40, 0.7, async (table) => {
      const own = keys(1, 30);
      await table.insert(
        own,
        own.map((key) => key ^ 5),
      );
      await table.find([...own, ...keys(100, 10)]);
      if (type.ops.includes("erase")) {
        await table.erase(own.slice(0, 7));
        await table.find(own);
      }
    });
    expect(true).toBe(true);
  },
);
