/** The values of cells over, or minus, those of another table at the same place of the grid. */
import type { Experiment, FigureSpec } from "../bench/experiment.js";
import type { ResultRow } from "../bench/results/record.js";
import { ENVIRONMENT_FIELDS, LIMIT_METRIC, type MeasuredCell } from "./rows.js";

type Against = NonNullable<FigureSpec["against"]>;

/** What two cells have to share beside the parameters that both have. */
const PLACE = [...ENVIRONMENT_FIELDS, "bench", "op", "dataset", "n", "load_factor", "positive_ratio", "seed"] as const;

/** The cells of all other tables, each with what the figure draws of it put in relation to its partner. */
export function relativeCells({ figure, series }: Experiment, cells: readonly MeasuredCell[]): readonly MeasuredCell[] {
  const { against } = figure;
  if (!against) return cells;
  const { variant = "" } = series.find(({ table }) => table === against.table) ?? {};
  const isOther = ({ last }: MeasuredCell) => last.table === against.table && last.variant === variant;
  const others = cells.filter(isOther);
  return cells.filter((cell) => !isOther(cell)).map((cell) => relative(cell, others, against, figure.x.field));
}

function relative(cell: MeasuredCell, others: readonly MeasuredCell[], against: Against, x: string): MeasuredCell {
  if (cell.last.status !== "ok") return cell;
  const missing = (reason: string): MeasuredCell => ({ ...cell, missing: reason });
  const [partner, ...more] = others.filter((other) => samePlace(other.last, cell.last));
  if (!partner) return missing(`no cell of ${against.table} at its place`);
  if (more.length > 0) return missing(`${more.length + 1} cells of ${against.table} at its place`);
  const { status, reason } = partner.last;
  if (status !== "ok") return missing(`${against.table}: ${[status, reason].filter((part) => part !== "").join(", ")}`);
  const metrics = new Map<string, ResultRow>();
  for (const [metric, row] of cell.metrics) {
    // A limit is not a rate of one of the tables.
    if (metric === LIMIT_METRIC) continue;
    const other = partner.metrics.get(metric);
    const place = x === `metric.${metric}`;
    metrics.set(metric, place ? row : other ? related(row, other, against.as) : { ...row, value: null });
  }
  return { ...cell, metrics };
}

function samePlace(a: ResultRow, b: ResultRow): boolean {
  const columns = PLACE as readonly (keyof ResultRow)[];
  const shared = Object.keys(a.params).filter((name) => name in b.params);
  return (
    columns.every((column) => a[column] === b[column]) && shared.every((name) => a.params[name] === b.params[name])
  );
}

/** The ends of an interval are the least favourable ones: it holds whatever the two intervals hold. */
function related(row: ResultRow, other: ResultRow, as: Against["as"]): ResultRow {
  const combine = (a: number | null, b: number | null): number | null =>
    a === null || b === null ? null : as === "ratio" ? a / b : a - b;
  const exact = (row.lo ?? row.hi ?? other.lo ?? other.hi) === null;
  return {
    ...row,
    value: combine(row.value, other.value),
    lo: exact ? null : combine(row.lo ?? row.value, other.hi ?? other.value),
    hi: exact ? null : combine(row.hi ?? row.value, other.lo ?? other.value),
    unit: as === "ratio" ? "" : row.unit,
    samples: Math.min(row.samples, other.samples),
  };
}
