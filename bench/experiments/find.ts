/** Experiments by the names that a user gives them. */
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Experiment } from "../base/experiment.js";
import { paperOf } from "../claims/papers.js";
import { experiments } from "./index.js";

/** Experiments by id or prefix (`cuckoo`, `gph/fig10`), in declared order, or all. Throws a UsageError for a name of none. */
export function findExperiments(ids: readonly string[]): Experiment[] {
  const wanted = new Set<Experiment>();
  for (const id of ids) {
    const name = id.replace(/\/$/, "");
    // `gph` and `gph/fig1` are prefixes of gph/fig10; where gph/fig1 itself exists, `gph/fig1` means that one alone.
    const exact = experiments.filter((e) => e.id === name);
    const begun = exact.length > 0 ? exact : experiments.filter((e) => name !== "" && e.id.startsWith(name));
    const found = id === "all" ? experiments : begun;
    if (found.length === 0) {
      const names = experiments.flatMap(({ id }) => [id, paperOf(id)]);
      throw new UsageError(`no experiment ${id}${didYouMean(id, names, "; ")} (hashbench list experiments)`);
    }
    for (const experiment of found) wanted.add(experiment);
  }
  return experiments.filter((experiment) => wanted.has(experiment));
}
