/** `webgpu-hash-table/quotient-operations`: what quotient has beside insertions, searches and erasures. */
import { $erase } from "../../quotient/erase.wgsl.js";
import { kernel as exported } from "../../quotient/export.wgsl.js";
import { $find } from "../../quotient/find.wgsl.js";
import { $insert } from "../../quotient/insert.wgsl.js";
import { $find as $locate } from "../../quotient/locate.wgsl.js";
import { kernel as mixed } from "../../quotient/mixed.wgsl.js";
import { $find_or_insert, $upsert_add, $upsert_max, $upsert_min, kernel as rows } from "../../quotient/upsert.wgsl.js";
import { mixedOperations } from "../mixed.js";
import type { Added } from "../offers.js";
import type { MixedTable, Operations, WholeTable } from "../types.js";
import { upsertingParts } from "../upserting.js";

const changing = { $find: $locate, $insert, $erase, $find_or_insert, $upsert_add, $upsert_max, $upsert_min };

/** For `quotient.with(operations)`. */
export const operations = {
  of: ["quotient"],
  ...upsertingParts([exported, mixed, rows], { reading: { $find }, changing }, [mixedOperations]),
  promised: ["mixed"],
} satisfies Added as Operations<WholeTable & MixedTable>;
