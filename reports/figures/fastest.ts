/** Which series is first in each panel of a figure, and by how much: what a user of `hashbench run` asked for. */
import { type Block, paragraph, table } from "../../bench/base/document.js";
import type { Experiment } from "../../bench/base/experiment.js";
import { decimals, formatNumber } from "../../bench/base/format.js";
import type { ResultRow } from "../../bench/results/record.js";
import type { PlotData, PlotPoint } from "./plot-data.js";
import { plotData } from "./series.js";
import { displayUnit } from "./units.js";

/**
 * A table of a line per panel, at the place of x that most series have, the last of several. Places that are names, such as data
 * sets, have a line each. Nothing for a figure of other quantities than rates.
 * @param counted by the transactions that operations cost, not by rates: those of a software adapter rank a CPU's work
 */
export function fastest(experiment: Experiment, rows: readonly ResultRow[], counted: boolean): Block[] {
  const { figure } = experiment;
  const lines = fastestOf(experiment, rows, counted).map((first) => {
    return [first.panel, first.x, first.series, first.value, first.beside];
  });
  if (lines.length === 0) return [];
  const what = counted
    ? "Fewest transactions per operation (rates are a CPU's, and rank nothing):"
    : "Fastest (the one to take if nothing else matters):";
  const head = [figure.facet?.title ?? "", figure.x.title, "first", "value", "beside the next"];
  const named = figure.facet !== undefined;
  const shown = (cells: readonly string[]) => (named ? cells : cells.slice(1));
  return [paragraph(what), table(shown(head), lines.map(shown))];
}

/** Texts of one line. */
interface First {
  readonly panel: string;
  readonly x: string;
  readonly series: string;
  readonly value: string;
  /** How it compares with the next. */
  readonly beside: string;
}

/** The lines of that table. */
export function fastestOf(experiment: Experiment, rows: readonly ResultRow[], counted: boolean): First[] {
  const { figure } = experiment;
  if (figure.metric !== "mops" || figure.against || figure.y.over) return [];
  const data = plotData(counted ? countersOf(experiment, ["transactions"]) : experiment, rows);
  return data.panels.flatMap((panel) => placesOf(data, panel).flatMap((own) => line(own, data.unit, counted)));
}

/** The same figure of counters. */
export function countersOf(experiment: Experiment, metrics: readonly ("probes" | "transactions")[]): Experiment {
  const titles = { probes: "Probes", transactions: "Transactions" };
  const panels = metrics.map((metric) => ({ metric, title: titles[metric] }));
  const { paper: _, beside: __, ...figure } = experiment.figure;
  const metric = panels.length === 1 && panels[0] ? panels[0].metric : panels;
  return { ...experiment, figure: { ...figure, metric, y: { title: "Counted per operation" } } };
}

/** The points to compare, by place. */
function placesOf({ points, xs }: PlotData, panel: string): PlotPoint[][] {
  const places = xs.map((x) => points.filter((p) => p.panel === panel && p.x === x));
  if (xs.every((x) => typeof x === "string")) return places;
  const most = Math.max(...places.map(({ length }) => length));
  return [places.findLast(({ length }) => length === most) ?? []];
}

function line(points: readonly PlotPoint[], unit: string, less: boolean): First[] {
  const [best, next] = points.toSorted((a, b) => (less ? a.y - b.y : b.y - a.y));
  if (!best || !next) return [];
  const { factor, unit: shown } = displayUnit(unit, best.y);
  const value = `${formatNumber(best.y * factor, 3)}${less ? "" : ` ${shown}`}`;
  const x = typeof best.x === "number" ? formatNumber(best.x) : best.x;
  return [{ panel: best.panel, x, series: best.series, value, beside: `${quotient(best, next)} ${next.series}` }];
}

/** `1.20 (1.18 to 1.22) ×`: the widest interval that both allow; `level with` where it has 1 in it. */
function quotient(best: PlotPoint, next: PlotPoint): string {
  if (best.y === next.y) return "equal to";
  const ratio = `${decimals(best.y / next.y, 2)}`;
  if (best.lo === null || best.hi === null || next.lo === null || next.hi === null) return `${ratio} ×`;
  const [from, to] = [best.lo / next.hi, best.hi / next.lo];
  return `${ratio} (${decimals(from, 2)} to ${decimals(to, 2)}) ×${from <= 1 && to >= 1 ? ", level with" : ""}`;
}
