/** Operations that only some tables have: each table's module names those that it offers. */
import type { Further } from "../common/planned.js";
import type { Owned } from "../device/owned.js";
import type { GpuTable, Making, Params, Recordable, TableType } from "../table.js";
import type { Recorder, recorder } from "./commands.js";
import type { UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";
import type { TableState } from "./promises.js";
import type { FullOptions, Warmed } from "./types.js";

/** What operations have that only some tables offer. */
export interface Having extends TableState {
  readonly gpu: UserDevice;
  readonly type: TableType;
  readonly table: Owned<GpuTable>;
  /** Left out: nothing of the table is recorded. */
  readonly recordable?: Recordable | undefined;
  readonly recorder?: Recorder | undefined;
  /** Another one is made with the same, but its capacity. */
  readonly making: Making & { readonly params: Params } & { readonly onFull?: FullOptions["onFull"] | undefined };
}

/** The operations of a table, whose capacity changes. */
export interface Capacity {
  capacity: number;
}

/** Operations that not all tables have; none where the table lacks them with its parameters. @param operations those before */
export type Offer = (having: Having, operations: Capacity) => object;

/** What is added to a table's own module. */
export interface Added {
  /** Names of the tables that take it. Default: all. */
  readonly of?: readonly string[];
  readonly kernels: readonly KernelFile[];
  readonly offers?: readonly Offer[];
  /** Operations of promises alone whose kernels these are. */
  readonly promised?: readonly Warmed[];
  /** Names of options that the operations have. */
  readonly options?: readonly string[];
  /** Of a table of one kernel an operation. Default: it has no operations but those of all such tables. */
  readonly further?: Further;
  /** Default: nothing is recorded. */
  readonly recorder?: typeof recorder;
}
