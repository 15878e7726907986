/** The lines of a figure that show the device's limits. */
import type { Experiment } from "../../bench/base/experiment.js";
import { describe, joined } from "./order.js";
import type { LimitPoint, Placed, PlotPoint } from "./plot-data.js";
import { ENVIRONMENT_FIELDS, tableName } from "./rows.js";

/** One line a panel, and one an operation and device where these split the panel's series. */
export function limitPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  points: readonly PlotPoint[],
  splitters: readonly string[],
  xs: readonly (number | string)[],
): LimitPoint[] {
  const { limit } = experiment.figure.beside ?? {};
  const telling = splitters.filter((field) => field === "op" || ENVIRONMENT_FIELDS.includes(field));
  const apart = limit === true ? limitGroups(experiment, placed, points) : () => "";
  const best = new Map<string, LimitPoint>();
  placed.forEach((p, i) => {
    const y = points[i]?.limit ?? null;
    if (y === null || !limit || (limit !== true && p.cell.last.table !== limit)) return;
    const line = joined(["limit", apart(p), ...telling.map((field) => describe(p, field))]);
    const key = JSON.stringify([p.panel, line, p.x]);
    const before = best.get(key);
    if (!before || before.y < y) best.set(key, { panel: p.panel, line, x: p.x, y });
  });
  return [...best.values()].sort((a, b) => xs.indexOf(a.x) - xs.indexOf(b.x));
}

/** Limits nearer than this are one line. */
const SAME_LIMIT = 0.97;
/** More tables than this are not named. */
const NAMED = 3;

/**
 * Tables that read different amounts have different limits: for a place, the tables whose limit its own is; "" where all of its panel and
 * operation have one.
 */
function limitGroups(experiment: Experiment, placed: readonly Placed[], points: readonly PlotPoint[]) {
  const highest = new Map<string, Map<string, number>>();
  const scope = ({ panel, cell }: Placed): string => JSON.stringify([panel, cell.last.op, cell.last.positive_ratio]);
  placed.forEach((p, i) => {
    const y = points[i]?.limit ?? null;
    if (y === null) return;
    const own = highest.get(scope(p)) ?? new Map<string, number>();
    highest.set(scope(p), own.set(p.cell.last.table, Math.max(y, own.get(p.cell.last.table) ?? 0)));
  });
  return (p: Placed): string => {
    const levels = [...(highest.get(scope(p)) ?? [])].sort(([, a], [, b]) => b - a);
    const groups: string[][] = [];
    let top = Number.POSITIVE_INFINITY;
    for (const [table, level] of levels) {
      if (level < SAME_LIMIT * top || groups.length === 0) {
        groups.push([]);
        top = level;
      }
      groups.at(-1)?.push(table);
    }
    if (groups.length < 2) return "";
    const own = groups.find((tables) => tables.includes(p.cell.last.table)) ?? [];
    const largest = groups.reduce((a, b) => (b.length > a.length ? b : a));
    if (own === largest && own.length > NAMED) return "other tables";
    return own.length > NAMED ? `${own.length} tables` : own.map((table) => tableName(experiment, table)).join(", ");
  };
}
