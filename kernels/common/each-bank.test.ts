import { expect, test } from "vitest";
import { linkKernel } from "../../bench/device/link.js";
import { WgslModule } from "../../bench/device/module.js";
import { addPackageKernels } from "../../bench/device/sources.js";
import { bankConditions } from "./banks.js";
import { withBanks, withoutBanks } from "./each-bank.js";

addPackageKernels();

/** A kernel's text on one line without comments, and the bindings of its table's buffers. */
async function linked(banks: number) {
  const file = "kernels/double-hashing/insert.wgsl";
  const { dest } = await linkKernel({ file, conditions: bankConditions(banks) });
  const buffers = [...new WgslModule(dest).resources("main")].filter(([name]) => /table|bank/.test(name));
  return {
    text: dest.replace(/\/\/.*/g, "").replace(/\s+/g, " "),
    bindings: Object.fromEntries(buffers.map(([name, { binding }]) => [name, binding])),
  };
}

test("an access stands once for each bank that a table has, by the bank's number", async () => {
  const { text, bindings } = await linked(4);
  const load = (bank: string) => `{ return atomicLoad(&${bank}[at.word]); }`;
  const cases = [0, 1, 2].map((i) => `case ${i}u: ${load(`bank${i}`)}`).join(" ");
  expect(text).toContain(`{ switch at.bank { ${cases} default: ${load("last_bank")} } }`);
  expect(bindings).toEqual({ bank0: 0, bank1: 33, bank2: 34, last_bank: 46 });
});

test("a table of one buffer has no switch", async () => {
  const { text, bindings } = await linked(1);
  expect(text).toContain("fn load_word(at: At) -> u32 { return atomicLoad(&table[at.word]); }");
  expect(text).not.toContain("switch");
  expect(bindings).toEqual({ table: 0 });
});

test("lines stay where they are, and a condition holds for all that an access stands for", () => {
  const text = "a\n@if(PUTS) @each_bank fn put(at: At) {\n  table[at.word] = 1u;\n}\nb\n";
  const lines = withBanks(text).split("\n");
  expect(lines.map((line) => line.slice(0, 40))).toEqual([
    "a",
    "@if(!BANKED && (PUTS)) fn put(at: At) {",
    "  table[at.word] = 1u;",
    "} @if(BANKED && (PUTS)) fn put(at: At) {",
    "b",
    "",
  ]);
});

test("the text for one buffer has its statements on their lines, without conditions", () => {
  const text = "@each_bank fn put() {\n  @if(BANKED) put_word(at);\n  @if(!BANKED) table[0] = 1u;\n}\n";
  expect(withoutBanks(text)).toBe("fn put() {\n\n  table[0] = 1u;\n}\n");
});
