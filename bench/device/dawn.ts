/** Opens a device by Dawn for Node: the only file that imports it, beside the adapters' probe. */
import { readFileSync } from "node:fs";
import { create, globals } from "webgpu";
import { GpuError } from "../../kernels/device/errors.js";
import type { WebGpu } from "./gpu.js";
import { openAdapter } from "./open.js";
import { pollSeldom, sleepInWaits } from "./polling.js";
import { addPackageKernels } from "./sources.js";
import { type Less, layerToggle, lessToggles } from "./toggles.js";

export interface OpenOptions extends Less {
  /** Dawn's `adapter=` option: (part of) the adapter's name; "" takes the first. */
  readonly adapter: string;
  /** As Dawn describes it, for an implementation that does not tell. */
  readonly driver?: string;
  /** Keep Dawn's robustness (bounds clamps). Off for timed runs unless asked for. */
  readonly robust: boolean;
  /** More Dawn toggles: `name` or `+name` to switch on, `-name` to switch off. */
  readonly toggles: readonly string[];
  /** All buffers of tables lie in host memory, small ones too, which are allocations of their own then. */
  readonly hostMemory?: boolean;
}

/** Dawn puts small buffers together otherwise, in memory that was marked for none of them. */
const ALONE = "disable_resource_suballocation";
const QUANTISATION = "timestamp_quantization";

/** Dawn ends, and with it the process, when an instance is garbage collected before its device. */
const instances = new WeakMap<WebGpu, GPU>();

/** Opens the adapter with all its features and, unless asked not to, its limits. Throws GpuError when there is none or no timestamps. */
export async function openDawn(options: OpenOptions): Promise<WebGpu> {
  Object.assign(globalThis, globals);
  pollSeldom();
  addPackageKernels();
  const asked = (sign: string) => options.toggles.filter((t) => t.startsWith("-") === (sign === "-")).map(bare);
  const on = [
    "allow_unsafe_apis",
    ...(options.robust ? [] : ["disable_robustness"]),
    ...(options.hostMemory ? [ALONE] : []),
    ...asked("+"),
  ];
  const off = [QUANTISATION, ...asked("-")];
  const flags = [`disable-dawn-features=${off.join(",")}`, `enable-dawn-features=${on.join(",")}`];
  if (options.adapter) flags.push(`adapter=${options.adapter}`);
  const instance = create(flags);
  const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new GpuError("no WebGPU adapter");
  if (!adapter.features.has("timestamp-query")) throw new GpuError(`${adapter.info.device}: no timestamp queries`);
  const layer = hasLoadedLayer();
  const gpu = await openAdapter(adapter, options, {
    places: {
      plain: { around: (make) => withEnv(FROM, NEVER, make) },
      ...(layer && { host: { around: (make) => withEnv(HOST, "1", make), lacks: unpinnable } }),
    },
    describe: ({ info }) => ({
      name: adapterName(info),
      driver: info.description,
      software: info.isFallbackAdapter,
      ...(options.hostMemory && { memory: "host" as const }),
      toggles: [
        ...lessToggles(options, adapter),
        ...(layer ? [layerToggle(process.env[FROM])] : []),
        ...on.map((toggle) => `+${toggle}`),
        ...off.map((toggle) => `-${toggle}`),
      ].join(" "),
    }),
  });
  if (gpu.info.software) sleepInWaits();
  instances.set(gpu, instance);
  return gpu;
}

/** Whether Vulkan's loader has loaded the layer of buffer-memory/ into this process. It does so when Dawn opens Vulkan. */
function hasLoadedLayer(): boolean {
  return (
    process.platform === "linux" && readFileSync("/proc/self/maps", "utf8").includes("/libhashbench_buffer_memory.so")
  );
}

/**
 * What buffer_memory.c reads when a buffer is made, and a size that no buffer has: then the layer leaves the buffer alone. With HOST it takes
 * memory of the host for the buffer.
 */
const FROM = "HASHBENCH_LARGE_PAGES_FROM";
const NEVER = String(2n ** 64n - 1n);
const HOST = "HASHBENCH_HOST_MEMORY";
/** Of the memory that the process can still have, what buffers may take: they are pinned, and the system needs some. */
const PINNED_SHARE = 0.8;

function unpinnable(bytes: number): string {
  const pinned = Math.floor(PINNED_SHARE * process.availableMemory());
  return bytes > pinned ? `${bytes} bytes of host memory, of which ${pinned} of those that are free may be pinned` : "";
}

function withEnv<T>(name: string, value: string, work: () => T): T {
  const before = process.env[name];
  process.env[name] = value;
  try {
    return work();
  } finally {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  }
}

/** A toggle without its sign. */
function bare(toggle: string): string {
  return toggle.replace(/^[+-]/, "");
}

/** A name a person recognises: Vulkan's device name is in `device` or `description`, depending on the driver. */
function adapterName(info: GPUAdapterInfo): string {
  return info.device || info.architecture || info.vendor || "unknown adapter";
}
