/** `webgpu-hash-table/bucketed-operations`: what bucketed has beside insertions, searches and erasures. */

import { $erase } from "../../bucketed/erase.wgsl.js";
import { $find } from "../../bucketed/find.wgsl.js";
import { $insert } from "../../bucketed/insert.wgsl.js";
import { $find as $locate } from "../../bucketed/locate.wgsl.js";
import { $find_or_insert, $upsert_add, $upsert_max, $upsert_min, kernel as rows } from "../../bucketed/upsert.wgsl.js";
import { kernel as exported } from "../../common/export.wgsl.js";
import type { Added } from "../offers.js";
import type { Operations, WholeTable } from "../types.js";
import { upsertingParts } from "../upserting.js";

const changing = { $find: $locate, $insert, $erase, $find_or_insert, $upsert_add, $upsert_max, $upsert_min };

/** For `bucketed.with(operations)`. */
export const operations = {
  of: ["bucketed"],
  ...upsertingParts([exported, rows], { reading: { $find }, changing }),
} satisfies Added as Operations<WholeTable>;
