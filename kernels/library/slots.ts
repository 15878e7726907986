/** What double-hashing, crystal and linear-probing have in common. */
import { kernel as fill } from "../common/fill.wgsl.js";
import type { Further } from "../common/planned.js";
import type { WideKeys } from "../common/wide-keys.js";
import { kernel as erase } from "../double-hashing/erase.wgsl.js";
import { kernel as find } from "../double-hashing/find.wgsl.js";
import { kernel as insert } from "../double-hashing/insert.wgsl.js";
import { kernel as insertReuse } from "../double-hashing/insert-reuse.wgsl.js";
import type { TableType } from "../table.js";
import { tableModule } from "./table.js";
import type { ErasableTable } from "./types.js";
import { wideApart, wideOf } from "./wide.js";

export const slotModule = (made: (wide: WideKeys, further?: Further) => TableType) =>
  tableModule<ErasableTable>((further, kernels) => made(wideOf(kernels), further), {
    kernels: [fill, erase, find, insert, insertReuse],
    apart: wideApart,
    presets: () => ({ reuse: true }),
  });
