/** What the benchmarks of GPU tables have in common before a cell is prepared: their series, and which cells they refuse. */
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import { TABLE_OPS } from "../../kernels/operations.js";
import type { TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { BenchContext, Benchmark, History, KnownSeries, Operation, PreparedCell } from "./benchmark.js";
import { CellTable, type Declared } from "./cell-table.js";

/** A benchmark of GPU tables, of which each operation has what the benchmark needs of it. */
export interface TableCells<O extends Operation> extends Declared, Pick<Benchmark, "exists"> {
  /** An operation of tables (TABLE_OPS) belongs to the tables that list it, one of the benchmark's own to all tables that fit. */
  readonly operations: readonly O[];
  /** The kind that is named behind "bucketed has no erase". Default: nothing. */
  readonly kind?: string;
  /** Why a table has none of these cells, said after its id: "is built in one insertion"; "" if it has. */
  unfit(type: TableType): string;
  /** Whether a parameter `buckets` may give a table's size in place of the load factor. Default: it may not. */
  readonly byBuckets?: boolean;
  /** Whether cells have a share of the limit that the access of their operation sets; or the patterns of their limits. Default: they have none. */
  readonly limited?: true | readonly string[];
  /** As `Benchmark` has them, of the cell's table. */
  history?(table: CellTable): History | null;
  bytes(table: CellTable, operation: O): number;
  sharedBytes?(table: CellTable, operation: O): Readonly<Record<string, number>>;
  prepare(table: CellTable, context: BenchContext, operation: O): Promise<PreparedCell>;
}

/** Which tables a benchmark measures, and by whose clock. */
export interface Tables {
  all(): readonly TableType[];
  byId(id: string): TableType;
  readonly clock: Benchmark["clock"];
}

const IN_CORE: Tables = { all: allTables, byId: tableType, clock: "gpu" };

export interface TableBenchmark extends Benchmark {
  /** Prepares a cell with a table of this type. Throws as `prepare` does. */
  prepareAs(type: TableType, cell: CellSpec, context: BenchContext): Promise<PreparedCell>;
}

/** The benchmark of these cells. */
export function ofTables<O extends Operation>(cells: TableCells<O>, tables: Tables = IN_CORE): TableBenchmark {
  const { operations, parameters, exists, limited } = cells;
  const tableOf = (cell: CellSpec, type = tables.byId(cell.table)) => new CellTable(cell, type, cells);
  /** Throws a UsageError if the benchmark has no such cell of this table. */
  const chosen = (cell: CellSpec, type = tables.byId(cell.table)): [CellTable, O] => {
    const unfit = cells.unfit(type);
    if (unfit) throw new UsageError(`${type.id} ${unfit}`);
    const table = tableOf(cell, type);
    return [table, operationOf(cells, table)];
  };
  const prepareAs: TableBenchmark["prepareAs"] = async (type, cell, context) => {
    const [table, operation] = chosen(cell, type);
    return cells.prepare(table, context, operation);
  };
  return {
    measures: "GPU table",
    operations,
    parameters,
    clock: tables.clock,
    runs: { api: (table) => tables.all().find(({ id }) => id === table)?.api ?? "webgpu" },
    ...(exists && { exists }),
    ...(cells.history && { history: (cell: CellSpec) => cells.history?.(tableOf(cell)) ?? null }),
    series: () => tables.all().flatMap((type) => seriesOf(cells, type)),
    tables: { typeOf: tables.byId, tableOf: (cell) => tableOf(cell).type },
    ...(limited && { limits: { patternsOf: (cell: CellSpec) => patternsOf(limited, tableOf(cell)) } }),
    bytes: (cell) => cells.bytes(...chosen(cell)),
    sharedBytes: (cell) => cells.sharedBytes?.(...chosen(cell)) ?? {},
    prepare: async (cell, context) => prepareAs(tables.byId(cell.table), cell, context),
    prepareAs,
  };
}

function patternsOf(limited: true | readonly string[], table: CellTable): readonly string[] {
  if (limited !== true) return limited;
  const access = table.access(table.cell.op);
  return access ? [access.pattern] : [];
}

const OF_TABLES: readonly string[] = TABLE_OPS;

/** Whether cells of that operation may be of the table. */
function has({ ops }: TableType, { id }: Operation): boolean {
  return !OF_TABLES.includes(id) || ops.some((op) => op === id);
}

function seriesOf<O extends Operation>(cells: TableCells<O>, type: TableType): KnownSeries[] {
  const ops = cells.operations.filter((operation) => has(type, operation)).map(({ id }) => id);
  if (cells.unfit(type) || ops.length === 0) return [];
  return [{ id: type.id, title: type.title, ops, loadFactors: !type.dense }];
}

/** The operation of the table's cell. Throws a UsageError if nothing gives the table's size, or it has no such operation. */
function operationOf<O extends Operation>(
  { operations, byBuckets, kind }: TableCells<O>,
  { cell, type }: CellTable,
): O {
  const { experiment, table, op, loadFactor, params } = cell;
  const sized = loadFactor !== null || type.dense || (byBuckets && params.buckets);
  if (!sized) {
    const or = byBuckets ? ", or buckets if it has such a parameter" : "";
    throw new UsageError(`${experiment}: ${table} needs a load factor${or}`);
  }
  const found = operations.find((operation) => operation.id === op);
  if (!found || !has(type, found)) throw new UsageError(`${type.id} has no ${op}${kind ? ` ${kind}` : ""}`);
  return found;
}

/** `unfit` of benchmarks that check values. */
export function withoutValues({ answers }: TableType): string {
  return answers ? `answers with ${answers}s, not values` : "";
}

/** `unfit` of benchmarks of tables with values that have more slots than pairs. */
export function withoutLoadFactor(type: TableType): string {
  return withoutValues(type) || (type.dense ? "has no load factor to choose" : "");
}
