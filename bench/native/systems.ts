/** What the programs of native tables say of themselves. */
import { apiOf } from "../benchmarks/index.js";
import type { CellSpec } from "../experiment.js";
import type { TableSystem } from "../results/record.js";

const facts = new Map<string, TableSystem["system"]>();

/** Notes what the program of a table said. */
export function knowFacts(table: string, said: TableSystem["system"]): void {
  facts.set(table, said);
}

/** What a cell's rows say of who runs its table. Of a program that cannot run here nothing is known but its API. */
export function systemOf(cell: Pick<CellSpec, "bench" | "table">): TableSystem {
  return { api: apiOf(cell), system: facts.get(cell.table) ?? {} };
}
