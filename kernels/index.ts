/** The list of tables: one line each. */
import { bucketed } from "./bucketed/bucketed.js";
import { cuckoo } from "./cuckoo/cuckoo.js";
import { cuckooMultivalue } from "./cuckoo/multivalue.js";
import { cuckooCompacting, cuckooSet } from "./cuckoo/set.js";
import { crystal, doubleHashing, linearProbing } from "./double-hashing/double-hashing.js";
import { dycuckoo } from "./dycuckoo/dycuckoo.js";
import { megakv } from "./dycuckoo/megakv.js";
import { fingerprints } from "./fingerprints/fingerprints.js";
import { gph } from "./gph/gph.js";
import { misra } from "./misra/misra.js";
import { quotient } from "./quotient/quotient.js";
import { radixSort } from "./radix-sort/radix-sort.js";
import { slabHash, slabSet } from "./slab-hash/slab-hash.js";
import { sortedCompacting, sortedMultivalue } from "./sorted-lists/sorted-lists.js";
import { clstash, stash, stashHybrid } from "./stash/stash.js";
import type { TableType } from "./table.js";
import { twoLevelCompacting, twoLevelMultivalue } from "./two-level/repeated.js";
import { twoLevel } from "./two-level/two-level.js";
import { warpcore, warpdrive } from "./warpcore/warpcore.js";

/** The tables of this package. */
export const ownTables: readonly TableType[] = [
  bucketed,
  cuckoo,
  cuckooSet,
  cuckooCompacting,
  cuckooMultivalue,
  doubleHashing,
  crystal,
  linearProbing,
  gph,
  dycuckoo,
  megakv,
  misra,
  stash,
  clstash,
  stashHybrid,
  twoLevel,
  twoLevelCompacting,
  twoLevelMultivalue,
  quotient,
  fingerprints,
  radixSort,
  slabHash,
  slabSet,
  sortedCompacting,
  sortedMultivalue,
  warpcore,
  warpdrive,
];
const tables = [...ownTables];

/** And those that were registered. */
export function allTables(): readonly TableType[] {
  return tables;
}

/** The table of that id. Throws an Error if there is none: the command line has checked ids before. */
export function tableType(id: string): TableType {
  const found = tables.find((table) => table.id === id);
  if (!found) throw new Error(`no table ${id}`);
  return found;
}

/** Adds a table at run time (`--plugin`). Throws if the id is taken. */
export function registerTable(table: TableType): void {
  if (tables.some(({ id }) => id === table.id)) throw new Error(`a table with the id ${table.id} exists already`);
  tables.push(table);
}
