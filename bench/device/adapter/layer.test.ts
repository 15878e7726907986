import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../../kernels/device/errors.js";
import { FakeGpu } from "../../../kernels/device/fake.js";
import { type AdapterHost, chooseAdapter } from "./adapter.js";
import { LAYER_FOLDER, lostLayer } from "./layer.js";
import type { ProbedAdapter } from "./probe-process.js";

const unknown = {
  architecture: "",
  driver: "",
  fallback: false,
  subgroupMin: 32,
  subgroupMax: 32,
  features: [],
  limits: {},
};
const H200: ProbedAdapter = { ...unknown, name: "NVIDIA H200", vendor: "nvidia" };
const RADEON: ProbedAdapter = { ...unknown, name: "AMD Radeon", vendor: "amd" };
const LAVAPIPE: ProbedAdapter = { ...unknown, name: "llvmpipe", vendor: "mesa" };
/** What the loader looks through when VK_LAYER_PATH is not set. */
const SYSTEM =
  "/etc/vulkan/explicit_layer.d:/usr/local/share/vulkan/explicit_layer.d:/usr/share/vulkan/explicit_layer.d";

/** What is chosen on a machine with this adapter, on which the layer is built. */
function chosen(adapter: ProbedAdapter, changes: Partial<AdapterHost> = {}, largePages = true) {
  const host: AdapterHost = {
    probe: async () => ({ adapters: [adapter], problems: [] }),
    unpack: async () => null,
    exists: (path) => path === join(LAYER_FOLDER, "buffer_memory.json"),
    platform: "linux",
    env: {},
    ...changes,
  };
  return chooseAdapter({ device: "auto", largePages }, host);
}

const LAYER = {
  VK_INSTANCE_LAYERS: "VK_LAYER_HASHBENCH_buffer_memory",
  VK_LAYER_PATH: `${LAYER_FOLDER}:${SYSTEM}`,
};

test("workers on NVIDIA's adapters load the layer", async () => {
  expect((await chosen(H200)).env).toEqual(LAYER);
});

test("what the user names is loaded as before", async () => {
  const env = { VK_INSTANCE_LAYERS: "VK_LAYER_A:VK_LAYER_B", VK_LAYER_PATH: "/mine:/yours" };
  expect((await chosen(H200, { env })).env).toEqual({
    VK_INSTANCE_LAYERS: "VK_LAYER_A:VK_LAYER_B:VK_LAYER_HASHBENCH_buffer_memory",
    VK_LAYER_PATH: `${LAYER_FOLDER}:/mine:/yours`,
  });
});

test.each([
  ["another vendor", RADEON, {}, true],
  ["a software adapter", LAVAPIPE, {}, true],
  ["another system", H200, { platform: "win32" }, true],
  ["--no-large-pages", H200, {}, false],
  ["HASHBENCH_LARGE_PAGES=0", H200, { env: { HASHBENCH_LARGE_PAGES: "0" } }, true],
] as const)("no layer, and nothing lost, for %s", async (_, adapter, changes, wanted) => {
  const choice = await chosen(adapter, changes, wanted);
  expect(choice.env).toEqual({});
  expect(lostLayer(choice.layer, new FakeGpu().info)).toBeNull();
});

test("HASHBENCH_LARGE_PAGES=1 loads it on any adapter, and nothing but 0 and 1 is understood", async () => {
  expect((await chosen(LAVAPIPE, { env: { HASHBENCH_LARGE_PAGES: "1" } })).env).toEqual(LAYER);
  await expect(chosen(H200, { env: { HASHBENCH_LARGE_PAGES: "yes" } })).rejects.toThrow(
    new UsageError("HASHBENCH_LARGE_PAGES=yes: 0 or 1 is wanted"),
  );
});

test("a device that was to have large pages and has none says what is lost, and why", async () => {
  const { info } = new FakeGpu();
  const { layer } = await chosen(H200);
  expect(lostLayer(layer, { ...info, toggles: "+a +large_pages" })).toBeNull();
  expect(lostLayer(layer, { ...info, toggles: "+large_pages=4096 +a" })).toBeNull();
  expect(lostLayer(layer, { ...info, toggles: "+a" })).toMatch(
    /^no large pages: Vulkan's loader did not load the layer; tables beyond 2 GiB are slow: .* 0\.15 G\/s/,
  );
  const unbuilt = await chosen(H200, { exists: () => false });
  expect(unbuilt.env).toEqual({});
  expect(lostLayer(unbuilt.layer, { ...info, toggles: "" })).toMatch(/not built, which takes a C compiler/);
});
