/** `webgpu-hash-table/wide`: the kernels of `keyBytes: 8`, as kernels/common/wide-keys.ts runs them. */

import { wideKeys } from "../../common/wide-keys.js";
import { kernel as erase } from "../../wide-keys/erase.wgsl.js";
import { kernel as find } from "../../wide-keys/find.wgsl.js";
import { kernel as insert } from "../../wide-keys/insert.wgsl.js";
import { kernel as insertReuse } from "../../wide-keys/insert-reuse.wgsl.js";
import type { Kernels } from "../types.js";

/** For the option `kernels`, with the parameter `keyBytes` 8 of bucketed, double-hashing, crystal and linear-probing. */
export const wide: Kernels = /* @__PURE__ */ Object.assign([erase, find, insert, insertReuse], { wideKeys });
