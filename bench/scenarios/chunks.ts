/** Insertion of one of equal chunks of the input: a run inserts all of them up to it, each in a pass of its own, into an empty table. */
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import type { CellTable } from "./cell-table.js";
import { INSERT } from "./operations.js";
import { whole } from "./parameters.js";
import type { Round, Scenario } from "./scenario.js";
import type { Workload } from "./scenario-cells.js";

export const CHUNK = [
  whole("chunk", 1, 2 ** 32, "part of the input whose insertion is timed"),
  whole("chunks", 1, 2 ** 32, "equal parts that the input has"),
] as const;

export const isChunk = ({ params }: CellSpec) => params.chunk !== undefined;

/** The chunks of n pairs up to the one that parameters `chunk` (from 1) and `chunks` name. */
function scenario({ cell: { n, seed, params }, type }: CellTable): Scenario {
  const [chunk, chunks] = [Number(params.chunk), Number(params.chunks)];
  if (!(chunk >= 1 && chunk <= chunks)) throw new UsageError(`chunk is ${chunk} of ${chunks}`);
  if (!type.incremental) throw new UsageError(`${type.id} is built in one insertion`);
  if (type.refuses) throw new UsageError(`${type.id}: pairs that it may refuse are inserted all at once`);
  const from = (i: number) => Math.floor((i * n) / chunks);
  return {
    seed,
    sample: Array.from({ length: chunk }, (_, i): Round => [{ do: "insert", count: from(i + 1) - from(i) }]),
  };
}

/** Cells that differ in `chunk` alone are stages of one run. */
export const chunks: Workload = {
  lastRound: true,
  keys: "repeated",
  access: INSERT.id,
  // Counters are of the whole insertion, and so of no use for a part of it.
  measures: ["chunk occupancy"],
  history: ({ n, params: { chunk, ...others } }) =>
    chunk === undefined ? null : { of: [n, Object.entries(others).sort()], length: Number(chunk) },
  scenario,
};
