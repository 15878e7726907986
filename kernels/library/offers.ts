/** Operations that only some tables have: each table's module names those that it offers. */
import type { GpuTable, Recordable, RunSteps, TableType } from "../table.js";
import type { BufferCheck } from "./check.js";
import type { UserDevice } from "./device.js";
import type { Recorder } from "./recording.js";

/** What operations have that only some tables offer. */
export interface Having {
  readonly gpu: UserDevice;
  readonly type: TableType;
  readonly table: GpuTable;
  readonly check: BufferCheck;
  readonly run: RunSteps;
  /** Left out: nothing of the table is recorded. */
  readonly recordable?: Recordable | undefined;
  readonly recorder?: Recorder | undefined;
  /** Throws a UsageError where the table was destroyed. */
  alive(): void;
  /** Runs an operation in which the host has a part, after those called before. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** Operations that not all tables have; none where the table lacks them with its parameters. */
export type Offer = (having: Having) => object;
