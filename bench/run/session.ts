/** A session of measuring: cells from queues to workers, and their results to where they are kept. */

import type { CellSpec } from "../base/experiment.js";
import { systemOf } from "../native/systems.js";
import type { CellResult, RunInfo } from "../results/record.js";
import type { Queue } from "./budget.js";
import type { Limits } from "./limits.js";
import { type MeasuredDevice, Measuring } from "./measuring.js";
import { type Block, placeIn } from "./order.js";
import type { Pool } from "./pool.js";
import type { Progress } from "./progress.js";
import { noResult } from "./reporter.js";
import type { Turns } from "./turns.js";

/** Number of cells of later blocks that a worker is told of. */
const SOON = 2000;

const POSTPONED = "not reached within --budget; --resume goes on with it";

/** Where results go: a results folder, or the memory of a page. */
export interface Sink {
  /** Keeps a result, before the next one comes. */
  append(cell: CellSpec, result: CellResult, run: RunInfo): Promise<void>;
}

/** One worker's part of a run, and what its rows say of it. */
export interface Share {
  readonly info: RunInfo;
  readonly pool: Pick<Pool, "measure">;
  readonly limits: Limits;
  /** Several workers may share one. */
  readonly queue: Queue<Block>;
}

export class Session {
  /** Cells by status. */
  readonly counts: Record<string, number> = {};

  /** @param sink null: results are not kept @param turns of sessions that measure a block each in turn */
  constructor(
    private readonly sink: Sink | null,
    private readonly progress: Pick<Progress, "working" | "finished" | "note">,
    private readonly turns?: Turns,
  ) {}

  async record(info: RunInfo, cell: CellSpec, result: CellResult): Promise<void> {
    await this.sink?.append(cell, result, { ...info, ...systemOf(cell) });
    this.counts[result.status] = (this.counts[result.status] ?? 0) + 1;
    this.progress.finished(cell, result);
  }

  /** Every worker measures one block after another until its queue ends. What nobody reached is a row of its own. */
  async measure(shares: readonly Share[], device: MeasuredDevice): Promise<void> {
    await Promise.all(
      shares.map((share) => {
        // Where workers share a queue, nobody knows which blocks will be this worker's.
        const alone = shares.every((other) => other === share || other.queue !== share.queue);
        return this.work(share, device, alone);
      }),
    );
    const byQueue = new Map(shares.map(({ queue, info }) => [queue, info]));
    for (const [queue, info] of byQueue)
      for (const { cells } of queue.rest)
        for (const cell of cells) await this.record(info, cell, noResult("postponed", POSTPONED));
  }

  private async work(share: Share, device: MeasuredDevice, alone: boolean): Promise<void> {
    const measuring = new Measuring(share.pool, device, share.limits, (line) => this.progress.note(line));
    const next = () => this.next(share, measuring, alone);
    while (await (this.turns ? this.turns.take(next) : next()));
  }

  /** Measures the next block; false if there is none, or no time for it. */
  private async next({ info, queue }: Share, measuring: Measuring, alone: boolean): Promise<boolean> {
    const taken = queue.take();
    if (!taken) return false;
    const { part: block, deadline } = taken;
    const postponed: CellSpec[] = [];
    await measuring.cells(block.cells, {
      deadline,
      place: placeIn(block.experiments),
      soon: alone ? queue.rest.flatMap(({ cells }) => cells).slice(0, SOON) : [],
      onPhase: (cell, phase, samples) => this.progress.working(cell, phase, samples),
      onResult: async (cell, result) => {
        if (result.status === "postponed") postponed.push(cell);
        else await this.record(info, cell, result);
      },
    });
    queue.postpone({ ...block, cells: postponed });
    return true;
  }
}
