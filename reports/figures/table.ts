/** An experiment's numbers as a table for the terminal. */
import { type Block, list, paragraph, table } from "../../bench/base/document.js";
import type { Channel, Experiment } from "../../bench/base/experiment.js";
import { decimals, formatNumber, rounded, tickLabel } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import type { ResultRow } from "../../bench/results/record.js";
import { paperNote, regressionNote } from "./caption.js";
import { metricNames } from "./figure.js";
import { missingByReason } from "./missing.js";
import { withPaper } from "./paper.js";
import type { MissingCell, PlotData, PlotPoint } from "./plot-data.js";
import { withSizeUnit } from "./rows.js";
import { plotData } from "./series.js";
import { arePowersOfTwo, displayUnit, titleWithUnit } from "./units.js";

type X = number | string;

/** Digits of a place along x that is not an integer, such as a load factor reached. */
const X_DIGITS = 4;
/** Share of the width that names of rows may take. */
const NAME_SHARE = 0.4;

/**
 * One block per panel: the median, ± half of the 95 % interval, the share of the device's limit. A ~ marks an interval that is wider
 * than was asked for. A cell that has no number shows its status, with the reasons below. Series are rows or columns, whichever
 * takes fewer tables of this width.
 */
export function experimentBlocks(declared: Experiment, rows: readonly ResultRow[], { width = 80 } = {}): Block[] {
  const experiment = withSizeUnit(declared, rows);
  const data = withPaper(plotData(experiment, rows));
  const { figure } = experiment;
  const largest = data.points.reduce((max, p) => Math.max(max, Math.abs(p.y)), 0);
  const unit = figure.y.factor === undefined ? displayUnit(data.unit, largest) : { factor: 1, unit: "" };
  const parts = [titleWithUnit(figure.y.title, unit.unit)];
  if (data.points.some((p) => relativeHalf(p) !== null)) parts.push("± 95 % interval");
  if (data.points.some((p) => p.limit !== null)) parts.push("share of the device's limit");
  const write = numberWriter(largest * unit.factor);
  const panels = [...new Set([...data.headings, ...data.panels])];
  const upright = panels.map((panel) => matrix(figure.x, data, panel, (p) => numbers(p, unit.factor, write)));
  const [straight = [], turned = []] = [upright, upright.map(transpose)].map((all) => {
    return all.map((one, i) => tables(one, panels[i] ?? "", width));
  });
  const drawn = turned.flat().length < straight.flat().length ? turned : straight;
  const notes = [regressionNote(experiment, data), paperNote(data, false), limitsNote(data)].filter(Boolean);
  const reasons = missingByReason(data.missing).map(({ reason, cells }) => `${cells} × ${reason}`);
  return [
    list([`${experiment.id}: ${experiment.title}`, parts.join(", ")]),
    ...drawn.flat(),
    ...(panels.length === 0 ? [paragraph(`no row has the metric ${metricNames(experiment)}`)] : []),
    ...notes.map(paragraph),
    ...(reasons.length > 0 ? [list(reasons)] : []),
  ];
}

/** `Limits: lookups of 32 B (Bucketed); lookups of 8 B (Cuckoo).` */
function limitsNote({ points }: PlotData): string {
  const named = groupBy(
    points.filter(({ access }) => access !== ""),
    ({ access }) => access,
  );
  const list = [...named].map(([access, own]) => `${access} (${[...new Set(own.map((p) => p.series))].join(", ")})`);
  return list.length === 0 ? "" : `Limits: ${list.join("; ")}.`;
}

interface Matrix {
  readonly corner: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

/** A panel's table with series as rows. */
function matrix(channel: Channel, data: PlotData, panel: string, write: (point: PlotPoint) => string[]): Matrix {
  const points = data.points.filter((p) => p.panel === panel);
  const lost = data.missing.filter((m): m is MissingCell & { x: X } => m.panel === panel && m.x !== null);
  const series = [...new Set([...points, ...lost].map((p) => p.series))];
  const here = new Set([...points, ...lost].map((p) => p.x));
  const xs = [...new Set([...data.xs, ...here])].filter((x) => here.has(x));
  if (xs.every((x) => typeof x === "number")) xs.sort((a, b) => Number(a) - Number(b));
  const key = (p: { readonly series: string; readonly x: X }): string => JSON.stringify([p.series, p.x]);
  const parts = new Map(points.map((p) => [key(p), write(p)]));
  const widths = [0, 1, 2].map((i) => Math.max(0, ...[...parts.values()].map((own) => own[i]?.length ?? 0)));
  const entries = new Map([...parts].map(([at, own]) => [at, aligned(own, widths)]));
  for (const m of lost) entries.set(key(m), m.status === "ok" ? "none" : m.status);
  return {
    corner: channel.title,
    rows: series,
    columns: xLabels(channel, xs),
    cells: series.map((s) => xs.map((x) => entries.get(key({ series: s, x })) ?? "")),
  };
}

function transpose({ corner, rows, columns, cells }: Matrix): Matrix {
  return { corner, rows: columns, columns: rows, cells: columns.map((_, c) => cells.map((row) => row[c] ?? "")) };
}

/** Tables beneath one another, as many as are needed for the width. */
function tables({ corner, rows, columns, cells }: Matrix, panel: string, width: number): Block[] {
  const longest = Math.max(...[corner, ...rows].map((name) => name.length));
  const names = Math.min(longest, Math.floor(width * NAME_SHARE));
  const cell = Math.max(6, ...cells.flat().map((text) => text.length));
  const room = Math.max(1, Math.floor((width - names) / (cell + 2)));
  return Array.from({ length: Math.ceil(columns.length / room) }, (_, i) => {
    const own = <T>(all: readonly T[]) => all.slice(i * room, (i + 1) * room);
    const lines = rows.map((name, r) => [name, ...own(cells[r] ?? [])]);
    return table([corner, ...own(columns)], lines, { right: true, ...(i === 0 && { caption: panel }) });
  });
}

/** Value, interval and share; "" of what there is none. */
function numbers(point: PlotPoint, factor: number, write: (value: number) => string): string[] {
  const half = relativeHalf(point);
  const share = point.limit === null || point.limit <= 0 ? "" : percent(point.y / point.limit);
  return [
    `${point.wide && half !== null ? "~" : ""}${write(point.y * factor)}`,
    half === null ? "" : `±${percent(half)}`,
    share,
  ];
}

function aligned(parts: readonly string[], widths: readonly number[]): string {
  return parts.flatMap((part, i) => (widths[i] ? [part.padStart(widths[i])] : [])).join(" ");
}

/** The farther end of the interval, relative to the median; null where there is none. */
function relativeHalf({ y, lo, hi }: PlotPoint): number | null {
  return lo === null || hi === null || y === 0 ? null : Math.max(hi - y, y - lo) / Math.abs(y);
}

function percent(share: number): string {
  return `${decimals(100 * share, share < 0.0995 ? 1 : 0)}%`;
}

/** Writes values up to `largest` with equal decimals: four digits of the largest, two of any that is much smaller. */
function numberWriter(largest: number): (value: number) => string {
  const places = Math.min(4, Math.max(0, 3 - Math.floor(Math.log10(largest || 1))));
  return (value) => {
    const small = value !== 0 && Math.abs(value) < 10 ** (1 - places);
    if (small) return formatNumber(value, 2);
    return decimals(value, places);
  };
}

function xLabels(channel: Channel, xs: readonly X[]): string[] {
  const numeric = xs.filter((x) => typeof x === "number");
  const powers = channel.scale === "log2" && arePowersOfTwo(numeric) && Math.max(...numeric) > 2 ** 14;
  return xs.map((x) => {
    if (typeof x === "string") return x;
    if (powers) return `2^${Math.round(Math.log2(x))}`;
    return tickLabel(Number.isInteger(x) ? x : rounded(x, X_DIGITS));
  });
}
