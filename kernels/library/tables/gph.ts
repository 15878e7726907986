/** `webgpu-hash-table/gph`: see kernels/gph/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as refuse } from "../../common/refuse.wgsl.js";
import { kernel as fillCells } from "../../gph/fill.wgsl.js";
import { kernel as find } from "../../gph/find.wgsl.js";
import { gphWith } from "../../gph/gph.js";
import { kernel as refine } from "../../gph/refine.wgsl.js";
import { COMPARED, tableModule } from "../table.js";
import type { TableModule } from "../types.js";

export * from "../shared.js";

/** A perfect hash function for the keys that are there: a search looks at one bucket. */
export const gph: TableModule = tableModule((_, kernels) => gphWith({ routed: kernels.routed }), {
  only: {
    pairBytes: { values: [4, 8], why: "its values are of 4 bytes" },
    perfect: { values: [true], why: COMPARED },
    requester: { values: [true], why: COMPARED },
  },
  hosted: () => ["insert"],
  kernels: [fill, refuse, fillCells, find, refine],
  apart: ({ index }) => (index === "workgroup" ? "routed" : undefined),
});
