/** `webgpu-hash-table/warpcore`: see kernels/warpcore/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as erase } from "../../warpcore/erase.wgsl.js";
import { kernel as find } from "../../warpcore/find.wgsl.js";
import { kernel as insert } from "../../warpcore/insert.wgsl.js";
import { warpcoreWith } from "../../warpcore/warpcore.js";
import { tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";
import { wideOf, windowsApart } from "../wide.js";

export * from "../shared.js";

/** Windows of slots that lanes probe together, double hashing over windows; slots of erased keys are used again. */
export const warpcore: TableModule<ErasableTable> = tableModule(
  (further, kernels) => warpcoreWith(wideOf(kernels), further),
  {
    kernels: [fill, erase, find, insert],
    apart: windowsApart,
  },
);
