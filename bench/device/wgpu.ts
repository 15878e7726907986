/** Opens a device by wgpu: for processes that Deno runs, whose `navigator.gpu` it is. */
import { GpuError } from "../../kernels/device/errors.js";
import { isSoftware } from "../results/device-name.js";
import type { OpenOptions } from "./dawn.js";
import type { WebGpu } from "./gpu.js";
import { inlineConstants } from "./inline.js";
import { openAdapter } from "./open.js";
import { addPackageKernels } from "./sources.js";
import { lessToggles } from "./toggles.js";

/** Throws GpuError where wgpu does not offer the adapter, or it has no timestamps. */
export async function openWgpu({ adapter: name, driver = "", ...options }: OpenOptions): Promise<WebGpu> {
  addPackageKernels();
  const adapter = await adapterNamed(name);
  if (!adapter.features.has("timestamp-query")) throw new GpuError(`${name}: no timestamp queries in wgpu`);
  return openAdapter(adapter, options, {
    describe({ info }, device) {
      inlineConstants(device);
      return {
        name: info.description,
        driver,
        software: info.isFallbackAdapter || isSoftware(info.description),
        toggles: lessToggles(options, adapter).join(" "),
        implementation: `wgpu of Deno/${process.versions.deno}`,
      };
    },
  });
}

/** WebGPU offers two, by what is asked for: the fastest, and one of the CPU. */
async function adapterNamed(name: string): Promise<GPUAdapter> {
  const { gpu } = (globalThis as unknown as { navigator: { gpu: GPU } }).navigator;
  const offered: string[] = [];
  for (const forceFallbackAdapter of [false, true]) {
    const asked = { powerPreference: "high-performance", forceFallbackAdapter } as const;
    const adapter = await gpu.requestAdapter(asked);
    if (adapter?.info.description === name) return adapter;
    if (adapter) offered.push(adapter.info.description);
  }
  throw new GpuError(`wgpu does not offer ${name}, but ${[...new Set(offered)].join(" and ") || "no adapter"}`);
}
