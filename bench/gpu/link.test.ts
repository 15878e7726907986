import { expect, test } from "vitest";
import { linkKernel, mapErrors } from "./link.js";

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

test("a file that does not exist is named", async () => {
  await expect(linkKernel({ file: "kernels/none.wgsl" })).rejects.toThrow("kernels/none.wgsl: no such kernel file");
});
