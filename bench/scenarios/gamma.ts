/**
 * Times concurrent batches of the mixes Γ (slab hash, IPDPS 2018, VI.C): insertions, erasures and searches in one dispatch, one
 * operation a lane in random order. As many keys are inserted as erased, so that the table holds n pairs before and after every batch.
 * Γ0, Γ1 and Γ2 have `updates` 1, 0.4 and 0.2. Every sample begins with the table of the first n pairs, built anew: a table that does not
 * reuse slots, or not at once, fills up during the batches of one sample only.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { MOST_KEYS, real, whole } from "./parameters.js";
import type { Round, Scenario } from "./scenario.js";
import { ofScenario } from "./scenario-cells.js";

/** Operations of a batch, at most: the paper's million. Smaller ones do not fill a large GPU, where a lane has one operation. */
const BATCH = 2 ** 20;
const BATCHES = 1;

function scenario({ n, seed, params }: CellSpec): Scenario {
  const batch = Number(params.batch ?? Math.max(2, Math.min(BATCH, n)));
  const batches = Number(params.batches ?? BATCHES);
  const count = Math.round((batch * Number(params.updates ?? 1)) / 2);
  const present = Math.floor((batch - 2 * count) / 2);
  if (2 * count > batch) throw new UsageError(`batch is ${batch}: half of its updates are insertions`);
  // A batch erases keys that it does not search for.
  if (n < count + Math.min(1, present))
    throw new UsageError(`a batch erases ${count} keys of ${n}: make batch smaller`);
  const parts = [
    { do: "insert", count },
    { do: "erase", count },
    { do: "find", count: present, of: "staying" },
    { do: "find", count: batch - 2 * count - present, of: "never" },
  ] as const;
  return {
    seed,
    size: n,
    // The oldest keys, which are erased, are random ones of these; those that batches insert are erased after all of them.
    filling: { count: n, shuffled: true },
    sample: Array.from({ length: batches }, (): Round => [{ do: "mixed", parts }]),
    anew: true,
  };
}

export const gammaBenchmark = ofScenario({
  /** Its searches are part of the mix: there is no positive ratio to choose. */
  operations: [{ id: "mixed" }],
  parameters: [
    real("updates", 0, 1, "share of insertions and erasures (default: 1)"),
    whole("batch", 2, MOST_KEYS, `operations of a batch (default: as many as pairs, ${BATCH} at most)`),
    whole("batches", 1, 65_536, `batches of a sample (default: ${BATCHES})`),
  ],
  unfit: ({ ops, answers }) =>
    ops.includes("mixed") && ops.includes("erase") && (answers === undefined || answers === "member")
      ? ""
      : "cannot insert, find and erase in one dispatch",
  byBuckets: true,
  presets: (_, type) => type.mixedParams ?? {},
  measures: ["occupancy before", "counters"],
  scenario: ({ cell }) => scenario(cell),
});
