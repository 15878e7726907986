/**
 * Times `SELECT key, aggregates FROM rows GROUP BY key` as a whole problem: rows on the device, groups on the device. A sample is all
 * passes, that of the sample of the rows included. The operation `distinct` finds the first row of each key in the same way; `ids` numbers different
 * keys by a sort, and tells each row that of its key. Beside them, what no plan can avoid: reading the rows, and an RMW for each row, at a
 * place that is known.
 */
import { QUERY_NAMES, type QueryName } from "../../datasets/tpch/queries.js";
import { mix32 } from "../../kernels/common/random.js";
import { groupsFor } from "../../kernels/common/steps.js";
import { dispatch } from "../../kernels/device/bind.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import { makeDistinct } from "../../kernels/group-by/distinct.js";
import {
  type GroupByOptions,
  type GroupRoom,
  type GroupRows,
  type Groups,
  makeGroupBy,
} from "../../kernels/group-by/group-by.js";
import { makeSortedIds } from "../../kernels/group-by/ids.js";
import { AGGREGATES, type Aggregate, MOST_COLUMNS } from "../../kernels/group-by/layout.js";
import { PLANS, type Plan } from "../../kernels/group-by/plan.js";
import type { Api, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { exact } from "../results/metrics.js";
import { type BenchContext, type Benchmark, movedBytes, type PreparedCell } from "./benchmark.js";
import { real, whole } from "./parameters.js";
import { GroupedRows, groupsOf, SHAPES, type Shape } from "./workload/grouped.js";

const [GROUP, DISTINCT, IDS] = ["group", "distinct", "ids"];
const SORTED = "sorted-rows";
/** A limit itself. */
const MODIFY = "group-modify";
const SERIES = [
  { id: "group-by", title: "Group-by", ops: [GROUP, DISTINCT] },
  { id: SORTED, title: "Sorted rows", ops: [IDS] },
  { id: "group-read", title: "Rows read", ops: [GROUP] },
  { id: MODIFY, title: "RMWs at known places", ops: [GROUP] },
] as const;

/** A group-by in a program of its own, which adds one column up. */
export interface OutsideGroupBy {
  readonly id: string;
  readonly title: string;
  readonly api: Api;
  /** Of the device, for so many rows. */
  bytes(n: number): number;
  /** @param room groups that the rows may be in. Throws DoesNotFit. */
  make(
    gpu: Owner,
    rows: GroupRows,
    room: number,
  ): Promise<{
    run(): Promise<Pick<Groups, "ns" | "groups">>;
    /** Of the last run. */
    answer(): Promise<GroupRoom>;
  }>;
}

const outside: OutsideGroupBy[] = [];
const outsideOf = (table: string) => outside.find(({ id }) => id === table);

/** Adds a series at run time (`--native`). */
export function registerGroupBy(one: OutsideGroupBy): void {
  outside.push(one);
}

/** What `aggregates` may be. */
const WANTED: Readonly<Record<string, readonly Aggregate[]>> = {
  ...Object.fromEntries(AGGREGATES.map((one) => [one, [one]])),
  all: ["sum64", "min", "max", "count"],
};
const TUNING = ["lanes", "slots", "reach", "turns", "workgroups"] as const satisfies readonly (keyof GroupByOptions)[];

/** Parameters of rows. */
export const OF_ROWS = [
  whole("groups", 1, 2 ** 30, "groups that rows may be in"),
  { name: "shape", values: SHAPES, meaning: "how rows are spread over them" },
  real("skew", 0, 4, "exponent of the shape zipf"),
] as const;

export const groupByBenchmark: Benchmark = {
  measures: "query",
  operations: [{ id: GROUP }, { id: DISTINCT }, { id: IDS }],
  series: () => [...SERIES, ...outside.map(({ id, title }) => ({ id, title, ops: [GROUP] }))],
  parameters: [
    ...OF_ROWS,
    {
      name: "query",
      values: QUERY_NAMES,
      meaning: "rows of lineitem that it groups, in place of groups and shape",
    },
    whole("present", 0, 0, "as of the benchmark rows: sorted rows have no keys before"),
    whole("columns", 1, MOST_COLUMNS, "columns of values"),
    { name: "aggregates", values: Object.keys(WANTED), meaning: "what is wanted of each column" },
    { name: "plan", values: PLANS, meaning: "the plan, in place of the one that a sample is for" },
    whole("lanes", 64, 1024, "lanes of workgroups with a table in their memory"),
    whole("slots", 8, 2 ** 14, "slots of that table"),
    whole("reach", 1, 2 ** 10, "slots of it that a search looks at"),
    { name: "sparse", values: [true, false], meaning: "there are far fewer groups than slots" },
    whole("turns", 1, 2 ** 10, "turns of a tile, four rows a lane each"),
    whole("workgroups", 1, 2 ** 16, "workgroups that take tiles, at most"),
  ],
  clock: "gpu",
  runs: { api: (table) => outsideOf(table)?.api ?? "webgpu" },
  limits: { patternsOf: ({ table }) => (table === MODIFY || outsideOf(table)?.api === "cpu" ? [] : ["copy"]) },
  bytes(cell) {
    const { n, params } = cell;
    const groups = params.query === undefined ? groupsOf(specOf(cell)) : n;
    const own = outsideOf(cell.table)?.bytes(n) ?? 0;
    // Rows; twice as much where they are partitioned, more for the scratch of a sort; the tables and answers of as many groups as rows.
    return rowBytes(cell) + (cell.op === IDS ? 24 : 16) * n + 24 * Math.min(n, groups) + own;
  },
  sharedBytes: (cell) => (cell.params.query === undefined ? {} : { [queriedName(cell)]: rowBytes(cell) }),
  prepare(cell, context) {
    const program = outsideOf(cell.table);
    if (program) return prepareOutside(program, cell, context);
    if (cell.table === SORTED) return prepareIds(cell, context);
    return (cell.table === "group-by" ? prepareGroupBy : prepareLimit)(cell, context);
  },
};

const rowBytes = ({ n, params }: CellSpec) => 4 * n * (1 + columnsOf(params));

/** The rows of a cell. Throws a UsageError where the number of their groups is missing. */
export function specOf({ experiment, n, seed, params }: CellSpec) {
  const { groups = 1, shape = "even", skew = 1 } = params;
  if (params.groups === undefined && shape !== "q1" && shape !== "orders")
    throw new UsageError(`${experiment}: parameter groups is missing`);
  return { n, seed, groups: Number(groups), shape: shape as Shape, skew: Number(skew), columns: columnsOf(params) };
}

const columnsOf = ({ columns = 1 }: CellSpec["params"]) => Number(columns);

/** Cells of other plans have the same rows. */
const queriedName = ({ n, params }: CellSpec) => `lineitem's rows of ${params.query}, ${columnsOf(params)}, ${n}`;

async function prepareGroupBy(cell: CellSpec, { gpu, shared }: BenchContext): Promise<PreparedCell> {
  const { n, params } = cell;
  const tuning = Object.fromEntries(
    TUNING.filter((name) => name in params).map((name) => [name, Number(params[name])]),
  );
  const { plan, sparse } = params as { readonly plan?: Plan; readonly sparse?: boolean };
  const options = { ...tuning, plan, ...(sparse !== undefined && { sparse }) };
  const runs: RunSteps = (...pass) => gpu.time(...pass);
  if (cell.op === DISTINCT) {
    const rows = await GroupedRows.make(gpu, specOf(cell));
    const by = await makeDistinct(gpu, options);
    return ofQuery(rows, {
      run: () => by.run(runs, rows),
      found: ({ distinct }) => distinct,
      bytes: (distinct) => 4 * rows.n + rows.n / 8 + 4 * distinct,
      wrong: (answer) => rows.wrongFirsts(answer),
    });
  }
  const columns = columnsOf(params);
  const rows =
    params.query === undefined
      ? await GroupedRows.make(gpu, specOf(cell))
      : await shared.get(gpu, queriedName(cell), (own) =>
          GroupedRows.ofQuery(own, params.query as QueryName, n, columns),
        );
  const aggregates = WANTED[String(params.aggregates ?? "sum")] ?? [];
  const by = await makeGroupBy(gpu, { ...options, columns, aggregates });
  return ofQuery(rows, {
    run: () => by.run(runs, rows),
    found: ({ groups }) => groups,
    bytes: (groups) => rowBytes(cell) + 4 * (1 + by.words.length) * groups,
    wrong: (answer) => rows.wrong(answer, by.words),
  });
}

async function prepareIds(cell: CellSpec, { gpu }: BenchContext): Promise<PreparedCell> {
  const rows = await GroupedRows.make(gpu, { ...specOf(cell), columns: 0 });
  const { steps, ids, distinct } = await makeSortedIds(gpu, rows.n);
  return ofQuery(rows, {
    async run() {
      const { ns } = await gpu.time(steps(rows.keys));
      return { ns, plan: "sort" as const, restarts: 0, distinct: await distinct() };
    },
    found: ({ distinct }) => distinct,
    bytes: () => 8 * rows.n,
    wrong: () => rows.wrongIds(ids, 0),
  });
}

async function prepareOutside(program: OutsideGroupBy, cell: CellSpec, { gpu }: BenchContext): Promise<PreparedCell> {
  const { op, table, params } = cell;
  const { query, aggregates = "sum" } = params;
  if (op !== GROUP || query !== undefined || aggregates !== "sum" || columnsOf(params) !== 1)
    throw new UsageError(`${table} adds up one column of rows that are made`);
  const spec = specOf(cell);
  const rows = await GroupedRows.make(gpu, spec);
  const by = await program.make(gpu, rows, Math.min(spec.n, groupsOf(spec)));
  const prepared = ofQuery(rows, {
    run: () => by.run(),
    found: ({ groups }) => groups,
    bytes: (groups) => rowBytes(cell) + 8 * groups,
    wrong: async ({ groups }) => rows.wrong({ ...(await by.answer()), groups }, [{ of: "sum", column: 0 }]),
  });
  return program.api === "cpu" ? { ...prepared, access: null } : prepared;
}

interface Query<Answer> {
  run(): Promise<Answer>;
  /** Groups, or different keys. */
  found(answer: Answer): number;
  /** Those of the rows, and of so many groups, or different keys. */
  bytes(found: number): number;
  wrong(answer: Answer): Promise<string>;
}

/** The cell of a query, whose samples are alike. */
function ofQuery<Answer extends Pick<Groups, "ns"> & Partial<Pick<Groups, "plan" | "restarts">>>(
  rows: Pick<GroupedRows, "n" | "digest">,
  query: Query<Answer>,
): PreparedCell {
  let answer: Answer | undefined;
  let restarts = 0;
  return {
    mutates: false,
    repeats: false,
    sample: async () => {
      answer = await query.run();
      restarts += answer.restarts ?? 0;
      return answer.ns;
    },
    operations: rows.n,
    dataHash: rows.digest,
    // Rows are read once, and what is found is written once.
    get access() {
      return movedBytes(query.bytes(answer ? query.found(answer) : 0), rows.n);
    },
    verify: async () => (answer ? query.wrong(answer) : "no answer"),
    metrics: async () => [
      exact("groups", answer ? query.found(answer) : 0),
      ...(answer?.plan ? [exact("group_plan", PLANS.indexOf(answer.plan)), exact("restarts", restarts)] : []),
    ],
  };
}

/** Of a row that one more run reads. */
const NEEDLE = 0x01234567;

async function prepareLimit(cell: CellSpec, { gpu }: BenchContext): Promise<PreparedCell> {
  const spec = specOf(cell);
  // Whole fours.
  const n = spec.n - (spec.n % 4);
  const rows = await GroupedRows.make(gpu, { ...spec, n, columns: 1 });
  const [column] = rows.columns;
  if (!column) throw new Error("no column");
  const reads = cell.table === "group-read";
  const bits = Math.max(4, Math.ceil(Math.log2(1.5 * groupsOf(spec))));
  const sums = await gpu.alloc("sums at known places", reads ? 16 : 8 * 2 ** bits);
  const kernel = await gpu.kernel({
    file: "bench/scenarios/limits/grouped.wgsl",
    entry: reads ? "read_rows" : "modify_sums",
    takes: ["keys", "column", "sums", "plan"],
  });
  const plan = { rows: n, shift: 32 - bits };
  const step = dispatch(kernel, groupsFor(reads ? n / 64 : n / 4), { keys: rows.keys, column, sums, plan });
  const run = async () => (await gpu.time([step])).ns;
  return {
    // Sums grow from run to run, which takes as long.
    mutates: false,
    repeats: false,
    sample: run,
    operations: n,
    dataHash: rows.digest,
    access: reads ? movedBytes(8 * n, n) : null,
    verify: async () => {
      const [key = 0] = await gpu.read(rows.keys, 1, n - 1);
      const [value = 0] = await gpu.read(column, 1, n - 1);
      const place = reads ? 0 : 2 * (mix32(key) >>> plan.shift) + 1;
      const added = async () => {
        const [before = 0] = await gpu.read(sums, 1, place);
        await run();
        const [after = 0] = await gpu.read(sums, 1, place);
        return (after - before) >>> 0;
      };
      const usual = await added();
      gpu.write(column, 4 * (n - 1), Uint32Array.of((value + NEEDLE) >>> 0));
      const more = ((await added()) - usual) >>> 0;
      gpu.write(column, 4 * (n - 1), Uint32Array.of(value));
      return more === NEEDLE ? "" : "the last row was not read";
    },
    metrics: async () => [],
  };
}
