/** How full a table is, by its slots or, of tables of linked nodes, by its memory. */
import type { GpuTable } from "../../kernels/table.js";
import { exact, type Metric } from "../results/metrics.js";

/** @param distinct Pairs, or keys of a set, that the table holds. */
export async function occupancyMetrics(table: GpuTable, distinct: number): Promise<Metric[]> {
  const occupancy = await table.occupancy?.();
  if (!occupancy) return [exact("load_factor_reached", distinct / table.slots)];
  const { pairs, lists, perNode, utilisation } = occupancy;
  return [exact("memory_utilisation", utilisation), exact("average_slab_count", pairs / (lists * perNode))];
}
