/** What the command's process and the worker process say to each other. Plain JSON. */

import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import type { OpenOptions } from "../device/dawn.js";
import type { StoppingOptions } from "../measure/stopping.js";
import type { CellResult } from "../results/record.js";
import type { Access } from "../scenarios/benchmark.js";
import type { Rounds } from "../verify/case.js";
import type { Variant } from "../verify/variants.js";
import type { SpentBy, WorkPhase } from "./stopwatch.js";

export interface WorkerOptions {
  readonly open: OpenOptions;
  readonly stopping: StoppingOptions;
  /** Device bytes that the cells of one round-robin group may hold together. */
  readonly memory: number;
  /** Run the counting variants too. */
  readonly counting: boolean;
  /** Modules that register more tables. */
  readonly plugins: readonly string[];
  /** Manifests of native tables, and folders of such. */
  readonly native: readonly string[];
}

export type ToWorker =
  | { readonly type: "open"; readonly options: WorkerOptions }
  | {
      readonly type: "cells";
      readonly cells: readonly CellJob[];
      /** From now; what has not begun by then is postponed. Null: take as long as it takes. */
      readonly budgetMs: number | null;
      /** Whether several may be prepared at the same time. */
      readonly together: boolean;
      /** Cells after these, in their order. */
      readonly soon: readonly CellSpec[];
    }
  | {
      readonly type: "checks";
      readonly cells: readonly CheckJob[];
      /** Whether several may run at the same time. */
      readonly together: boolean;
    };

export interface CellJob {
  readonly index: number;
  readonly spec: CellSpec;
  /** Cells at one place are to be compared with each other: they are measured in turn where they can be. */
  readonly place: string;
}

export interface CheckJob {
  readonly index: number;
  readonly spec: CheckSpec;
}

/** One conformance case of a variant of a table. */
export interface CheckSpec extends Pick<Variant, "table" | "host" | "params"> {
  /** Name in bench/verify/cases. */
  readonly name: string;
  /** How often a random case is run, each time with other random numbers. */
  readonly rounds: Rounds;
}

/** A cell's result and the access its share of the limit refers to. */
export interface WorkerResult extends CellResult {
  readonly access: Access | null;
  /** Operations that a sample performs, or that a conformance case ran. */
  readonly operations: number;
  /** Wall time of a conformance case, beside which others may have run. */
  readonly seconds?: number;
}

export type FromWorker =
  | { readonly type: "ready"; readonly device: DeviceInfo }
  /** There is no device, or its clock cannot be trusted. */
  | {
      readonly type: "unusable";
      readonly reason: string;
      /** An error that the user has to correct, such as one of a plug-in. */
      readonly usage: boolean;
    }
  /**
   * The cell that the worker now works on, the samples it has, and whether others are at work beside it: the watchdog's clock
   * starts again.
   */
  | {
      readonly type: "phase";
      readonly index: number;
      readonly phase: WorkPhase;
      readonly samples: number;
      readonly together: boolean;
    }
  /** `spent`: since the message before it that had one. */
  | { readonly type: "result"; readonly index: number; readonly result: WorkerResult; readonly spent: SpentBy }
  | { readonly type: "done"; readonly spent: SpentBy };
