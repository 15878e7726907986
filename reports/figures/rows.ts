/** Result rows as figures and tables need them: one experiment's cells, the newest answer of each, fields by name. */

import { casesOf } from "../../bench/base/combine.js";
import { type Channel, type Experiment, HELD_FIELD, metricPanels, type Series } from "../../bench/base/experiment.js";
import { formatNumber, joined, rounded } from "../../bench/base/format.js";
import { slotBytes } from "../../bench/base/load-factor.js";
import { rowsOfExperiment } from "../../bench/results/by-experiment.js";
import { isSameDevice } from "../../bench/results/device-name.js";
import { environmentKey, rowKey } from "../../bench/results/key.js";
import { newestByCell, newestOf } from "../../bench/results/newest.js";
import { COLUMNS, CPU_BENCH, type ResultRow } from "../../bench/results/record.js";
import { ALLOCATION } from "../../bench/scenarios/allocation.js";
import { DEFAULT_BENCH } from "../../bench/scenarios/index.js";
import { datasetList } from "../../datasets/index.js";
import { allTables } from "../../kernels/index.js";
import type { Scalar } from "../../kernels/table.js";

/** A cell with the rows of its newest run. */
export interface MeasuredCell {
  /** One row a metric, all with status `ok`. */
  readonly metrics: ReadonlyMap<string, ResultRow>;
  /** The newest row, which says how the cell ended. */
  readonly last: ResultRow;
  /** Why a cell that ended well has nothing to draw: what it is compared with is missing. */
  readonly missing?: string;
}

/** Metric of the device's measured rate for the access that the cell's operation cannot avoid. */
export const LIMIT_METRIC = "limit_mops";

/** Tables below this are small beside a GB. */
const SMALL_MIB = 100;

/** Columns that say on what a row was measured, not what: they separate series when a folder holds several devices. */
export const ENVIRONMENT_FIELDS: readonly string[] = ["device", "driver", "dawn", "toggles"];

const columns: ReadonlySet<string> = new Set(COLUMNS);

/** The cell and the environment that were asked for last, and their key: the rows of a cell follow one another. */
let latest: { readonly cell: string; readonly environment: string; readonly key: string } | null = null;

/** Equal for two rows exactly when they are of one cell, measured in one environment. */
export function cellKey(row: ResultRow): string {
  const [cell, environment] = [rowKey(row), environmentKey(row)];
  if (latest?.cell !== cell || latest.environment !== environment)
    latest = { cell, environment, key: `${environment}\n${cell}` };
  return latest.key;
}

/**
 * The rows that the experiment's figure draws: its own, or those of the experiments that it is drawn from. The latter are empty if they
 * have none of its metrics, as they are older than these, none of the tables that it shows, or on the adapter none of those that it
 * compares with.
 */
export function rowsOf({ id, from, series, figure }: Experiment, rows: readonly ResultRow[]): readonly ResultRow[] {
  if (!from) return rowsOfExperiment(rows, id);
  const kinds = new Set(series.map(({ bench = DEFAULT_BENCH }) => bench));
  const own = rowsFrom(rows, from, kinds, shownBy({ figure, series }));
  const partners = typeof figure.against?.table === "object" ? Object.values(figure.against.table) : undefined;
  if (partners && !own.some((row) => partners.includes(row.table) && isOnAdapter(row))) return [];
  // Ports beside programs that nobody ran say nothing new.
  const programs = figure.only === "declared" ? series.filter(({ only }) => only?.loaded) : [];
  if (programs.length > 0 && !own.some((row) => programs.some(({ table }) => table === row.table))) return [];
  const metrics = metricPanels(figure).map(({ metric }) => metric);
  return own.some(({ metric, value }) => value !== null && metrics.includes(metric)) ? own : [];
}

/** Rows that `rowsFrom` found before, by its arguments. */
const filtered = new WeakMap<readonly ResultRow[], Map<string, readonly ResultRow[]>>();

/** The tables, or tables and variants, that the figure alone shows; undefined where it shows all. */
function shownBy({ figure: { only }, series }: Pick<Experiment, "figure" | "series">): readonly string[] | undefined {
  return only === "declared" ? series.map(({ table, variant = "" }) => `${table} ${variant}`) : only;
}

/** The rows of other experiments that are of these kinds and, if some are named, of these tables. Equal arguments give the same array. */
function rowsFrom(
  rows: readonly ResultRow[],
  from: readonly string[],
  kinds: ReadonlySet<string>,
  only: readonly string[] | undefined,
): readonly ResultRow[] {
  const known = filtered.get(rows) ?? new Map<string, readonly ResultRow[]>();
  filtered.set(rows, known);
  const asked = JSON.stringify([from, [...kinds], only]);
  const shows = ({ table, variant }: ResultRow) =>
    only === undefined || only.includes(table) || only.includes(`${table} ${variant}`);
  const [id = "", ...others] = from;
  const own = () =>
    others.length > 0 ? rows.filter((row) => from.includes(row.experiment)) : rowsOfExperiment(rows, id);
  const found = known.get(asked) ?? own().filter((row) => kinds.has(row.bench) && shows(row));
  known.set(asked, found);
  return found;
}

/** Cells of arrays of rows, each found once. */
const cells = new WeakMap<readonly ResultRow[], readonly MeasuredCell[]>();

/** The experiment's cells in the order of the rows. Where a cell was run more than once, its newest run counts. An array of rows must not change after it was asked for. */
export function cellsOf(experiment: Experiment, rows: readonly ResultRow[]): readonly MeasuredCell[] {
  const only = shownBy(experiment);
  const own = rowsOf(experiment, rows);
  const all = cells.get(own) ?? measuredCells(own);
  cells.set(own, all);
  if (only === undefined) return all;
  return all.filter(({ last }) => only.includes(last.table) || only.includes(`${last.table} ${last.variant}`));
}

function measuredCells(rows: readonly ResultRow[]): MeasuredCell[] {
  return [...newestByCell(rows, cellKey).values()].flatMap((run) => {
    const last = newestOf(run);
    if (!last) return [];
    const metrics = new Map<string, ResultRow>();
    if (last.status === "ok") for (const row of run) if (row.status === "ok") metrics.set(row.metric, row);
    return { metrics, last };
  });
}

/**
 * Value of a figure's field for a cell: a column of its rows, `params.<name>`, `metric.<name>`, the value of another
 * metric of the same cell, or `table_mib`. Null where the cell has none. Throws for a name that can be none of these.
 */
export function fieldValue(cell: MeasuredCell, field: string): Scalar | null {
  const [kind, name] = splitAt(field);
  if (kind === "params") return cell.last.params[name] ?? null;
  if (kind === "metric") return cell.metrics.get(name)?.value ?? null;
  if (field === "table_mib") return tableMiB(cell.last);
  if (!columns.has(field)) throw new Error(`result rows have no column "${field}"`);
  const value = cell.last[field as keyof ResultRow];
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** Table sizes in MB in place of GB where all are far below a GB, as on a software adapter. */
export function withSizeUnit(experiment: Experiment, rows: readonly ResultRow[]): Experiment {
  const { figure } = experiment;
  const { x } = figure;
  if (x.field !== "table_mib" || !x.title.endsWith("(GB)")) return experiment;
  const largest = Math.max(0, ...rowsOf(experiment, rows).map((row) => tableMiB(row) ?? 0));
  if (largest >= SMALL_MIB) return experiment;
  const inMB = { ...x, title: x.title.replace(/GB\)$/, "MB)"), factor: 1024 * (x.factor ?? 1) };
  return { ...experiment, figure: { ...figure, x: inMB } };
}

/** Size of a table with slots of 8 bytes; null without a table. Load factors stand in rows with six digits. */
function tableMiB({ n, load_factor }: ResultRow): number | null {
  return load_factor === null ? null : rounded(slotBytes(n, load_factor) / 2 ** 20, 5);
}

/** Where a cell stands along x: the field's value, or `8 + 4` of joined fields; null where it has none. */
export function placeAlong(cell: MeasuredCell, field: string): Scalar | null {
  const values = field.split("+").map((one) => fieldValue(cell, one));
  return values.length === 1 ? (values[0] ?? null) : values.includes(null) ? null : values.join(JOINT);
}

const JOINT = " + ";

/** A value of x as the channel draws it, with its factor. Rounded, so that 0.55 as per cent is 55 and not 55.00000000000001. */
export function scaledX({ figure: { x } }: Experiment, value: number): number {
  const drawn = x.as === "complement" ? 1 - value : x.as === "reciprocal" ? 1 / value : value;
  const digits = x.field === HELD_FIELD ? HELD_DIGITS : X_DIGITS[x.as ?? "itself"];
  return rounded(drawn * (x.factor ?? 1), digits);
}

/** Load factors in rows have six digits, so that 1.25n would become 1.2500001n. */
const X_DIGITS = { itself: 12, complement: 12, reciprocal: 5 } as const;
/** Tables round their slots up, to a prime for one: 10.00001 bytes are 10. */
const HELD_DIGITS = 4;

/** Values of a field in the order in which the experiment declares them; empty where it does not. */
export function declaredOrder(experiment: Experiment, field: string): readonly Scalar[] {
  const { axes, series } = experiment;
  const fields = field.split("+");
  if (fields.length > 1) {
    const cases = casesOf(axes).map((one) => fields.map((f) => one[splitAt(f)[1]]));
    return cases.filter((values) => !values.includes(undefined)).map((values) => values.join(JOINT));
  }
  const [kind, name] = splitAt(field);
  if (kind === "params") return [...new Set(casesOf(axes).flatMap((one) => one[name] ?? []))];
  const { op, dataset, loadFactor, positiveRatio } = axes;
  const orders: Readonly<Record<string, readonly Scalar[] | undefined>> = {
    table: series.map(({ table }) => table),
    variant: series.map(({ variant }) => variant ?? ""),
    experiment: experiment.from,
    op,
    dataset,
    load_factor: loadFactor && "bytes" in loadFactor ? [] : loadFactor,
    positive_ratio: positiveRatio,
  };
  return orders[field] ?? [];
}

/** Made once: `localeCompare` with options makes one a call. */
const NUMERIC = new Intl.Collator("en", { numeric: true });

/** Compares two values of a field: as declared; others after those, numbers by size, texts with numbers in them too. */
export function byDeclaration(order: readonly Scalar[]): (a: Scalar | null, b: Scalar | null) => number {
  const ranks = new Map<Scalar | null, number>(order.map((value, i): [Scalar, number] => [value, i]).reverse());
  const rank = (v: Scalar | null): number => ranks.get(v) ?? order.length;
  return (a, b) => {
    if (a === b) return 0;
    const declared = rank(a) - rank(b);
    if (declared !== 0) return declared;
    if (typeof a === "number" && typeof b === "number") return a - b;
    return NUMERIC.compare(String(a ?? ""), String(b ?? ""));
  };
}

/** Which of the experiment's series a cell belongs to: by table and variant, then by most of its own parameters. */
export function seriesIndex({ series }: Experiment, row: ResultRow): number {
  const fits = (s: Series): boolean => s.table === row.table && (s.variant ?? "") === row.variant;
  const same = (s: Series): boolean => Object.entries(s.params ?? {}).every(([k, v]) => row.params[k] === v);
  const exact = series.filter((s) => fits(s) && same(s)).sort((a, b) => count(b.params) - count(a.params));
  return exact[0] ? series.indexOf(exact[0]) : series.findIndex(fits);
}

const count = (params: Series["params"]): number => Object.keys(params ?? {}).length;

/** Whether the program of a native table measured the row on the device whose rows are beside it. */
export function isOnAdapter({ device, system }: ResultRow): boolean {
  return system.device !== undefined && isSameDevice(system.device, device);
}

/** Whether one of the experiment's series has the row's table and variant. */
export function isDeclared({ series }: Experiment, { table, variant }: ResultRow): boolean {
  return series.some((one) => one.table === table && (one.variant ?? "") === variant);
}

/** The title of a row's table; the id of one that is not known here: of a plug-in that is not loaded. */
export function titleOf({ table, system }: Pick<ResultRow, "table" | "system">): string {
  return system.title ?? allTables().find(({ id }) => id === table)?.title ?? table;
}

const API_NAMES = { webgpu: "WebGPU", cuda: "CUDA", hip: "HIP", cpu: "CPU" } as const;

/** Whether a native table's program measured the row: tables in JavaScript are of the API `cpu`, too. */
export function isNative({ api, bench }: ResultRow): boolean {
  return bench !== CPU_BENCH && api !== "webgpu";
}

/**
 * The legend's name of the cell's series: its declared label, else the table's title and the variant; parameters set by hand; the API
 * of a native table.
 */
export function seriesName(experiment: Experiment, row: ResultRow): string {
  const series = experiment.series[seriesIndex(experiment, row)];
  const declared = declaredParams(experiment);
  const byHand = Object.entries(row.params).filter(([k, v]) => !declared.has(k) && series?.params?.[k] !== v);
  const name = series?.label ?? `${titleOf(row)} ${row.variant}`.trim();
  return [name, ...byHand.map(([k, v]) => `${k} ${v}`), ...(isNative(row) ? [API_NAMES[row.api]] : [])].join(", ");
}

/** Known by experiment, as a report asks for each of its cells. */
const declarations = new WeakMap<Experiment, ReadonlySet<string>>();

/** Parameters that the experiment varies or draws along an axis. */
function declaredParams(experiment: Experiment): ReadonlySet<string> {
  const known = declarations.get(experiment);
  if (known) return known;
  const { axes, figure } = experiment;
  const along = casesOf(axes).flatMap(Object.keys);
  const drawn = [figure.x, figure.facet].flatMap((channel) => channel?.field.split("+") ?? []);
  const declared = new Set(["lookups", ALLOCATION.name, ...along, ...drawn.map((field) => splitAt(field)[1])]);
  declarations.set(experiment, declared);
  return declared;
}

/** The name of a table's first series, or its id. */
export function tableName(experiment: Experiment, table: string): string {
  return experiment.series.find((s) => s.table === table)?.label ?? table;
}

/** Names of data sets that stand in for others. */
const standsIn: ReadonlySet<string> = new Set(
  datasetList.flatMap(({ name, standsInFor }) => (standsInFor === undefined ? [] : [name])),
);

/** A field's value in words, such as `50 % present`; "" for null. */
export function describeField(field: string, value: Scalar | null): string {
  if (value === null || value === "") return "";
  const name = shortName(field);
  if (field === "dataset") return standsIn.has(String(value)) ? `${value} (stand-in)` : String(value);
  if (typeof value !== "number") return typeof value === "string" ? value : `${name} ${value}`;
  if (field === "positive_ratio") return `${formatNumber(100 * value, 3)} % present`;
  const symbol = name.length === 1;
  return `${name}${symbol ? " = " : " "}${formatNumber(value, field === "n" ? undefined : 6)}`;
}

/** Heading of a panel: the facet's value, after the title where it is a number. The field may join several with `+`. */
export function panelName(facet: Channel | undefined, cell: MeasuredCell): string {
  if (!facet) return "";
  const fields = facet.field.split("+");
  const value = fieldValue(cell, fields[0] ?? "");
  if (fields.length === 1 && typeof value === "number" && facet.field !== "positive_ratio") {
    const [, title = facet.title, unit = ""] = /^(.*?)\s*\((.*)\)$/.exec(facet.title) ?? [];
    return `${title}: ${formatNumber(value * (facet.factor ?? 1), 6)} ${unit}`.trim();
  }
  const parts = fields.map((field) => {
    const part = fieldValue(cell, field);
    return facet.names?.[String(part)] ?? describeField(field, part);
  });
  // A table may be called as what it does.
  return joined([...new Set(parts)]);
}

function shortName(field: string): string {
  return splitAt(field)[1].replaceAll("_", " ") || field.replaceAll("_", " ");
}

/** `params` and `r` of `params.r`. */
function splitAt(field: string): [string, string] {
  const at = field.indexOf(".");
  return at < 0 ? [field, ""] : [field.slice(0, at), field.slice(at + 1)];
}
