import { expect, test } from "vitest";
import { UsageError } from "../../../kernels/device/errors.js";
import { NoAdapterError } from "../../base/errors.js";
import { type AdapterHost, chooseAdapter, listAdapters } from "./adapter.js";
import type { Env, ProbedAdapter, ProbeResult } from "./probe-process.js";

const H200 = adapter("NVIDIA H200");
const LAVAPIPE = adapter("llvmpipe (LLVM 15.0.6, 256 bits)", true);
const SWIFTSHADER = adapter("SwiftShader Device (Subzero)", true);
const DRIVER = { folder: "/cache/ss", icd: "/cache/ss/icd.json" };
const CONTAINER_ICD = "/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json";

function adapter(name: string, fallback = false): ProbedAdapter {
  return { name, vendor: "", driver: "", fallback };
}

/** What a probe finds under an environment; the bundled driver answers where its manifest is named. */
type Answer = (env: Env) => readonly ProbedAdapter[];

/** A machine whose own drivers answer with `system`, with SwiftShader bundled. */
function host(system: readonly ProbedAdapter[], changes: Partial<AdapterHost> = {}): AdapterHost & { asked: Env[] } {
  return hostThat((env) => (env.VK_DRIVER_FILES === DRIVER.icd ? [SWIFTSHADER] : system), changes);
}

function hostThat(answer: Answer, changes: Partial<AdapterHost> = {}): AdapterHost & { asked: Env[] } {
  const asked: Env[] = [];
  return {
    asked,
    probe: async (env): Promise<ProbeResult> => {
      asked.push(env);
      return { adapters: answer(env), problems: [] };
    },
    unpack: async () => DRIVER,
    exists: () => false,
    platform: "linux",
    env: {},
    ...changes,
  };
}

const bare = { unpack: async () => null };

test("auto prefers a GPU to a software driver that comes first", async () => {
  const machine = host([LAVAPIPE, H200]);
  expect(await chooseAdapter({ device: "auto" }, machine)).toMatchObject({
    name: "NVIDIA H200",
    kind: "gpu",
    env: {},
  });
  expect(machine.asked).toHaveLength(1);
});

test("auto takes lavapipe where there is no GPU, without asking the bundled driver", async () => {
  const machine = host([LAVAPIPE]);
  expect(await chooseAdapter({ device: "auto" }, machine)).toMatchObject({ name: LAVAPIPE.name, kind: "software" });
  expect(machine.asked).toEqual([{}]);
});

test("auto takes the bundled SwiftShader where the system has nothing, and says how to reach it", async () => {
  expect(await chooseAdapter({ device: "auto" }, host([]))).toMatchObject({
    name: SWIFTSHADER.name,
    source: "bundled",
    env: { VK_DRIVER_FILES: DRIVER.icd, VK_ICD_FILENAMES: DRIVER.icd, LD_LIBRARY_PATH: DRIVER.folder },
  });
});

test("a library path that is set already stays behind the bundled driver's", async () => {
  const choice = await chooseAdapter({ device: "swiftshader" }, host([], { env: { LD_LIBRARY_PATH: "/opt/lib" } }));
  expect(choice.env.LD_LIBRARY_PATH).toBe("/cache/ss:/opt/lib");
});

test("a GPU driver without a system loader is reached through the bundled loader", async () => {
  const machine = hostThat((env) => (env.LD_LIBRARY_PATH && !env.VK_DRIVER_FILES ? [H200] : []));
  const choice = await chooseAdapter({ device: "auto" }, machine);
  expect(choice).toMatchObject({ name: "NVIDIA H200", env: { LD_LIBRARY_PATH: DRIVER.folder } });
});

test("in a container the NVIDIA driver is found outside the loader's folders", async () => {
  const exists = (path: string): boolean => path === CONTAINER_ICD;
  const machine = hostThat((env) => (env.VK_DRIVER_FILES === CONTAINER_ICD ? [H200] : [LAVAPIPE]), { exists });
  expect(await chooseAdapter({ device: "auto" }, machine)).toMatchObject({
    name: "NVIDIA H200",
    env: { VK_DRIVER_FILES: CONTAINER_ICD },
  });
});

test("a driver that the user named in the environment is not replaced by another", async () => {
  const machine = host([LAVAPIPE], { exists: () => true, env: { VK_DRIVER_FILES: "/mine.json" } });
  expect((await chooseAdapter({ device: "auto" }, machine)).name).toBe(LAVAPIPE.name);
  expect(machine.asked).toEqual([{}]);
});

test("software passes over the GPU", async () => {
  expect((await chooseAdapter({ device: "software" }, host([H200, LAVAPIPE]))).name).toBe(LAVAPIPE.name);
  expect((await chooseAdapter({ device: "software" }, host([H200]))).name).toBe(SWIFTSHADER.name);
});

test("lavapipe and swiftshader name one driver and no other", async () => {
  expect((await chooseAdapter({ device: "lavapipe" }, host([H200, LAVAPIPE]))).name).toBe(LAVAPIPE.name);
  expect((await chooseAdapter({ device: "swiftshader" }, host([H200, LAVAPIPE]))).name).toBe(SWIFTSHADER.name);
  await expect(chooseAdapter({ device: "lavapipe" }, host([H200]))).rejects.toThrow(NoAdapterError);
});

test("text picks the adapter whose name contains it, whatever its case", async () => {
  expect((await chooseAdapter({ device: "h200" }, host([LAVAPIPE, H200]))).name).toBe("NVIDIA H200");
});

test("identical GPUs are not ambiguous", async () => {
  expect((await chooseAdapter({ device: "NVIDIA" }, host([H200, H200]))).name).toBe("NVIDIA H200");
});

test("text that fits two different adapters is refused, with both names", async () => {
  const machine = host([adapter("NVIDIA A100"), H200]);
  await expect(chooseAdapter({ device: "nvidia" }, machine)).rejects.toThrow(
    new UsageError('--device nvidia: fits several adapters; choose one of "NVIDIA A100", "NVIDIA H200"'),
  );
});

test("an exact name wins over a longer one that contains it", async () => {
  const machine = host([adapter("NVIDIA H200 NVL"), H200]);
  expect((await chooseAdapter({ device: "nvidia h200" }, machine)).name).toBe("NVIDIA H200");
});

test("text that fits nothing is refused, with the names there are", async () => {
  await expect(chooseAdapter({ device: "A100" }, host([H200]))).rejects.toThrow(
    new UsageError('--device A100: no such adapter; there is "NVIDIA H200", "SwiftShader Device (Subzero)"'),
  );
});

test("with nothing at all the message says what to install and what drivers said", async () => {
  const probe = async (): Promise<ProbeResult> => ({ adapters: [], problems: ["the driver crashed (SIGSEGV)"] });
  const failure = chooseAdapter(
    { device: "auto" },
    hostThat(() => [], { ...bare, probe }),
  );
  await expect(failure).rejects.toThrow(NoAdapterError);
  await expect(failure).rejects.toThrow(/crashed \(SIGSEGV\)\..*apt-get install libvulkan1 mesa-vulkan-drivers/);
});

test("a bundled driver that cannot be unpacked is one of the problems", async () => {
  const unpack = () => Promise.reject(new Error("no space left"));
  await expect(chooseAdapter({ device: "auto" }, host([], { unpack }))).rejects.toThrow("no space left");
});

test("the list has GPUs first and the bundled driver last", async () => {
  const adapters = await listAdapters(host([LAVAPIPE, H200]));
  expect(adapters.map((a) => a.name)).toEqual([H200.name, LAVAPIPE.name, SWIFTSHADER.name]);
  expect(await listAdapters(host([], bare))).toEqual([]);
});
