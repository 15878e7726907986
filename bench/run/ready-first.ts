/** In which order experiments are measured, where a worker measures all of them. */
import { isForThread, LEAST } from "../../datasets/ahead.js";
import { datasetOf } from "../scenarios/bulk-table.js";
import type { Together } from "./together.js";

/** Those whose data sets the host makes come last, else as they are: threads make these while the others are measured. */
export async function readyFirst(parts: readonly Together[]): Promise<Together[]> {
  const ready: Together[] = [];
  const waiting: Together[] = [];
  for (const part of parts) ((await isMade(part)) ? waiting : ready).push(part);
  return [...ready, ...waiting];
}

async function isMade({ cells }: Together): Promise<boolean> {
  const sets = new Map(
    cells.flatMap((cell) => {
      const { n, seed } = cell;
      const set = { dataset: datasetOf(cell), n, seed };
      return n < LEAST ? [] : [[JSON.stringify(set), set] as const];
    }),
  );
  const made = await Promise.all([...sets.values()].map(isForThread));
  return made.includes(true);
}
