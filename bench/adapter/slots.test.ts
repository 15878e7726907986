import { expect, test } from "vitest";
import { gpuSlots, type SlotHost } from "./slots.js";

const host = (change: Partial<SlotHost> = {}): SlotHost => ({
  platform: "linux",
  isRoot: true,
  nodes: () => ["nvidia10", "nvidia0", "nvidia2"],
  works: () => true,
  ...change,
});
const nodes = (...args: Parameters<typeof gpuSlots>) => gpuSlots(...args).map(({ node }) => node);

test("each slot hides the nodes of all other GPUs", () => {
  const slots = gpuSlots("nvidia", 8, host());
  expect(slots.map(({ node }) => node)).toEqual(["/dev/nvidia0", "/dev/nvidia2", "/dev/nvidia10"]);
  const [, second] = slots;
  const script = second?.launcher.join(" ") ?? "";
  expect(script).toContain("/dev/null /dev/nvidia0 &&");
  expect(script).toContain("/dev/null /dev/nvidia10 &&");
  expect(script).not.toContain("/dev/nvidia2 ");
});

test("the launcher runs what stands behind it, with its arguments", () => {
  const [slot] = gpuSlots("nvidia", 2, host({ isRoot: false }));
  expect(slot?.launcher.slice(0, 4)).toEqual(["unshare", "--user", "--map-root-user", "--mount"]);
  expect(slot?.launcher.at(-1)).toBe("sh");
});

test("no more slots than asked for", () => {
  expect(nodes("nvidia", 2, host())).toEqual(["/dev/nvidia0", "/dev/nvidia2"]);
  expect(nodes("nvidia", 1, host())).toEqual([""]);
});

test.each([
  ["another system", "nvidia", host({ platform: "darwin" })],
  ["another vendor", "amd", host()],
  ["a single GPU", "nvidia", host({ nodes: () => ["nvidia0"] })],
  ["namespaces that are not allowed", "nvidia", host({ works: () => false })],
])("one slot for %s", (_, vendor, system) => {
  expect(gpuSlots(vendor, 8, system)).toEqual([{ node: "", launcher: [] }]);
});
