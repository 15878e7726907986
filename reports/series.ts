/** From result rows to what a figure draws: points by series and panel, the limit, and the cells without a number. */
import type { Experiment } from "../bench/experiment.js";
import { groupBy } from "../bench/results/group.js";
import type { ResultRow } from "../bench/results/record.js";
import type { Scalar } from "../kernels/table.js";
import { relativeCells } from "./against.js";
import { curvesOf, linesOf } from "./curves.js";
import { paretoFront } from "./front.js";
import { paperPoints, paperRanges, paperUprights } from "./paper.js";
import type { LimitPoint, Place, Placed, PlotData, PlotPoint } from "./plot-data.js";
import { referencePoints } from "./references.js";
import {
  byDeclaration,
  cellKey,
  cellsOf,
  declaredOrder,
  describeField,
  ENVIRONMENT_FIELDS,
  fieldValue,
  isNative,
  LIMIT_METRIC,
  type MeasuredCell,
  panelName,
  placeAlong,
  scaledX,
  seriesIndex,
  seriesName,
  tableName,
} from "./rows.js";
import { freeColors } from "./style.js";
import { sameUnit } from "./units.js";

/**
 * Fields that may distinguish cells of the same series, panel and x, in the order in which they are tried. `params.*` stand
 * before `n`.
 */
const SPLITTERS = ["op", "dataset", "positive_ratio", "load_factor"];

/** By their order. */
const regressions = { 0: () => [], 1: linesOf, 2: curvesOf } as const;

/** Why a figure with a log y axis draws less than one with a linear one. */
export const NOT_ON_LOG = "the value is not above 0 on a log axis";

interface Lost extends Place {
  readonly reason: string;
}

/**
 * The figure's points out of any rows. A cell that did not end well, or has no value to draw, is counted in `missing`
 * with its reason and never becomes a point. Cells that would fall on one another get series of their own.
 */
export function plotData(experiment: Experiment, rows: readonly ResultRow[]): PlotData {
  return plotDataOf(experiment, cellsOf(experiment, rows));
}

/** The same out of cells. */
export function plotDataOf(experiment: Experiment, cells: readonly MeasuredCell[]): PlotData {
  const placed: Placed[] = [];
  const lost: Lost[] = [];
  for (const cell of relativeCells(experiment, cells)) {
    for (const place of locate(experiment, cell)) {
      const y = drawnValue(experiment, place);
      if (y === null) continue;
      if (typeof y === "number" && place.x !== null) placed.push({ ...place, x: place.x, y });
      else lost.push({ ...place, reason: typeof y === "string" ? y : withoutX(experiment) });
    }
  }
  const splitters = findSplitters(placed);
  const sides = splitters.filter((f) => ENVIRONMENT_FIELDS.includes(f));
  const others = splitters.filter((f) => !sides.includes(f));
  // The device last: what stands before it has one colour on all.
  const base = once((p: Place): string => joined([p.series, ...others.map((f) => describe(p, f))]));
  const side = once((p: Place): string => joined(sides.map((f) => describe(p, f))));
  const name = once((p: Place): string => joined([base(p), side(p)]));
  const order = byPlace(experiment, splitters);
  const headings = (places: readonly Place[]): string[] => {
    // Of those that the order takes for one, the first.
    const first = [...groupBy(places, panelKey(experiment)).values()].map(([place]) => place);
    return [...new Set(first.sort(byPanel(experiment)).map((p) => p.panel))];
  };
  const ordered = placed.toSorted(order);
  const gapsBefore = gaps(lost, name);
  const points = overFirst(
    experiment,
    ordered.map((p) => toPoint(experiment, p, name(p), gapsBefore(p))),
  );
  const xs = [...new Set(placed.map((p) => p.x))].sort(compareX(experiment));
  const declared = experiment.series.length;
  const references = referencePoints(experiment, ordered, xs);
  const bases = [...new Set(ordered.map(base))];
  const sideNames = [...new Set(placed.map(side))];
  // Of rows that are older than the declaration, or of a table added by hand.
  const indexOf = once((p: Place): number => seriesIndex(experiment, p.cell.last));
  const strangers = [...new Set(ordered.filter((p) => indexOf(p) < 0).map(base))];
  const drawn = ordered.map(indexOf).filter((index) => index >= 0);
  // Rather a colour that no declared series has, on other devices either.
  const free = freeColors(drawn).toSorted((a, b) => Number(b >= declared) - Number(a >= declared));
  return {
    series: [...groupBy(ordered, name)].flatMap(([label, [first]], i) => {
      if (!first) return [];
      const index = indexOf(first);
      return {
        name: label,
        index:
          others.length > 0 || experiment.figure.only
            ? bases.indexOf(base(first))
            : index < 0
              ? (free[strangers.indexOf(base(first))] ?? declared + i)
              : index,
        ...(isNative(first.cell.last) && { native: true as const }),
        ...(sides.length > 0 && { side: sideNames.indexOf(side(first)) }),
      };
    }),
    panels: headings(placed),
    headings: headings([...placed, ...lost]),
    xs,
    points,
    limits: limitPoints(experiment, ordered, points, splitters, xs),
    curves: regressions[experiment.figure.regression ?? 0](points),
    front: experiment.figure.front ? [...groupBy(points, (p) => p.panel).values()].flatMap(paretoFront) : [],
    references,
    referenceSeries: [...new Set(references.map(({ series }) => series))].map((name, index) => {
      return { name, index, reference: true };
    }),
    paper: paperPoints(experiment, ordered, xs, name),
    paperRanges: paperRanges(experiment, ordered, name),
    paperUprights: paperUprights(experiment, ordered),
    missing: lost.toSorted(or(byPanel(experiment), order)).map((l) => {
      const { last } = l.cell;
      return { cell: cellKey(last), series: name(l), panel: l.panel, x: l.x, status: last.status, reason: l.reason };
    }),
    unit: placed[0]?.cell.metrics.get(placed[0].metric)?.unit ?? "",
  };
}

/** Why a cell that has a value has no place in the figure. */
function withoutX({ figure: { x } }: Experiment): string {
  return x.field.startsWith("metric.") ? x.field.replace("metric.", "no metric ") : `no ${x.title}`;
}

/** One place a metric that the figure shows. */
function locate(experiment: Experiment, cell: MeasuredCell): Place[] {
  const { x: channel, facet, metric, panels } = experiment.figure;
  const raw = placeAlong(cell, channel.field);
  const x = typeof raw === "number" ? scaledX(experiment, raw) : raw === null ? null : String(raw);
  const series = seriesName(experiment, cell.last);
  const facetName = panelName(facet, cell);
  // Data sets are called what the command line calls them.
  const heading = facet?.field.startsWith("dataset") ? facetName : capitalised(facetName);
  if (!panels) return [{ cell, metric, series, panel: heading, x }];
  return panels.map((own) => ({ cell, metric: own.metric, series, panel: joined([own.title, facetName]), x }));
}

/** y of the cell's point, or the reason why it has none; null where the cell measures other metrics only. */
function drawnValue({ figure }: Experiment, { cell, metric, x }: Place): number | string | null {
  const { status, reason } = cell.last;
  if (status !== "ok") return reason === "" ? status : `${status}, ${reason}`;
  if (cell.missing !== undefined) return cell.missing;
  const row = cell.metrics.get(metric);
  if (!row) return null;
  if (row.value === null || !Number.isFinite(row.value)) return `no value of ${metric}`;
  const y = row.value * (figure.y.factor ?? 1);
  if (isLog(figure.x.scale) && typeof x === "number" && x <= 0) return `${figure.x.title} is not above 0 on a log axis`;
  if (isLog(figure.y.scale) && y <= 0) return NOT_ON_LOG;
  return y;
}

/** Of a point: how many cells of its series and panel have no number at smaller x. */
function gaps(lost: readonly Lost[], name: (place: Place) => string): (p: Placed) => number {
  const key = (p: Place): string => JSON.stringify([p.panel, name(p)]);
  const lines = groupBy(lost, key);
  return (p) => {
    const { x } = p;
    if (typeof x !== "number" || lines.size === 0) return 0;
    return (lines.get(key(p)) ?? []).filter((l) => typeof l.x === "number" && l.x < x).length;
  };
}

/** What it is of an object, worked out when it is first asked for. */
function once<T extends object, Value extends string | number>(of: (item: T) => Value): (item: T) => Value {
  const known = new Map<T, Value>();
  return (item) => {
    const value = known.get(item) ?? of(item);
    known.set(item, value);
    return value;
  };
}

function toPoint(experiment: Experiment, place: Placed, series: string, segment: number): PlotPoint {
  const { cell, metric, panel, x, y } = place;
  const row = cell.metrics.get(metric);
  const limit = cell.metrics.get(LIMIT_METRIC);
  const factor = experiment.figure.y.factor ?? 1;
  const scaled = (value: number | null | undefined): number | null => (value == null ? null : value * factor);
  const { n, dataset } = cell.last;
  return {
    series,
    panel,
    x,
    y,
    lo: scaled(row?.lo),
    hi: scaled(row?.hi),
    segment,
    n,
    dataset,
    limit: row && limit && sameUnit(row.unit, limit.unit) ? scaled(limit.value) : null,
    samples: row?.samples ?? 0,
  };
}

/** Each point over that of its series and panel at the figure's `over`, where it names one; a series without it has no points. */
function overFirst({ figure: { over } }: Experiment, points: readonly PlotPoint[]): readonly PlotPoint[] {
  if (over === undefined) return points;
  return [...groupBy(points, ({ series, panel }) => JSON.stringify([series, panel])).values()].flatMap((own) => {
    const base = own.find(({ x }) => x === over)?.y;
    const share = (y: number | null): number | null => (y === null || base === undefined ? null : y / base);
    return own.flatMap((p) => {
      const y = share(p.y);
      return y === null ? [] : [{ ...p, y, lo: share(p.lo), hi: share(p.hi), limit: null }];
    });
  });
}

/** The fewest fields that, added to the series' name, leave at most one cell at each place. */
function findSplitters(placed: readonly Placed[]): string[] {
  const params = new Set(placed.flatMap((p) => Object.keys(p.cell.last.params)));
  const fields = [...ENVIRONMENT_FIELDS, ...SPLITTERS, ...[...params].map((p) => `params.${p}`), "n", "bench", "seed"];
  // Devices are told apart whatever they have in common.
  const chosen = new Set(placed.map((p) => p.cell.last.device)).size > 1 ? ["device"] : [];
  const place = once((p: Placed): string => JSON.stringify([p.series, p.panel, p.x]));
  const crowds = (): Placed[][] =>
    [
      ...groupBy(placed, (p) => chosen.reduce((key, f) => `${key}\n${JSON.stringify(value(p, f))}`, place(p))).values(),
    ].filter((group) => group.length > 1);
  let crowded = crowds();
  for (const field of fields) {
    if (!crowded.some((group) => new Set(group.map((p) => value(p, field))).size > 1)) continue;
    chosen.push(field);
    crowded = crowds();
  }
  return chosen;
}

function value(p: Place, field: string): Scalar | null {
  return fieldValue(p.cell, field);
}

function describe(p: Place, field: string): string {
  return describeField(field, value(p, field));
}

/** Order of points: series as declared, then what splits them, then x. */
function byPlace(experiment: Experiment, splitters: readonly string[]): Compare {
  const rank = once((p: Place): number => {
    const index = seriesIndex(experiment, p.cell.last);
    return index < 0 ? experiment.series.length : index;
  });
  const along = compareX(experiment);
  return or(
    (a, b) => rank(a) - rank(b),
    (a, b) => (a.series === b.series ? 0 : a.series < b.series ? -1 : 1),
    ...byFields(experiment, splitters),
    (a, b) => along(a.x, b.x),
  );
}

type Compare = (a: Place, b: Place) => number;

/** The first of several orders that tells two places apart. */
function or(...orders: readonly Compare[]): Compare {
  return (a, b) => orders.reduce((sum, compare) => sum || compare(a, b), 0);
}

/** By each field's values as the experiment declares them. */
function byFields(experiment: Experiment, fields: readonly string[]): Compare[] {
  return fields.map((field) => {
    const compare = byDeclaration(declaredOrder(experiment, field));
    return (a, b) => compare(value(a, field), value(b, field));
  });
}

/** Panels in the order in which the experiment declares metrics and the facet's values. */
function byPanel(experiment: Experiment): Compare {
  const { facet, panels = [] } = experiment.figure;
  const rank = (p: Place): number => panels.findIndex(({ metric }) => metric === p.metric);
  return or((a, b) => rank(a) - rank(b), ...byFields(experiment, facet?.field.split("+") ?? []));
}

/** Equal for two places only where {@link byPanel} takes them for one and they are in one panel. */
function panelKey({ figure: { facet } }: Experiment): (p: Place) => string {
  const fields = facet?.field.split("+") ?? [];
  return (p) => JSON.stringify([p.panel, p.metric, ...fields.map((field) => value(p, field))]);
}

/** Along x: numbers by size, texts as declared. */
function compareX(experiment: Experiment): ReturnType<typeof byDeclaration> {
  const declared = declaredOrder(experiment, experiment.figure.x.field);
  return byDeclaration(declared.filter((x) => typeof x !== "number").map(String));
}

/** One line a panel, and one an operation and device where these split the panel's series. */
function limitPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  points: readonly PlotPoint[],
  splitters: readonly string[],
  xs: readonly (number | string)[],
): LimitPoint[] {
  const { limit } = experiment.figure;
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
const NAMED = 2;

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
    if (own === largest && own.length > NAMED) return "others";
    return own.length > NAMED ? `${own.length} tables` : own.map((table) => tableName(experiment, table)).join(", ");
  };
}

function isLog(scale: string | undefined): boolean {
  return scale === "log2" || scale === "log10";
}

/** `Find, 50 % present` of `find, 50 % present`; `clStash` stays. */
function capitalised(text: string): string {
  return text.replace(/^[a-z]+(?=[ ,]|$)/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}
