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
