/** What is known of tables that are not the package's: what native programs say of themselves, and which code a plug-in has. */

import type { CellSpec } from "../base/experiment.js";
import { isSameDevice } from "../results/device-name.js";
import type { TableSystem } from "../results/record.js";
import { apiOf } from "../scenarios/index.js";

const systems = new Map<string, TableSystem["system"]>();

/** Notes what is known of a table. */
export function knowSystem(table: string, system: TableSystem["system"]): void {
  systems.set(table, system);
}

/** What a cell's rows say of who runs its table. Of a program that cannot run here only its API and title are known. */
export function systemOf(cell: Pick<CellSpec, "bench" | "table">): TableSystem {
  return { api: apiOf(cell), system: systems.get(cell.table) ?? {} };
}

/** Those of these tables that are not the package's, by id, with what is known of them. */
export function systemsOf(tables: readonly string[]): Record<string, TableSystem["system"]> {
  return Object.fromEntries([...systems].filter(([id]) => tables.includes(id)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether the cell is measured on the device of this name: a native table's program says on which it runs. */
export function runsOn(device: string, cell: Pick<CellSpec, "bench" | "table">): boolean {
  const { api, system } = systemOf(cell);
  return system.device === undefined ? api === "webgpu" : isSameDevice(system.device, device);
}
