/** `hashbench run --profile`: where the time went, by experiment and phase. */

import { columns } from "../base/document.js";
import { decimals } from "../base/format.js";
import type { Seconds } from "../run/run.js";
import { WORK_PHASES } from "../run/stopwatch.js";

/** Seconds, as environment.json has them. Experiments of the worker beside the GPU have lines of their own. */
export function profileTable({ workers, experiments, beside }: Omit<Seconds, "all" | "work">): string {
  const line = (name: string, spent: Seconds["workers"]): string[] => {
    const all = Object.values(spent).reduce((sum, seconds) => sum + seconds, 0);
    return [name, ...WORK_PHASES.map((phase) => decimals(spent[phase] ?? 0, 1)), decimals(all, 1)];
  };
  return columns(
    ["seconds", ...WORK_PHASES, "all"],
    [
      ...Object.entries(experiments).map(([id, spent]) => line(id, spent)),
      ...Object.entries(beside).map(([id, spent]) => line(`${id} (CPU tables)`, spent)),
      line("all", workers),
    ],
  );
}
