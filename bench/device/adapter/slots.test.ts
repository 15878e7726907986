import { expect, test } from "vitest";
import { UsageError } from "../../../kernels/device/errors.js";
import { gpuSlots, type SlotHost, slotsFor } from "./slots.js";

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
  // A GPU that no slot has is hidden too.
  for (const { launcher } of gpuSlots("nvidia", 2, host())) expect(launcher.join(" ")).toContain("/dev/nvidia10 ");
});

test.each([
  ["another system", "nvidia", host({ platform: "darwin" })],
  ["another vendor", "amd", host()],
  ["a single GPU", "nvidia", host({ nodes: () => ["nvidia0"] })],
  ["namespaces that are not allowed", "nvidia", host({ works: () => false })],
])("one slot for %s", (_, vendor, system) => {
  expect(gpuSlots(vendor, 8, system)).toEqual([{ node: "", launcher: [] }]);
});

test("as many GPUs as were asked for, or none: fewer are refused, all are as many as there are", () => {
  expect(slotsFor("nvidia", 3, host())).toHaveLength(3);
  expect(slotsFor("nvidia", "all", host())).toHaveLength(3);
  expect(slotsFor("nvidia", 1, host())).toHaveLength(1);
  expect(slotsFor("amd", "all", host())).toHaveLength(1);
  expect(() => slotsFor("nvidia", 4, host())).toThrow(/^--gpus 4: there are 3 that can be used/);
  for (const system of [host({ nodes: () => ["nvidia0"] }), host({ works: () => false }), host({ platform: "darwin" })])
    expect(() => slotsFor("nvidia", 4, system)).toThrow(/^--gpus 4: there is one that can be used/);
  expect(() => slotsFor("", 2, host())).toThrow(UsageError);
});
