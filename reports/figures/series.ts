/** From result rows to what a figure draws: points by series and panel, the limit, and the cells without a number. */
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import { joined } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import { isWide, type ResultRow } from "../../bench/results/record.js";
import { isAccess } from "../../bench/results/references.js";
import { accessName } from "../../bench/scenarios/access-name.js";
import { relativeCells } from "./against.js";
import { curvesOf, linesOf } from "./curves.js";
import { paretoFront } from "./front.js";
import { limitPoints } from "./limit-lines.js";
import { looksOf } from "./looks.js";
import { byPanel, byPlace, compareX, describe, or, panelKey, value } from "./order.js";
import { paperPoints, paperRanges, paperUprights } from "./paper.js";
import type { Named, Names, Place, Placed, PlotData, PlotPoint } from "./plot-data.js";
import { referencePoints } from "./references.js";
import {
  cellKey,
  cellsOf,
  ENVIRONMENT_FIELDS,
  isNative,
  LIMIT_METRIC,
  type MeasuredCell,
  panelName,
  placeAlong,
  scaledX,
  seriesIndex,
  seriesName,
} from "./rows.js";
import { sameUnit } from "./units.js";

/**
 * Fields that may distinguish cells of the same series, panel and x, in the order in which they are tried. `params.*` stand
 * before `n`.
 */
const SPLITTERS = ["op", "dataset", "positive_ratio", "load_factor"];

const regressions = { none: () => [], front: () => [], line: linesOf, parabola: curvesOf } as const;

/** Why a figure with a log y axis draws less than one with a linear one. */
export const NOT_ON_LOG = "the value is not above 0 on a log axis";

interface Lost extends Named {
  readonly reason: string;
}

/**
 * The places, with the ids of tables and variants whose series have one name and cells at one place. A name that several series share
 * for different places, such as the bytes of reads and of lookups, is one line.
 */
function distinguished(places: readonly Place[]): Place[] {
  const id = ({ cell: { last } }: Place): string => `${last.table} ${last.variant}`.trim();
  const spot = (p: Place): string =>
    JSON.stringify([
      p.series,
      p.metric,
      p.panel,
      p.x,
      ...[...ENVIRONMENT_FIELDS, ...SPLITTERS].map((f) => value(p, f)),
    ]);
  const isShared = (own: readonly Place[]): boolean => new Set(own.map(id)).size > 1;
  const shared = [...groupBy(places, ({ series }) => series).values()].filter(isShared);
  const clashes = new Set(
    shared.filter((own) => [...groupBy(own, spot).values()].some(isShared)).map(([first]) => first.series),
  );
  return places.map((p) => (clashes.has(p.series) ? { ...p, series: `${p.series} (${id(p)})` } : p));
}

/**
 * The figure's points out of any rows. A cell that did not end well, or has no value to draw, is counted in `missing`
 * with its reason and never becomes a point. Cells that would fall on one another get series of their own.
 */
export function plotData(experiment: Experiment, rows: readonly ResultRow[]): PlotData {
  return plotDataOf(experiment, cellsOf(experiment, rows));
}

/** The same from cells. */
export function plotDataOf(experiment: Experiment, cells: readonly MeasuredCell[]): PlotData {
  const found: Omit<Placed, keyof Names>[] = [];
  const without: Omit<Lost, keyof Names>[] = [];
  const places = relativeCells(experiment, cells).flatMap((cell) => locate(experiment, cell));
  for (const place of distinguished(places)) {
    const y = drawnValue(experiment, place);
    if (y === null) continue;
    if (typeof y === "number" && place.x !== null) found.push({ ...place, x: place.x, y });
    else without.push({ ...place, reason: typeof y === "string" ? y : withoutX(experiment) });
  }
  const splitters = findSplitters(experiment, found);
  const sides = splitters.filter((f) => ENVIRONMENT_FIELDS.includes(f));
  const others = splitters.filter((f) => !sides.includes(f));
  // The device last: what stands before it has one colour on all.
  const named = <P extends Place>(p: P) => {
    const base = joined([p.series, ...others.map((f) => describe(p, f))]);
    const side = joined(sides.map((f) => describe(p, f)));
    return { ...p, base, side, name: joined([base, side]), index: seriesIndex(experiment, p.cell.last) };
  };
  const placed: readonly Placed[] = found.map(named);
  const lost: readonly Lost[] = without.map(named);
  const order = byPlace(experiment, splitters);
  const headings = (places: readonly Place[]): string[] => {
    // The first of the places that the order takes for one.
    const first = [...groupBy(places, panelKey(experiment)).values()].map(([place]) => place);
    return [...new Set(first.sort(byPanel(experiment)).map((p) => p.panel))];
  };
  const ordered = placed.toSorted(order);
  const gapsBefore = gaps(lost);
  const points = overFirst(
    experiment,
    ordered.map((p) => toPoint(experiment, p, gapsBefore(p))),
  );
  const xs = [...new Set(placed.map((p) => p.x))].sort(compareX(experiment));
  const references = referencePoints(experiment, ordered, xs);
  const bases = [...new Set(ordered.map(({ base }) => base))];
  const sideNames = [...new Set(placed.map(({ side }) => side))];
  // Series of rows that are older than the declaration, or of a table added by hand.
  const declared = experiment.series.map(({ table }) => table);
  const undeclared = ordered.filter(({ index }) => index < 0);
  const strangers = [...groupBy(undeclared, ({ base }) => base)];
  const split = others.length > 0 || Array.isArray(experiment.figure.only);
  // Of series without a name of their own the sides are all there is.
  const bySide = sides.length > 0 && bases.every((base) => base === "");
  const tableOf = ([first]: readonly Place[]): string => first?.cell.last.table ?? "";
  // Those without points too, so that colours do not depend on which have some.
  const looks = looksOf(
    bySide
      ? sideNames
      : split
        ? [...groupBy(ordered, ({ base }) => base).values()].map(tableOf)
        : [...declared, ...strangers.map(([, places]) => tableOf(places))],
  );
  const placeOf = ({ base, side, index }: Placed): number => {
    if (bySide) return sideNames.indexOf(side);
    if (split) return bases.indexOf(base);
    return index < 0 ? declared.length + strangers.findIndex(([name]) => name === base) : index;
  };
  const { trend = "none" } = experiment.figure.beside ?? {};
  const libraries = [...groupBy(references, (p) => p.series)];
  const libraryLooks = looksOf(libraries.map(([, [{ reference }]]) => (isAccess(reference) ? "" : reference.library)));
  return {
    series: [...groupBy(ordered, ({ name }) => name)].map(([name, [first]]) => {
      const { table, variant } = first.cell.last;
      return {
        name,
        table,
        variant,
        index: looks[placeOf(first)] ?? 0,
        ...(isNative(first.cell.last) && { native: true as const }),
        ...(sides.length > 0 && !bySide && { side: sideNames.indexOf(first.side) }),
      };
    }),
    panels: headings(placed),
    headings: headings([...placed, ...lost]),
    xs,
    points,
    limits: limitPoints(experiment, ordered, points, splitters, xs),
    curves: regressions[trend](points),
    front: trend === "front" ? [...groupBy(points, (p) => p.panel).values()].flatMap(paretoFront) : [],
    references,
    referenceSeries: libraries.map(([name], i) => {
      return { name, table: name, variant: "", index: libraryLooks[i] ?? 0, reference: true };
    }),
    paper: paperPoints(experiment, ordered, xs),
    paperRanges: paperRanges(experiment, ordered),
    paperUprights: paperUprights(experiment, ordered),
    missing: lost.toSorted(or(byPanel(experiment), order)).map((l) => {
      const { last } = l.cell;
      return { cell: cellKey(last), series: l.name, panel: l.panel, x: l.x, status: last.status, reason: l.reason };
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
  const { x: channel, facet } = experiment.figure;
  const raw = placeAlong(cell, channel.field);
  const x = typeof raw === "number" ? scaledX(experiment, raw) : raw === null ? null : String(raw);
  const series = seriesName(experiment, cell.last);
  const facetName = panelName(facet, cell);
  // Data sets are called what the command line calls them.
  const heading = facet?.field.startsWith("dataset") ? facetName : capitalised(facetName);
  return metricPanels(experiment.figure).map(({ metric, title }) => {
    return { cell, metric, series, panel: title === "" ? heading : joined([title, facetName]), x };
  });
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

/** For a point: how many cells of its series and panel have no number at smaller x. */
function gaps(lost: readonly Lost[]): (p: Placed) => number {
  const key = ({ panel, name }: Named): string => JSON.stringify([panel, name]);
  const lines = groupBy(lost, key);
  return (p) => {
    const { x } = p;
    if (typeof x !== "number" || lines.size === 0) return 0;
    return (lines.get(key(p)) ?? []).filter((l) => typeof l.x === "number" && l.x < x).length;
  };
}

function toPoint(experiment: Experiment, place: Placed, segment: number): PlotPoint {
  const { cell, metric, name: series, panel, x, y } = place;
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
    access: limit ? accessName(cell.last) : "",
    samples: row?.samples ?? 0,
    wide: row !== undefined && isWide(row),
  };
}

/** Each point over that of its series and panel at the figure's `over`, where it names one; a series without it has no points. */
function overFirst({ figure }: Experiment, points: readonly PlotPoint[]): readonly PlotPoint[] {
  const { over } = figure.y;
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
function findSplitters({ figure }: Experiment, placed: readonly Place[]): string[] {
  const params = new Set(placed.flatMap((p) => Object.keys(p.cell.last.params)));
  const fields = [...ENVIRONMENT_FIELDS, ...SPLITTERS, ...[...params].map((p) => `params.${p}`), "n", "bench", "seed"];
  // Devices are told apart whatever they have in common.
  const chosen = new Set(placed.map((p) => p.cell.last.device)).size > 1 ? ["device"] : [];
  // A curve of measured places goes along the load factor, and may pass a place twice.
  const along = figure.x.field.startsWith("metric.") ? ["load_factor"] : [];
  const place = (p: Place) =>
    JSON.stringify([p.series, p.panel, p.x, ...[...along, ...chosen].map((f) => value(p, f))]);
  const crowds = (groups: readonly (readonly Place[])[], key: (p: Place) => string) =>
    groups.flatMap((group) => [...groupBy(group, key).values()]).filter((group) => group.length > 1);
  let crowded = crowds([placed], place);
  for (const field of fields) {
    if (!crowded.some((group) => new Set(group.map((p) => value(p, field))).size > 1)) continue;
    chosen.push(field);
    crowded = crowds(crowded, (p) => JSON.stringify(value(p, field)));
  }
  return chosen;
}

function isLog(scale: string | undefined): boolean {
  return scale === "log2" || scale === "log10";
}

/** `Find, 50 % present` of `find, 50 % present`; `clStash` stays. */
function capitalised(text: string): string {
  return text.replace(/^[a-z]+(?=[ ,]|$)/, (word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
}
