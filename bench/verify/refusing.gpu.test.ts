/** The case of tables that refuse pairs, with a native one that is built at half of its slots at most. */
import { expect, test } from "vitest";
import { defineTable } from "../../kernels/define.js";
import { testGpu } from "../device/testing.js";
import { describe } from "../native/table.js";
import { manifestOf } from "../native/testing.js";
import { temporaryFolder } from "../results/testing.js";
import { Mismatch } from "./bulk.js";
import { checkCase, ONE_ROUND } from "./case.js";
import { caseNamed } from "./testing.js";

const gpu = testGpu();

/** Its program takes 0.45 of the slots. */
function check(fault: string): Promise<void> {
  // Processes are kept for the next table of the same id.
  const change = { id: fault.replaceAll(" ", "-"), maxLoadFactor: 0.5, safeLoadFactor: 0.4 };
  const type = defineTable(describe(manifestOf(temporaryFolder(), fault, change)));
  return checkCase(caseNamed(type, "pairs that the table refuses"), gpu(), type, ONE_ROUND);
}

test("a table is not made fuller than it may be", async () => {
  await expect(check("refusing")).resolves.toBeUndefined();
});

test("a table that says less than it refused is found", async () => {
  const found = check("refusing silently");
  await expect(found).rejects.toThrow(Mismatch);
  await expect(found).rejects.toThrow(/^it refused 0 pairs, and 2002 are not there$/);
});
