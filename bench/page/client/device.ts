/** The browser's GPU as the device that tables are written against. */
import { kernels } from "hashbench:kernels";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import type { WebGpu } from "../../device/gpu.js";
import { inlineConstants } from "../../device/inline.js";
import { addKernels } from "../../device/link.js";
import { openAdapter } from "../../device/open.js";
import { coarseClock } from "../../device/timer.js";
import { isSoftware } from "../../results/device-name.js";

/** Throws an Error that says what the browser lacks. */
export async function openBrowser(defaultLimits = false): Promise<WebGpu> {
  addKernels(kernels);
  if (!navigator.gpu) {
    const secure = isSecureContext ? "" : " Pages have it over HTTPS, and from this machine itself, only.";
    throw new Error(`this browser has no WebGPU, or it is switched off.${secure}`);
  }
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw new Error("the browser has WebGPU, but offers no adapter: its GPU or driver may be blocked");
  return openAdapter(adapter, {
    defaultLimits,
    async describe({ info }, device) {
      if (navigator.userAgent.includes("Firefox/")) inlineConstants(device);
      const name = info.description || [info.vendor, info.architecture].filter(Boolean).join(" ") || "unknown adapter";
      const clock = await coarseClock(device);
      return {
        name,
        driver: "",
        software: info.isFallbackAdapter === true || isSoftware(name),
        toggles: [`clock=${clockName(clock)}`, ...(defaultLimits ? ["limits=default"] : [])].join(" "),
        clock,
      };
    },
  });
}

/** As rows have it: how coarse timestamps are is the browser's choice, how long a submission takes is not the same every time. */
function clockName({ kind, resolutionNs }: NonNullable<DeviceInfo["clock"]>): string {
  return kind === "wall" ? "wall" : `timestamps/${resolutionNs}ns`;
}
