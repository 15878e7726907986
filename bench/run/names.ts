/** Names of tables, as a user gives them. */
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables } from "../../kernels/index.js";
import { allSeries, kindOf } from "../scenarios/index.js";

/** Checks what --tables names: tables of GPU and CPU, access patterns. */
export function checkSeries(ids: readonly string[]): void {
  checkNames(ids, allSeries());
}

/** Checks names of GPU tables. */
export function checkTables(ids: readonly string[]): void {
  const other = allSeries().find(({ id, measures }) => measures !== "GPU table" && ids.includes(id));
  if (other) throw new UsageError(`${other.id} is ${kindOf(other)}; GPU tables are wanted (hashbench list tables)`);
  checkNames(ids, allTables());
}

function checkNames(ids: readonly string[], all: readonly { readonly id: string }[]): void {
  const known = all.map(({ id }) => id);
  for (const id of ids) {
    if (known.includes(id)) continue;
    throw new UsageError(`no table ${id}${didYouMean(id, known, "; ")} (hashbench list tables)`);
  }
}
