/** What a run reports while it goes on. */
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import type { CellResult } from "../results/record.js";
import type { Estimate } from "./estimate.js";
import type { Planned } from "./plan.js";
import type { WorkPhase } from "./stopwatch.js";

interface Work {
  /** Cells that are not kept from an earlier run. */
  readonly cells: readonly CellSpec[];
  readonly expected: Estimate;
  /** Wall time that the cells may take; null: no limit. */
  readonly budgetMs: number | null;
}

export interface Progress {
  started(device: DeviceInfo, planned: readonly Planned[], work: Work, out: string): void;
  note(line: string): void;
  /** The cell that is measured now, and the number of its samples so far. */
  working(cell: CellSpec, phase: WorkPhase, samples: number): void;
  finished(cell: CellSpec, result: CellResult): void;
  ended(): void;
}

const nothing = (): void => undefined;
export const NO_PROGRESS: Progress = {
  started: nothing,
  note: nothing,
  working: nothing,
  finished: nothing,
  ended: nothing,
};
