/**
 * Times rounds in the life of a table that always holds n pairs. A round searches for `batch` present and `batch` absent keys, erases the
 * `batch` oldest and inserts as many new ones. Each kind has a dispatch, or (`mixed`) all share one dispatch and each warp. A sample is a
 * round of a table that began empty, was filled, and has gone through `round` rounds.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { whole } from "./parameters.js";
import type { Operation, Round, Scenario } from "./scenario.js";
import { ofScenario } from "./scenario-cells.js";

const BATCH = 1_000_000;
/** The default batch is this part of the pairs: a million of 85 million. */
const PART = 85;
/** Rounds beyond `round` that samples go, as a part of it, where the table cannot be put back. */
const BEYOND = 0.1;

function scenario({ n, params, seed }: CellSpec): Scenario {
  const count = Number(params.batch ?? Math.max(1, Math.min(BATCH, Math.floor(n / PART))));
  if (n < 2 * count) throw new UsageError(`a round erases ${count} keys of ${n} and searches for others`);
  const rounds = Number(params.round ?? 0);
  const operations: Operation[] = [
    { do: "find", count, of: "staying" },
    { do: "find", count, of: "never" },
    { do: "erase", count },
    { do: "insert", count },
  ];
  const round: Round = params.mixed === true ? [{ do: "mixed", parts: operations }] : operations;
  return {
    seed,
    size: n,
    filling: { count: n },
    before: Array.from({ length: rounds }, () => round),
    sample: [round],
    life: { beyond: Math.floor(rounds * BEYOND) },
  };
}

export const agingBenchmark = ofScenario({
  operations: [{ id: "aging" }],
  parameters: [
    whole(
      "batch",
      1,
      2 ** 28,
      `operations of a kind in a round (default: ${BATCH}, or an ${PART}th of the pairs if that is less)`,
    ),
    whole("round", 0, 1e6, "rounds before the first sample (default: 0)"),
    { name: "mixed", values: [true, false], meaning: "all kinds of operations in one dispatch (default: false)" },
  ],
  unfit: ({ ops, answers, incremental }) =>
    ops.includes("erase") && answers === undefined && incremental ? "" : "cannot be added to and erased from",
  byBuckets: true,
  presets: ({ params }, type) => (params.mixed === true && type.mixedParams) || {},
  keys: "computed",
  measures: ["held", "occupancy after", "counters"],
  scenario: ({ cell }) => scenario(cell),
});
