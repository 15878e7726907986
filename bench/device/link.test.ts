import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkOffered, linkKernel, mapErrors } from "./link.js";
import { addKernelFolder, addPackageKernels } from "./sources.js";

const MAIN = "@compute @workgroup_size(1) fn main()";
const folder = mkdtempSync(join(tmpdir(), "hashbench-link-"));
const kernels: Readonly<Record<string, string>> = {
  "no-module.wgsl": `// first line\nimport package::odd::my_table::gone::f;\n${MAIN} { f(); }\n`,
  "no-function.wgsl": `import package::kernels::common::hash::gone;\n${MAIN} {\n  gone();\n}\n`,
  "syntax.wgsl": "// first line\nfn main( { }\n",
  "two-words.wesl": "fn helper() -> u32 { return 12u; }\n",
  "good.wgsl": `import package::odd::my_table::two_words::helper;\n${MAIN} { _ = helper(); }\n`,
};

beforeAll(() => {
  mkdirSync(join(folder, "my-table"));
  for (const [name, text] of Object.entries(kernels)) writeFileSync(join(folder, "my-table", name), text);
  addPackageKernels();
  addKernelFolder(folder, ".", "odd/");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a kernel is linked with what it imports, across folders with hyphens", async () => {
  const { dest } = await linkKernel({ file: "kernels/double-hashing/find.wgsl" });
  expect(dest).toContain("fn mix32");
  expect(dest).toContain("fn slot_step");
  expect(dest).not.toContain("import");
});

test("counting code is in the counting variant only", async () => {
  const linked = async (COUNT: boolean) =>
    (await linkKernel({ file: "kernels/bucketed/find.wgsl", conditions: { COUNT } })).dest;
  expect(await linked(false)).not.toContain("count");
  expect(await linked(true)).toContain("count_flush");
});

test("an error in an imported file names that file and its line", async () => {
  const linked = await linkKernel({ file: "kernels/bucketed/find.wgsl" });
  const offset = linked.dest.indexOf("0x85ebca6b");
  expect(mapErrors(linked, [{ offset, message: "wrong\nmore" }])).toMatch(
    /^kernels\/common\/hash\.wgsl:\d+:\d+ wrong$/,
  );
});

test.each([
  [{ constants: { TILES: 1 } }, "no kernel has a constant TILES, did you mean TILE?"],
  [{ conditions: { COUNTS: true } }, "no kernel has a condition COUNTS, did you mean COUNT?"],
])("a name that no kernel has is an error: %j", (offered, message) => {
  expect(() => checkOffered({ file: "kernels/x/find.wgsl", ...offered })).toThrow(`kernels/x/find.wgsl: ${message}`);
});

test("a kernel may be offered what only another one has", () => {
  const others = { constants: { TILE: 8 }, conditions: { COUNT: true } };
  expect(() => checkOffered({ file: "kernels/cuckoo/find.wgsl", ...others })).not.toThrow();
});

test("a file that does not exist is named", async () => {
  await expect(linkKernel({ file: "kernels/none.wgsl" })).rejects.toThrow("kernels/none.wgsl: no such kernel file");
});

test("kernels from elsewhere import each other, from folders and files with hyphens", async () => {
  const { dest } = await linkKernel({ file: "odd/my-table/good.wgsl" });
  expect(dest).toContain("return 12u;");
});

test.each([
  ["no-module.wgsl", "odd/my-table/no-module.wgsl:3:41 module not found for 'package::odd::my_table::gone::f'"],
  [
    "no-function.wgsl",
    "odd/my-table/no-function.wgsl:3:3 no exported 'gone' in module 'package::kernels::common::hash'",
  ],
  ["syntax.wgsl", "odd/my-table/syntax.wgsl:2:10 error: Expected function parameter or ')'"],
])("what is wrong in %s is said in one line with its place", async (name, message) => {
  await expect(linkKernel({ file: `odd/my-table/${name}` })).rejects.toThrow(new Error(message));
});

test("errors of the compiler name the line of the file that was written", async () => {
  const linked = await linkKernel({ file: "odd/my-table/good.wgsl" });
  const errors = ["_ = helper", "12u"].map((text) => ({ offset: linked.dest.indexOf(text), message: "bad" }));
  expect(mapErrors(linked, errors)).toBe("odd/my-table/good.wgsl:2:41 bad; odd/my-table/two-words.wesl:1:29 bad");
});
