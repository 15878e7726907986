/** An experiment's numbers as a table for the terminal. */
import { styleText } from "node:util";
import { wrap } from "../../bench/base/document.js";
import type { Channel, Experiment } from "../../bench/base/experiment.js";
import { decimals, formatNumber, rounded, tickLabel } from "../../bench/base/format.js";
import type { ResultRow } from "../../bench/results/record.js";
import { missingByReason, paperNote, regressionNote } from "./caption.js";
import { metricNames } from "./figure.js";
import { withPaper } from "./paper.js";
import type { MissingCell, PlotData, PlotPoint } from "./plot-data.js";
import { withSizeUnit } from "./rows.js";
import { plotData } from "./series.js";
import { arePowersOfTwo, displayUnit, titleWithUnit } from "./units.js";

interface TableOptions {
  /** Columns of the terminal; no line is longer, as long as it is at least 40. */
  readonly width?: number;
  /** Emphasis by terminal codes. */
  readonly color?: boolean;
}

type X = number | string;
/** One cell's three parts, or its status in place of them. */
interface Entry {
  readonly value: string;
  readonly interval: string;
  readonly share: string;
  readonly status: string;
}

const GAP = "  ";
/** Of a place along x that is not an integer, such as a load factor reached. */
const X_DIGITS = 4;
/** Share of the width that names of rows may take. */
const NAME_SHARE = 0.4;

/**
 * One block a panel: the median, ± half of the 95 % interval, the share of the device's limit; the status of a cell that
 * has no number, with the reasons below. Series are rows or columns, whichever takes fewer blocks of this width.
 */
export function experimentTable(
  declared: Experiment,
  rows: readonly ResultRow[],
  { width = 80, color = false }: TableOptions = {},
): string {
  const experiment = withSizeUnit(declared, rows);
  const data = withPaper(plotData(experiment, rows));
  const { figure } = experiment;
  const largest = data.points.reduce((max, p) => Math.max(max, Math.abs(p.y)), 0);
  const unit = figure.y.factor === undefined ? displayUnit(data.unit, largest) : { factor: 1, unit: "" };
  const parts = [titleWithUnit(figure.y.title, unit.unit)];
  if (data.points.some((p) => relativeHalf(p) !== null)) parts.push("± 95 % interval");
  if (data.points.some((p) => p.limit !== null)) parts.push("share of the device's limit");
  const lines = [...wrap(`${experiment.id}: ${experiment.title}`, width), ...wrap(parts.join(", "), width)];
  const write = numberWriter(largest * unit.factor);
  const panels = [...new Set([...data.headings, ...data.panels])];
  const upright = panels.map((panel) => matrix(figure.x, data, panel, (p) => numbers(p, unit.factor, write)));
  const [straight, turned] = [upright, upright.map(transpose)].map((all) => all.map((m) => measure(m, width)));
  const turn = total(turned ?? []) < total(straight ?? []);
  panels.forEach((panel, i) => {
    const [block, shape] = [upright[i], (turn ? turned : straight)?.[i]];
    if (!block || !shape) return;
    lines.push("", ...(panel === "" ? [] : wrap(panel, width)), ...draw(turn ? transpose(block) : block, shape, color));
  });
  if (panels.length === 0) lines.push("", `no row has the metric ${metricNames(experiment)}`);
  for (const note of [regressionNote(experiment, data), paperNote(data, false)]) {
    if (note !== "") lines.push("", ...wrap(note, width));
  }
  const reasons = missingByReason(data.missing);
  if (reasons.length > 0) lines.push("");
  for (const { reason, cells } of reasons) lines.push(...wrap(`${cells} × ${reason}`, width));
  return `${lines.join("\n")}\n`;
}

interface Matrix {
  readonly corner: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly (readonly Entry[])[];
}

/** A panel's table with series as rows. */
function matrix(channel: Channel, data: PlotData, panel: string, write: (point: PlotPoint) => Entry): Matrix {
  const points = data.points.filter((p) => p.panel === panel);
  const lost = data.missing.filter((m): m is MissingCell & { x: X } => m.panel === panel && m.x !== null);
  const series = [...new Set([...points, ...lost].map((p) => p.series))];
  const here = new Set([...points, ...lost].map((p) => p.x));
  const xs = [...new Set([...data.xs, ...here])].filter((x) => here.has(x));
  if (xs.every((x) => typeof x === "number")) xs.sort((a, b) => Number(a) - Number(b));
  const entries = new Map(points.map((p) => [JSON.stringify([p.series, p.x]), write(p)]));
  for (const m of lost) entries.set(JSON.stringify([m.series, m.x]), { ...NOTHING, status: statusWord(m) });
  return {
    corner: channel.title,
    rows: series,
    columns: xLabels(channel, xs),
    cells: series.map((s) => xs.map((x) => entries.get(JSON.stringify([s, x])) ?? NOTHING)),
  };
}

function transpose({ corner, rows, columns, cells }: Matrix): Matrix {
  return { corner, rows: columns, columns: rows, cells: columns.map((_, c) => cells.map((row) => row[c] ?? NOTHING)) };
}

function total(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.pieces, 0);
}

type Shape = Readonly<ReturnType<typeof measure>>;

/** Widths in characters, and into how many pieces of `room` columns of cells the table has to be cut. */
function measure({ corner, rows, columns, cells }: Matrix, width: number) {
  const widest = (part: keyof Entry): number => Math.max(0, ...cells.flat().map((e) => e[part].length));
  const longest = Math.max(...[corner, ...rows].map((n) => n.length));
  const names = Math.min(longest, Math.floor(width * NAME_SHARE));
  const [value, interval, share] = [widest("value"), widest("interval"), widest("share")];
  const parts = [value, interval, share].filter((w) => w > 0);
  const numbersWidth = parts.reduce((sum, w) => sum + w, 0) + Math.max(0, parts.length - 1);
  const cell = Math.max(numbersWidth, widest("status"), 6);
  const room = Math.max(1, Math.floor((width - names) / (GAP.length + cell)));
  return { names, value, interval, share, cell, room, pieces: Math.ceil(columns.length / room) };
}

function draw({ corner, rows, columns, cells }: Matrix, shape: Shape, color: boolean): string[] {
  const lines: string[] = [];
  for (let from = 0; from < columns.length; from += shape.room) {
    const to = from + shape.room;
    if (from > 0) lines.push("");
    const line = (name: string, fields: readonly string[]): void => {
      lines.push([name.padEnd(shape.names), ...fields].join(GAP).trimEnd());
    };
    const heads = columns.slice(from, to).map((head) => wrap(head, shape.cell));
    const names = wrap(corner, shape.names);
    const depth = Math.max(names.length, ...heads.map((h) => h.length));
    // Headings stand on the numbers: the last line of each is the lowest.
    const at = (text: readonly string[], i: number): string => text[i - depth + text.length] ?? "";
    for (let i = 0; i < depth; i++)
      line(
        at(names, i),
        heads.map((h) => at(h, i).padStart(shape.cell)),
      );
    rows.forEach((name, r) => {
      const parts = wrap(name, shape.names);
      for (const part of parts.slice(0, -1)) line(part, []);
      const entries = (cells[r] ?? []).slice(from, to);
      line(
        parts.at(-1) ?? "",
        entries.map((e) => drawEntry(e, shape, color)),
      );
    });
  }
  return lines;
}

const NOTHING: Entry = { value: "", interval: "", share: "", status: "" };

function numbers(point: PlotPoint, factor: number, write: (value: number) => string): Entry {
  const half = relativeHalf(point);
  return {
    value: write(point.y * factor),
    interval: half === null ? "" : `±${percent(half)}`,
    share: point.limit === null || point.limit <= 0 ? "" : percent(point.y / point.limit),
    status: "",
  };
}

/** The farther end of the interval, relative to the median; null where there is none. */
function relativeHalf({ y, lo, hi }: PlotPoint): number | null {
  return lo === null || hi === null || y === 0 ? null : Math.max(hi - y, y - lo) / Math.abs(y);
}

function percent(share: number): string {
  return `${decimals(100 * share, share < 0.0995 ? 1 : 0)}%`;
}

function statusWord({ status }: MissingCell): string {
  return status === "ok" ? "none" : status;
}

function drawEntry(entry: Entry, shape: Shape, color: boolean): string {
  if (entry.status !== "") return paint("red", entry.status.padStart(shape.cell), color);
  const parts = [entry.value.padStart(shape.value)];
  if (shape.interval > 0) parts.push(paint("dim", entry.interval.padStart(shape.interval), color));
  if (shape.share > 0) parts.push(entry.share.padStart(shape.share));
  const used = [shape.value, shape.interval, shape.share].filter((w) => w > 0).reduce((sum, w) => sum + w + 1, -1);
  return " ".repeat(Math.max(0, shape.cell - used)) + parts.join(" ");
}

function paint(style: "red" | "dim", text: string, color: boolean): string {
  return color ? styleText(style, text, { validateStream: false }) : text;
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
