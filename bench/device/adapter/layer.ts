/** The Vulkan layer of device/buffer-memory/: which worker processes load it, how, and what is lost where it cannot be loaded. */
import { join } from "node:path";
import { UsageError } from "../../../kernels/device/errors.js";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import { packageRoot } from "../../base/paths.js";
import { hasLayer } from "../toggles.js";
import type { Env } from "./probe-process.js";

const LAYER = "VK_LAYER_HASHBENCH_buffer_memory";
/** `npm run build` puts it there, where there is a C compiler. */
export const LAYER_FOLDER = join(packageRoot, "dist", "bench", "device", "buffer-memory");
/** Where Vulkan's loader looks for layers that have to be named, unless VK_LAYER_PATH says where instead. */
const SYSTEM_FOLDERS = ["/etc", "/usr/local/share", "/usr/share"].map((folder) => `${folder}/vulkan/explicit_layer.d`);

export interface Layer {
  readonly built: boolean;
  /** What makes Vulkan's loader load the layer; empty where it is not built. */
  readonly env: Env;
}

/** The machine, as far as the choice of an adapter depends on it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exists: (path: string) => boolean;
}

/** Whether an adapter needs the layer: one of NVIDIA on Linux. HASHBENCH_LARGE_PAGES=1 says that any does, =0 that none does. */
export function wantsLayer(
  { kind, vendor }: { readonly kind: string; readonly vendor: string },
  { platform, env }: Machine,
): boolean {
  const said = env.HASHBENCH_LARGE_PAGES ?? "";
  if (!["", "0", "1"].includes(said)) throw new UsageError(`HASHBENCH_LARGE_PAGES=${said}: 0 or 1 is wanted`);
  if (platform !== "linux" || said === "0") return false;
  return said === "1" || (kind === "gpu" && /nvidia/i.test(vendor));
}

/** The layer, beside the layers that the user named. */
export function findLayer({ env, exists }: Machine): Layer {
  if (!exists(join(LAYER_FOLDER, "buffer_memory.json"))) return { built: false, env: {} };
  const list = (items: readonly (string | undefined)[]) => items.filter(Boolean).join(":");
  const folders = env.VK_LAYER_PATH ? [env.VK_LAYER_PATH] : SYSTEM_FOLDERS;
  return {
    built: true,
    env: {
      VK_INSTANCE_LAYERS: list([env.VK_INSTANCE_LAYERS, LAYER]),
      VK_LAYER_PATH: list([LAYER_FOLDER, ...folders]),
    },
  };
}

/** What is lost, in one line, where a device was to have large pages and has none; else null. */
export function lostLayer(wanted: Layer | undefined, { toggles }: DeviceInfo): string | null {
  if (!wanted || hasLayer(toggles)) return null;
  const why = wanted.built
    ? "Vulkan's loader did not load the layer"
    : "the layer is not built, which takes a C compiler (apt-get install gcc libc6-dev; npm run build)";
  return `no large pages: ${why}; tables beyond 2 GiB are slow: at 11.7 GiB an H200 looks up 0.15 G/s, with large pages 34`;
}
