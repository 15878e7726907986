/** Measures experiments on several lanes at once: the GPUs, and the host's CPU beside them. */
import type { CellSpec, Experiment } from "../experiment.js";
import type { CellResult, RunInfo } from "../results/record.js";
import type { ResultWriter } from "../results/write.js";
import type { Queue } from "./budget.js";
import type { Measuring } from "./measuring.js";
import { placeIn } from "./plan.js";
import type { Progress } from "./progress.js";
import { noResult } from "./reporter.js";

const POSTPONED = "not reached within --budget; --resume goes on with it";

export interface ExperimentCells {
  readonly experiment: Experiment;
  readonly cells: readonly CellSpec[];
}

/** One worker, and what its rows say of the run. */
export interface Lane {
  readonly info: RunInfo;
  readonly measuring: Pick<Measuring, "cells">;
  /** Several lanes may share one. */
  readonly queue: Queue<ExperimentCells>;
}

/** Every lane measures one experiment after another until its queue ends. Counts of cells by status. */
export async function measureAll(
  lanes: readonly Lane[],
  writer: Pick<ResultWriter, "append">,
  progress: Pick<Progress, "working" | "finished">,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const record = async ({ info }: Lane, cell: CellSpec, result: CellResult): Promise<void> => {
    await writer.append(cell, result, info);
    counts[result.status] = (counts[result.status] ?? 0) + 1;
    progress.finished(cell, result);
  };
  const work = async (lane: Lane): Promise<void> => {
    const { queue } = lane;
    for (let taken = queue.take(); taken; taken = queue.take()) {
      const { part, deadline } = taken;
      const postponed: CellSpec[] = [];
      await lane.measuring.cells(part.cells, {
        deadline,
        place: placeIn(part.experiment),
        onPhase: (cell, phase, samples) => progress.working(cell, phase, samples),
        onResult: async (cell, result) => {
          if (result.status === "postponed") postponed.push(cell);
          else await record(lane, cell, result);
        },
      });
      queue.postpone({ ...part, cells: postponed });
    }
  };
  await Promise.all(lanes.map(work));
  const byQueue = new Map(lanes.map((lane) => [lane.queue, lane]));
  for (const [queue, lane] of byQueue)
    for (const { cells } of queue.rest)
      for (const cell of cells) await record(lane, cell, noResult("postponed", POSTPONED));
  return counts;
}
