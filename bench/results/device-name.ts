/** What the name of a device tells. */

/** Whether a device of this name emulates a GPU on the CPU: its times are not a GPU's. */
export function isSoftware(device: string): boolean {
  return /llvmpipe|lavapipe|swiftshader|basic render/i.test(device);
}

/** A device's name as that of a folder or file. */
export function deviceSlug(device: string): string {
  const slug = device
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return slug || "device";
}

/** For people. Dawn writes a dash for each character that it does not keep, also for a name's last. */
export function adapterName(name: string): string {
  return name.replace(/-+$/, "");
}

/** What ran WebGPU, from the column `dawn`: Dawn's has its version alone. */
export function implementationName(dawn: string): string {
  return dawn === "" || dawn.includes("/") ? dawn : `Dawn ${dawn}`;
}

export function deviceLine({ name, driver, software }: { name: string; driver: string; software?: boolean }): string {
  return `${adapterName(name)}, ${driver}${software ? " (software adapter)" : ""}`;
}

/**
 * Whether two names are of one model: WebGPU has them in lower case with dashes for all else ("nvidia-h100-80gb-hbm3"), CUDA and HIP as
 * the driver spells them ("NVIDIA H100 80GB HBM3"). Mesa's Vulkan driver for AMD puts its own name and the chip's behind ("… (RADV NAVI31)").
 */
export function isSameDevice(one: string, other: string): boolean {
  return modelOf(one) === modelOf(other);
}

function modelOf(device: string): string {
  return deviceSlug(device).replace(/-radv-[a-z0-9]+$/, "");
}
