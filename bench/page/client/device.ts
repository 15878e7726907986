/** The browser's GPU as the device that tables are written against. */
import { kernels } from "hashbench:kernels";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import type { OpenOptions } from "../../device/dawn.js";
import type { WebGpu } from "../../device/gpu.js";
import { inlineConstants } from "../../device/inline.js";
import { addKernels } from "../../device/link.js";
import { openAdapter } from "../../device/open.js";
import { coarseClock } from "../../device/timer.js";
import { lessToggles } from "../../device/toggles.js";
import { isSoftware } from "../../results/device-name.js";

const MOST_TRIES = 8;
const TRY_MS = 400;

/**
 * Throws an Error that says what the browser lacks.
 * @param options with the adapter and driver of a command that measures in the browser; "" for the browser's own choice and name
 */
export async function openBrowser({ adapter: asked, driver = "", ...options }: OpenOptions): Promise<WebGpu> {
  addKernels(kernels);
  if (!navigator.gpu) {
    const secure = isSecureContext ? "" : " Pages have it over HTTPS, and from this machine itself, only.";
    throw new Error(`this browser has no WebGPU, or it is switched off.${secure}`);
  }
  const adapter = await requestAdapter();
  if (!adapter)
    throw new Error(
      "the browser has WebGPU, but offers no adapter: its GPU or driver may be blocked (chrome://gpu or about:support says why)",
    );
  return openAdapter(adapter, options, {
    async describe({ info }, device) {
      if (navigator.userAgent.includes("Firefox/")) inlineConstants(device);
      const own = info.description || [info.vendor, info.architecture].filter(Boolean).join(" ") || "unknown adapter";
      const known = [info.description, info.vendor, info.architecture].filter(Boolean);
      // Firefox names none, but tells a GPU from a CPU.
      const isAsked =
        known.length > 0
          ? known.some((part) => asked.toLowerCase().includes(part.toLowerCase()))
          : info.isFallbackAdapter === isSoftware(asked);
      if (asked && !isAsked) throw new Error(`the browser offers ${own}, not ${asked}`);
      const name = asked || own;
      const clock = await coarseClock(device);
      return {
        name,
        driver,
        software: info.isFallbackAdapter === true || isSoftware(name),
        toggles: [`clock=${clockName(clock)}`, ...lessToggles(options, adapter)].join(" "),
        clock,
        implementation: browserName(),
      };
    },
  });
}

/** A browser that has just begun may offer none at first. */
async function requestAdapter(): Promise<GPUAdapter | null> {
  for (let tries = 1; ; tries++) {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
    if (adapter || tries === MOST_TRIES) return adapter;
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
  }
}

/** What runs WebGPU here, as the browser calls itself: `Chrome/147.0.0.0`. */
function browserName(): string {
  const names = ["Firefox", "Edg", "OPR", "HeadlessChrome", "Chrome", "Version"];
  const found = names.map((name) => new RegExp(`${name}/[\\d.]+`).exec(navigator.userAgent)?.[0]);
  return found.find(Boolean)?.replace("Version", "Safari") ?? "unknown browser";
}

/** As rows have it: how coarse timestamps are is the browser's choice, how long a submission takes is not the same every time. */
function clockName({ kind, resolutionNs }: NonNullable<DeviceInfo["clock"]>): string {
  return kind === "wall" ? "wall" : `timestamps/${resolutionNs}ns`;
}
