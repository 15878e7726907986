/** What became faster or slower by table and operation, where something that all cells have in common changed, such as the driver. */
import { median } from "simple-statistics";
import { groupBy } from "../results/group.js";
import type { Comparison, Verdict } from "./compare.js";
import { TIME } from "./decide.js";

/**
 * The times of each table's operations, the most slowed down first. Changes are after / before − 1: above 0 is slower. Cells whose noise hides
 * a change count like others in the median.
 */
export function timeGroups(verdicts: readonly Verdict[]) {
  const times = verdicts.filter(({ metric }) => metric === TIME);
  const groups = groupBy(times, ({ cell: { last } }) => JSON.stringify([last.table, last.op]));
  const all = [...groups].map(([key, own]) => {
    const [table, op] = JSON.parse(key) as [string, string];
    const changes = own.map(({ change }) => change);
    const having = (decision: Verdict["decision"]): number => own.filter((v) => v.decision === decision).length;
    return {
      table,
      op,
      cells: own.length,
      worse: having("worse"),
      better: having("better"),
      median: median(changes),
      least: Math.min(...changes),
      most: Math.max(...changes),
    };
  });
  return all.sort((a, b) => b.median - a.median);
}

/** Whether the sides differ in what all cells run on, so that the groups say more than the cells do. */
export function environmentDiffers({ differences }: Comparison): boolean {
  return differences.some(({ column }) => column !== "commit" && column !== "plugin");
}
