/** The result schema: one row a cell and metric. Documented in results/README.md; this is the one place that knows it. */
import { z } from "zod";
import { APIS } from "../../kernels/table.js";
import { isLine } from "./line.js";
import type { Metric } from "./metrics.js";

/** Bumped whenever a column is added, dropped or changes its meaning. */
export const SCHEMA_VERSION = 4;
/** Older versions are read too. */
export const READABLE_VERSIONS: readonly number[] = [1, 2, 3, SCHEMA_VERSION];
/**
 * By version, the columns that it added, with what these are in older files. `hashbench history` wrote files without some before
 * version 4, which have no number. Before version 2 no operation was repeated in a pass, and it was not noted how sampling
 * ended. Before version 3 there were no native tables.
 */
export const ADDED_COLUMNS: Readonly<Record<number, Partial<ResultRow>>> = {
  1: { data_hash: "", samples: 0, status: "ok", reason: "" },
  2: { repetitions: 1, stopped: "" },
  3: { api: "webgpu", system: {} },
};
/** Benches of tables that WebGPU did not run before version 3 either. */
export const CPU_BENCH = "cpu";
export const JSON_COLUMNS = ["params", "system"] as const;

export const STATUSES = ["ok", "failed", "skipped", "timeout", "crash", "postponed"] as const;
export type Status = (typeof STATUSES)[number];

/** Whether a cell with this status stays as it is; one that hung, crashed or was postponed is tried again. */
export function isFinal(status: Status): boolean {
  return status !== "timeout" && status !== "crash" && status !== "postponed";
}

const [SMALLEST, LARGEST] = [1e-100, 1e100];

/** Whether a number can be a measured or counted quantity: products and quotients of two such numbers stay finite and above 0. */
export function isQuantity(value: number): boolean {
  return value === 0 || (value >= SMALLEST && value <= LARGEST);
}

const quantity = z.number().refine(isQuantity, `neither 0 nor from ${SMALLEST} to ${LARGEST}`);
const parameter = z.number().refine((value) => isQuantity(Math.abs(value)), `beyond ±${LARGEST}, or too near to 0`);
/**
 * Why a cell's sampling ended: their range was narrow enough, its samples or its time were used up, or a single one was so long that it
 * is enough (bench/measure/stopping.ts).
 */
const STOP_REASONS = ["quiet", "samples", "time", "long"] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Whether sampling ended by time or number, with an interval wider than was asked for. */
export function isWide({ stopped }: Pick<ResultRow, "stopped">): boolean {
  return stopped === "time" || stopped === "samples";
}

const text = z.string().refine(isLine, "a control character, which would reach terminals and logs");
const name = text.min(1);
const scalar = z.union([text, parameter, z.boolean()]);

/** One row. Numbers are in the unit named by `unit`; null where the column does not apply (empty in CSV). */
export const rowSchema = z.strictObject({
  run: name,
  time: z.iso.datetime(),
  commit: text,
  device: text,
  driver: text,
  dawn: text,
  toggles: text,
  api: z.enum(APIS),
  system: z
    .strictObject({ title: text, device: text, driver: text, compiler: text, library: text, clock: text, plugin: text })
    .partial(),
  experiment: name,
  bench: name,
  table: text,
  variant: text,
  op: text,
  dataset: text,
  n: quantity,
  load_factor: quantity.nullable(),
  positive_ratio: z.number().min(0).max(1).nullable(),
  seed: z.number().int().nonnegative(),
  params: z.record(text, scalar),
  data_hash: text,
  metric: name,
  unit: text,
  value: quantity.nullable(),
  lo: quantity.nullable(),
  hi: quantity.nullable(),
  samples: z.number().int().nonnegative(),
  repetitions: z.number().int().positive(),
  stopped: z.enum(["", ...STOP_REASONS]),
  status: z.enum(STATUSES),
  reason: text,
});

export type ResultRow = z.infer<typeof rowSchema>;

/** All columns, in the order of a CSV that stands for itself. */
export const COLUMNS = Object.keys(rowSchema.shape) as (keyof ResultRow)[];

/** What is equal in all rows of a run, or of one table in it: since version 4 it stands in the folder's environment.json. */
export const RUN_COLUMNS = ["commit", "device", "driver", "dawn", "toggles", "api", "system"] as const;
export type RunColumn = (typeof RUN_COLUMNS)[number];

export const FILE_COLUMNS = COLUMNS.filter((column) => !isRunColumn(column));

export function isRunColumn(column: string): column is RunColumn {
  return RUN_COLUMNS.some((one) => one === column);
}

/** What the worker reports about one finished cell. */
export interface CellResult {
  readonly status: Status;
  /** One line; "" when ok, or what of an ok cell was left out. */
  readonly reason: string;
  /** Hash of keys, values' salt and queries, hexadecimal; "" if none were made. */
  readonly dataHash: string;
  readonly metrics: readonly Metric[];
  /** Nanoseconds of one operation, in time order. */
  readonly samples: readonly number[];
  /** Operations that the timed pass of each sample repeated; 1 where nothing was repeated. */
  readonly repetitions: number;
  /** Why there are no more samples; "" without samples. */
  readonly stopped: StopReason | "";
}

/** Who ran a cell's table, and what its program says of itself. */
export type TableSystem = Readonly<Pick<ResultRow, "api" | "system">>;

/** What is equal in all rows of one run; and of one cell who ran its table, if not WebGPU. */
export type RunInfo = Readonly<Pick<ResultRow, "run" | "commit" | "device" | "driver" | "dawn" | "toggles">> &
  Partial<TableSystem>;
