/**
 * Times how a table comes to n pairs in equal batches (slab hash, IPDPS 2018, VI.B). A table that can be added to takes them one after
 * another. Any other is built from scratch after every batch, of all pairs so far and at the same load factor. A sample is the sum of all
 * these insertions; emptying a table is not timed. Parameters: `batch`, and `total`, the pairs for which a table that is added to is
 * made. Cells that differ in n alone are stages of one run, that of the most pairs, if n is of whole batches.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import type { CellTable } from "./cell-table.js";
import { withoutLoadFactor } from "./gpu-tables.js";
import { INSERT } from "./operations.js";
import { MOST_KEYS, whole } from "./parameters.js";
import type { Round, Scenario } from "./scenario.js";
import { ofScenario } from "./scenario-cells.js";

function scenario({ cell: { n, seed, params, experiment }, type }: CellTable): Scenario {
  const [batch, total] = [Number(params.batch), Number(params.total ?? n)];
  if (!(batch >= 1)) throw new UsageError(`${experiment}: a batch has a size; parameter batch is missing`);
  if (total < n) throw new UsageError(`${experiment}: total is ${total}, less than n, ${n}`);
  const sample = Array.from({ length: Math.ceil(n / batch) }, (_, i): Round => {
    const end = Math.min(n, (i + 1) * batch);
    if (type.incremental) return [{ do: "insert", count: end - i * batch }];
    return [
      { do: "clear", size: end },
      { do: "insert", count: end },
    ];
  });
  return { seed, size: total, sample };
}

/** Fewer whole batches of random keys are the beginning of more of them. */
function history({ n, dataset, params }: CellSpec) {
  const batch = Number(params.batch);
  return dataset === "random" && n % batch === 0 ? { of: [batch, params.total ?? n], length: n / batch } : null;
}

export const incrementalBenchmark = ofScenario({
  operations: [INSERT],
  parameters: [
    whole("batch", 1, MOST_KEYS, "pairs of a batch"),
    whole("total", 1, MOST_KEYS, "pairs that the table is made for, if it can be added to (default: n)"),
  ],
  unfit: withoutLoadFactor,
  measures: ["occupancy after", "restarts", "counters"],
  history,
  scenario,
});
