/** Operations that only some tables have: each table's module names those that it offers. */
import type { Further } from "../common/planned.js";
import type { GpuTable, Recordable, TableType } from "../table.js";
import type { Recorder, recorder } from "./commands.js";
import type { UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";
import type { TableState } from "./promises.js";

/** What operations have that only some tables offer. */
export interface Having extends TableState {
  readonly gpu: UserDevice;
  readonly type: TableType;
  readonly table: GpuTable;
  /** Left out: nothing of the table is recorded. */
  readonly recordable?: Recordable | undefined;
  readonly recorder?: Recorder | undefined;
}

/** Operations that not all tables have; none where the table lacks them with its parameters. */
export type Offer = (having: Having) => object;

/** What is added to a table's own module. */
export interface Added {
  /** Names of the tables that take it. Default: all. */
  readonly of?: readonly string[];
  readonly kernels: readonly KernelFile[];
  readonly offers?: readonly Offer[];
  /** Of a table of one kernel an operation. Default: it has no operations but those of all such tables. */
  readonly further?: Further;
  /** Default: nothing is recorded. */
  readonly recorder?: typeof recorder;
}
