/** `webgpu-hash-table/stash`: see kernels/stash/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as erase } from "../../stash/erase.wgsl.js";
import { kernel as find } from "../../stash/find.wgsl.js";
import { kernel as insert } from "../../stash/insert.wgsl.js";
import { crowded } from "../../stash/layout.js";
import type { StashParams } from "../../stash/parameters.js";
import { stashWith } from "../../stash/stash.js";
import { COMPARED, tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";

const WORDS = { values: [4], why: "its keys and values are u32" };

export * from "../shared.js";

/** A board of tickets says where a key may be. An inserted key must not be in the table. */
export const stash: TableModule<ErasableTable> = tableModule(() => stashWith(), {
  only: { keyBytes: WORDS, valueBytes: WORDS, board: { values: [true], why: COMPARED } },
  kernels: [fill, erase, find, insert],
  // Erasures of mixed batches take the access bit. It takes the place of an info bit.
  presets: (given) => ({ access: crowded({ ticket: 8, passed: false, ...given, access: true } as StashParams) === "" }),
});
