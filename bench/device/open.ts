/** Opens an adapter, Dawn's in Node or a browser's, as the device that tables are written against. */
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { subgroupSizes } from "../../kernels/device/subgroups.js";
import { type Places, WebGpu } from "./gpu.js";
import type { Less } from "./toggles.js";

type Described = Pick<DeviceInfo, "name" | "driver" | "software" | "toggles" | "implementation" | "clock">;

interface AdapterOptions {
  /** See {@link WebGpu}. */
  readonly places?: Places | undefined;
  /** What the adapter does not say in one way everywhere. */
  describe(adapter: GPUAdapter, device: GPUDevice): Described | Promise<Described>;
}

/** The adapter with all its features and, unless asked not to, its limits. */
export async function openAdapter(
  adapter: GPUAdapter,
  { defaultLimits = false, subgroups = true }: Less,
  { places, describe }: AdapterOptions,
): Promise<WebGpu> {
  const without = ["chromium-experimental", ...(subgroups ? [] : ["subgroup"])];
  const features = [...adapter.features].filter((name) => !without.some((start) => name.startsWith(start))).sort();
  const device = await adapter.requestDevice({
    requiredFeatures: features as GPUFeatureName[],
    requiredLimits: defaultLimits ? {} : limitsOf(adapter),
  });
  const { info } = adapter;
  const deviceInfo = {
    ...(await describe(adapter, device)),
    vendor: info.vendor,
    architecture: info.architecture,
    ...subgroupSizes(features, info),
    features,
    limits: limitsOf(device),
  };
  return new WebGpu(device, deviceInfo, places);
}

function limitsOf({ limits }: { readonly limits: GPUSupportedLimits }): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const name in limits) {
    const value: unknown = limits[name as keyof GPUSupportedLimits];
    if (typeof value === "number") numbers[name] = value;
  }
  return numbers;
}
