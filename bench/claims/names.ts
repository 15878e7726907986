/** Whether what a claim names is there, so that a slip of the pen does not end as "not run". */
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { metricType, metricTypes } from "../results/metrics.js";
import type { Claim, Select } from "./claim.js";
import { metricsOf, selectionsOf } from "./evaluate.js";
import { COLUMNS, type Declared, experimentsOf, fitting } from "./select.js";

/** Throws a UsageError with the file and line of the claim. */
export function checkNames(claim: Claim, declared: Declared): void {
  const wrong = (what: string, name: string, known: Iterable<string>) =>
    new UsageError(`${claim.at}: no ${what} ${name}${didYouMean(name, known)}`);
  const column = new Set<string>(COLUMNS);
  for (const wanted of selectionsOf(claim)) {
    const { table = [], variant = [], where = {} } = wanted;
    const ids = experimentsOf(claim, wanted);
    const cells = ids.flatMap((id) => {
      const own = declared.get(id);
      if (!own) throw wrong("experiment", id, declared.keys());
      return own;
    });
    const experiment = ids.join(" and ");
    const params = new Set(cells.flatMap((cell) => Object.keys(cell.params)));
    const along = "along" in claim.check ? [claim.check.along] : [];
    const named: readonly [what: string, names: readonly string[], known: ReadonlySet<string>][] = [
      [`table in ${experiment}:`, [table].flat(), new Set(cells.map((cell) => cell.table))],
      [`series in ${experiment}:`, [variant].flat(), new Set(cells.map((cell) => cell.variant))],
      [`column or parameter of ${experiment}:`, [...Object.keys(where), ...along], new Set([...column, ...params])],
    ];
    for (const [what, names, known] of named)
      for (const name of names) if (!known.has(name)) throw wrong(what, name, known);
    if (fitting(cells, wanted).length === 0)
      throw new UsageError(`${claim.at}: no cell of ${experiment} fits ${inWords(wanted)}`);
  }
  for (const name of metricsOf(claim.check)) {
    const isColumn = claim.check.kind === "correlation" && column.has(name);
    if (!isColumn && !metricType(name))
      throw wrong(
        "metric",
        name,
        metricTypes.map((one) => one.name),
      );
  }
}

function inWords({ where = {} }: Select): string {
  return Object.entries(where)
    .map(([name, at]) => `${name}=${typeof at === "object" ? JSON.stringify(at) : String(at)}`)
    .join(", ");
}
