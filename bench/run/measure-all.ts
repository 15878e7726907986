/** Measures experiments by several workers at once: one a GPU, and one for the CPU beside them. */

import type { CellSpec } from "../base/experiment.js";
import { systemOf } from "../native/systems.js";
import type { CellResult, RunInfo } from "../results/record.js";
import type { ResultWriter } from "../results/write.js";
import type { Queue } from "./budget.js";
import type { Measuring } from "./measuring.js";
import { type Block, placeIn } from "./order.js";
import type { Progress } from "./progress.js";
import { noResult } from "./reporter.js";

/** As many cells of later parts as a worker hears of. */
const SOON = 2000;

const POSTPONED = "not reached within --budget; --resume goes on with it";

/** One worker's part of a run, and what its rows say of it. */
export interface WorkerRun {
  readonly info: RunInfo;
  readonly measuring: Pick<Measuring, "cells">;
  /** Several workers may share one. */
  readonly queue: Queue<Block>;
}

/** Every worker measures one part after another until its queue ends. Counts of cells by status. */
export async function measureAll(
  workers: readonly WorkerRun[],
  writer: Pick<ResultWriter, "append">,
  progress: Pick<Progress, "working" | "finished">,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const record = async ({ info }: WorkerRun, cell: CellSpec, result: CellResult): Promise<void> => {
    await writer.append(cell, result, { ...info, ...systemOf(cell) });
    counts[result.status] = (counts[result.status] ?? 0) + 1;
    progress.finished(cell, result);
  };
  const work = async (worker: WorkerRun): Promise<void> => {
    const { queue } = worker;
    // Of a queue that others take from too, nobody knows which parts will be this worker's.
    const alone = workers.every((other) => other === worker || other.queue !== queue);
    for (let taken = queue.take(); taken; taken = queue.take()) {
      const { part, deadline } = taken;
      const postponed: CellSpec[] = [];
      await worker.measuring.cells(part.cells, {
        deadline,
        place: placeIn(part.experiments),
        soon: alone ? queue.rest.flatMap(({ cells }) => cells).slice(0, SOON) : [],
        onPhase: (cell, phase, samples) => progress.working(cell, phase, samples),
        onResult: async (cell, result) => {
          if (result.status === "postponed") postponed.push(cell);
          else await record(worker, cell, result);
        },
      });
      queue.postpone({ ...part, cells: postponed });
    }
  };
  await Promise.all(workers.map(work));
  const byQueue = new Map(workers.map((worker) => [worker.queue, worker]));
  for (const [queue, worker] of byQueue)
    for (const { cells } of queue.rest)
      for (const cell of cells) await record(worker, cell, noResult("postponed", POSTPONED));
  return counts;
}
