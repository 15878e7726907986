import { expect, test } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { KernelSource } from "../../kernels/device/gpu.js";
import { tableType } from "../../kernels/index.js";
import { checkCase } from "./case.js";
import { cases } from "./index.js";

/** Whether a case asks for kernels into which the table's size is compiled, before its first wrong answer: nothing is done. */
async function asksForFixed(table: string, name: string): Promise<boolean> {
  let fixed = false;
  class Noting extends FakeGpu {
    override async kernel<const Takes extends string>(source: KernelSource<Takes>) {
      fixed ||= source.fixed === true;
      return super.kernel(source);
    }
  }
  const found = cases.find((one) => one.name === name);
  if (!found) throw new Error(`no case ${name}`);
  await checkCase(found, new Noting(), tableType(table)).catch(() => undefined);
  return fixed;
}

const USUAL = "many pairs at the usual load factor";

test.each(["quotient", "bucketed", "warpcore", "double-hashing"])(
  "%s is verified with sizes that are compiled in, and without",
  async (table) => {
    for (const name of ["one pair", USUAL]) expect(await asksForFixed(table, name), name).toBe(true);
    for (const name of ["many pairs at a high load factor", "every key a few times in one insertion"])
      expect(await asksForFixed(table, name), name).toBe(false);
  },
);
