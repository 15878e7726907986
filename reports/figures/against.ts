/** The values of cells over, or minus, those of another table at the same place of the grid. */
import type { Experiment, FigureSpec } from "../../bench/base/experiment.js";
import { joined } from "../../bench/base/format.js";
import type { ResultRow } from "../../bench/results/record.js";
import { ENVIRONMENT_FIELDS, fieldValue, isDeclared, isOnAdapter, LIMIT_METRIC, type MeasuredCell } from "./rows.js";

type Against = NonNullable<FigureSpec["against"]>;

/** Columns that two cells have to share beside the parameters that both have. */
const PLACE = [...ENVIRONMENT_FIELDS, "bench", "op", "dataset", "n", "load_factor", "positive_ratio", "seed"] as const;

/** The cells of all other tables, each with what the figure draws of it put in relation to its partner. */
export function relativeCells(experiment: Experiment, cells: readonly MeasuredCell[]): readonly MeasuredCell[] {
  const { figure, series } = experiment;
  const { against } = figure;
  if (!against) return cells;
  const { table, as } = against;
  const x = figure.x.field;
  if (typeof table !== "string") {
    return cells
      .filter(({ last }) => isDeclared(experiment, last))
      .flatMap((cell) => {
        const partner = table[cell.last.table];
        const ofPartner = ({ last }: MeasuredCell) =>
          last.table === partner && last.variant === "" && last.run === cell.last.run && isOnAdapter(last);
        const others = cells.filter(ofPartner);
        // Originals have fewer places along the axis than ports.
        const hasPlace = others.length === 0 || others.some((one) => fieldValue(one, x) === fieldValue(cell, x));
        return partner && hasPlace ? [relative(cell, others, { partner, as, x })] : [];
      });
  }
  const { variant = "" } = series.find((one) => one.table === table) ?? {};
  const isOther = ({ last }: MeasuredCell) => last.table === table && last.variant === variant;
  const others = cells.filter(isOther);
  return cells.filter((cell) => !isOther(cell)).map((cell) => relative(cell, others, { partner: table, as, x }));
}

interface Relation extends Pick<Against, "as"> {
  /** Id of the table that others are put in relation to. */
  readonly partner: string;
  /** The figure's field along x. */
  readonly x: string;
}

function relative(
  cell: MeasuredCell,
  others: readonly MeasuredCell[],
  { partner: table, as, x }: Relation,
): MeasuredCell {
  if (cell.last.status !== "ok") return cell;
  const missing = (reason: string): MeasuredCell => ({ ...cell, missing: reason });
  const [partner, ...more] = others.filter((other) => samePlace(other.last, cell.last));
  if (!partner) return missing(`no cell of ${table} at its place`);
  if (more.length > 0) return missing(`${more.length + 1} cells of ${table} at its place`);
  const { status, reason } = partner.last;
  if (status !== "ok") return missing(`${table}: ${joined([status, reason])}`);
  const metrics = new Map<string, ResultRow>();
  for (const [metric, row] of cell.metrics) {
    // A limit is not a rate of one of the tables.
    if (metric === LIMIT_METRIC) continue;
    const other = partner.metrics.get(metric);
    const place = x === `metric.${metric}`;
    metrics.set(metric, place ? row : other ? related(row, other, as) : { ...row, value: null });
  }
  return { ...cell, metrics };
}

/** Same operation, data, sizes, environment and parameters that both have. */
export function samePlace(a: ResultRow, b: ResultRow): boolean {
  const columns = PLACE as readonly (keyof ResultRow)[];
  const shared = Object.keys(a.params).filter((name) => name in b.params);
  return (
    columns.every((column) => a[column] === b[column]) && shared.every((name) => a.params[name] === b.params[name])
  );
}

/** The ends of an interval are the least favourable ones: it holds whatever the two intervals hold. */
export function related(row: ResultRow, other: ResultRow, as: Against["as"]): ResultRow {
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
