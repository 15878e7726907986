/** `webgpu-hash-table/double-hashing-operations`: what double-hashing, crystal and linear-probing have beside insertions, searches and erasures. */

import { kernel as exported } from "../../common/export.wgsl.js";
import { $erase } from "../../double-hashing/erase.wgsl.js";
import { $find } from "../../double-hashing/find.wgsl.js";
import { $insert } from "../../double-hashing/insert.wgsl.js";
import { $find as $locate } from "../../double-hashing/locate.wgsl.js";
import {
  $find_or_insert,
  $upsert_add,
  $upsert_max,
  $upsert_min,
  kernel as rows,
} from "../../double-hashing/upsert.wgsl.js";
import type { Added } from "../offers.js";
import type { Operations, WholeTable } from "../types.js";
import { upsertingParts } from "../upserting.js";

const changing = { $find: $locate, $insert, $erase, $find_or_insert, $upsert_add, $upsert_max, $upsert_min };

/** For `crystal.with(operations)`. */
export const operations = {
  of: ["double-hashing", "crystal", "linear-probing"],
  ...upsertingParts([exported, rows], { reading: { $find }, changing }),
} satisfies Added as Operations<WholeTable>;
