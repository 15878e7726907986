/** Where the buffers of a cell lie, of those cells that say so: `allocation` or `deviceShare` of their parameters. */

import type { MemoryKind } from "../../kernels/device/gpu.js";
import type { Placement } from "../../kernels/device/owned.js";
import type { Parameter, Scalar } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { hasLayer } from "../device/toggles.js";
import { real } from "./parameters.js";

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

/** Of cells in both memories: such a table lies in four pieces, or a multiple of that. */
export const DEVICE_SHARE = real(
  "deviceShare",
  0,
  1,
  "share of the table's bytes in the device's memory, the others are in the host's",
);
export const PIECES = 4;
/** Kernels number blocks of 32 bytes and more, and a binding begins at a multiple of 256. */
const PIECE_UNIT = 256;

export function memoryOf({ params }: Pick<CellSpec, "params">): MemoryKind {
  const value = params[DEVICE_SHARE.name] === undefined ? params[ALLOCATION.name] : "host";
  return value === "plain" || value === "host" ? value : "device";
}

/** Share of the table's bytes that is in the device's memory. */
export function deviceShareOf(cell: Pick<CellSpec, "params">): number {
  return memoryOf(cell) === "host" ? Number(cell.params[DEVICE_SHARE.name] ?? 0) : 1;
}

/** Of a table of so many bytes, whose pieces become as equal as they can be. @param maxBinding of the device */
export function placementOf(bytes: number, deviceShare: number, maxBinding: number): Placement {
  const pieces = PIECES * Math.ceil(bytes / (PIECES * maxBinding));
  let [all, inHost] = [0, 0];
  return {
    pieceBytes: PIECE_UNIT * Math.ceil(bytes / pieces / PIECE_UNIT),
    next(size) {
      // What belongs to the table beside its pieces is small.
      if (size < bytes / pieces / 2) return "device";
      all += size;
      if (inHost + size > (1 - deviceShare) * all) return "device";
      inHost += size;
      return "host";
    },
  };
}

/** Whether the device has the cell: without the layer there is neither another kind of allocation nor host memory. */
export function isOfDevice(cell: Pick<CellSpec, "params">, { toggles = "" }: { readonly toggles?: string }): boolean {
  return memoryOf(cell) === "device" || hasLayer(toggles);
}
