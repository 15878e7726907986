/** The toggles of Dawn, by their names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../base/paths.js";

/**
 * Dawn says nothing about a toggle that it does not know: its table (Toggles.cpp) is not exported, so that `dawn-toggles.txt` is a copy of the
 * one in the package `webgpu` of this version.
 */
export const TOGGLES_OF = "0.6.2";

export function toggleNames(): string[] {
  const list = readFileSync(join(packageRoot, "bench", "device", "adapter", "dawn-toggles.txt"), "utf8");
  return list.trim().split(/\s+/);
}
