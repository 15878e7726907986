/**
 * Times dynamic workloads (DyCuckoo, 6.4): batches of insertions, each with as many searches and r times as many deletions;
 * then all batches again with insertions and deletions exchanged. Each kind is a dispatch of its own. A sample goes through
 * all batches up to the one that `phase` and `batch` name (default: the last) from an empty table. Tables that change their
 * size do so within the time; the others have the size that `start` pairs want, or grow by lists. Cells that differ in `phase`
 * and `batch` alone are stages of one run, the whole workload.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { real, whole } from "./parameters.js";
import { changedBy, type Round, type Scenario } from "./scenario.js";
import { ofScenario } from "./scenario-cells.js";

/** The paper's defaults. */
const BATCH = 1_000_000;
/** Small data sets have this number of batches, as the paper's smallest one. */
const PART = 10;
const R = 0.2;

const batchOf = ({ n, params }: CellSpec) =>
  Number(params.batchSize ?? Math.max(1, Math.min(BATCH, Math.ceil(n / PART))));
const shareOf = ({ params }: CellSpec) => Number(params.r ?? R);
/** Batches of each phase. */
const eachPhase = (cell: CellSpec) => Math.ceil(cell.n / batchOf(cell));
/** Pairs that the cell's table is made for. */
export const startOf = (cell: CellSpec) => Number(cell.params.start ?? Math.min(cell.n, batchOf(cell)));
const exists = (cell: CellSpec) => Number(cell.params.batch ?? 1) <= eachPhase(cell);

/** Batches that the cell goes through. */
function lengthOf(cell: CellSpec): number {
  const { phase = 2, batch = eachPhase(cell) } = cell.params;
  return (Number(phase) - 1) * eachPhase(cell) + Number(batch);
}

/** The batches of a phase: the second erases what the first one inserted, and the other way round. */
function phase(cell: CellSpec, number: 1 | 2): Round[] {
  const { n, seed } = cell;
  const batch = batchOf(cell);
  return Array.from({ length: eachPhase(cell) }, (_, i): Round => {
    const from = i * batch;
    const count = Math.min(n, from + batch) - from;
    const draw = (turn: number, by: number) => (seed + Math.imul(turn, by)) >>> 0;
    const own = { count, keys: { from } };
    // Drawn from the keys up to the batch's end, alike in both phases.
    const beside = { below: from + count, draw: draw(i + 1, 0x9e3779b9) };
    const others = { count: Math.round(count * shareOf(cell)), keys: beside };
    const asked = { below: number === 1 ? from + count : n, draw: draw(2 * (i + 1) + number, 0x85ebca6b) };
    return [
      { do: "insert", ...(number === 1 ? own : others) },
      { do: "find", count, keys: asked },
      { do: "erase", ...(number === 1 ? others : own) },
    ];
  });
}

function scenario(cell: CellSpec): Scenario {
  if (!exists(cell))
    throw new UsageError(`${cell.experiment}: batch is ${cell.params.batch}; there are ${eachPhase(cell)}`);
  const rounds = [...phase(cell, 1), ...phase(cell, 2)];
  return {
    seed: cell.seed,
    size: startOf(cell),
    insertions: changedBy(rounds, "insert"),
    sample: rounds.slice(0, lengthOf(cell)),
  };
}

export const dynamicBenchmark = ofScenario({
  operations: [{ id: "dynamic" }],
  parameters: [
    whole(
      "batchSize",
      1,
      2 ** 31,
      `insertions of a batch, and searches (default: ${BATCH}, or a tenth of the pairs if that is less)`,
    ),
    real("r", 0, 1, `deletions for each insertion (default: ${R})`),
    { name: "phase", values: [1, 2], meaning: "1: up to a batch of the first pass, 2: of the second (default)" },
    whole("batch", 1, 2 ** 31, "the last batch (default: of all)"),
    whole("start", 1, 2 ** 31, "pairs that the table is made for (default: a batch)"),
  ],
  unfit: ({ ops, answers, incremental, duplicates }) =>
    ops.includes("erase") && answers === undefined && incremental && duplicates
      ? ""
      : "cannot be added to and erased from in batches",
  byBuckets: true,
  exists,
  keys: "marked",
  // After the second batch a table that grows has grown.
  rehearsed: 2,
  measures: ["filling", "resizes"],
  history: (cell) =>
    exists(cell) ? { of: [cell.n, batchOf(cell), shareOf(cell), startOf(cell)], length: lengthOf(cell) } : null,
  scenario: ({ cell }) => scenario(cell),
});
