/** `webgpu-hash-table/warpdrive`: see kernels/warpcore/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as erase } from "../../warpcore/erase.wgsl.js";
import { kernel as find } from "../../warpcore/find.wgsl.js";
import { kernel as insert } from "../../warpcore/insert.wgsl.js";
import { warpdriveWith } from "../../warpcore/warpcore.js";
import { tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";
import { wideOf, windowsApart } from "../wide.js";

export * from "../shared.js";

/** The same with the older order of the windows. */
export const warpdrive: TableModule<ErasableTable> = tableModule(
  (further, kernels) => warpdriveWith(wideOf(kernels), further),
  {
    kernels: [fill, erase, find, insert],
    apart: windowsApart,
  },
);
