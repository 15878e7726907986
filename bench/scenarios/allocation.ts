/** Cells whose buffers are plain allocations of Dawn's, beside those that have large pages: `allocation` of their parameters. */
import type { Parameter, Scalar } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { hasLargePages } from "../device/toggles.js";

/** The parameter of such cells. */
export const ALLOCATION: Parameter = {
  name: "allocation",
  values: ["plain"],
  meaning: "plain: the cell's buffers are plain allocations, without large pages; on a device with large pages only",
};

/** Parameters of a series of them. */
export const PLAIN: Readonly<Record<string, Scalar>> = { [ALLOCATION.name]: "plain" };

export function isPlain({ params }: Pick<CellSpec, "params">): boolean {
  return params[ALLOCATION.name] === PLAIN[ALLOCATION.name];
}

/** Whether the device has the cell: where all allocations are plain, there is nothing to tell apart. */
export function isOfDevice(cell: Pick<CellSpec, "params">, { toggles = "" }: { readonly toggles?: string }): boolean {
  return !isPlain(cell) || hasLargePages(toggles);
}
