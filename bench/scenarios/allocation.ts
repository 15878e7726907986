/** Where the buffers of a cell lie, of those cells that say so: `allocation` of their parameters. */

import type { MemoryKind } from "../../kernels/device/gpu.js";
import type { Parameter, Scalar } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { hasLargePages } from "../device/toggles.js";

/** The parameter of such cells. */
export const ALLOCATION: Parameter = {
  name: "allocation",
  values: ["plain", "host"],
  meaning:
    "plain: the cell's buffers are plain allocations, without large pages; host: its table is in host memory; both on a device with large pages only",
};

/** Parameters of a series of plain allocations, and of one in host memory. */
export const PLAIN: Readonly<Record<string, Scalar>> = { [ALLOCATION.name]: "plain" };
export const HOST: Readonly<Record<string, Scalar>> = { [ALLOCATION.name]: "host" };

export function memoryOf({ params }: Pick<CellSpec, "params">): MemoryKind {
  const value = params[ALLOCATION.name];
  return value === "plain" || value === "host" ? value : "device";
}

/** Whether the device has the cell: without the layer there is neither another kind of allocation nor host memory. */
export function isOfDevice(cell: Pick<CellSpec, "params">, { toggles = "" }: { readonly toggles?: string }): boolean {
  return memoryOf(cell) === "device" || hasLargePages(toggles);
}
