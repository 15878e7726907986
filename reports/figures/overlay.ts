/** Several devices, or several commits of one, in one plot: a line style each, the colours those of the tables. */
import type { Experiment } from "../../bench/base/experiment.js";
import { joined } from "../../bench/base/format.js";
import { deviceSlug, implementationName } from "../../bench/results/device-name.js";
import { onDevice, rowKey } from "../../bench/results/key.js";
import type { ResultRow } from "../../bench/results/record.js";
import type { MeasuredCell } from "./rows.js";

/** Rows of one device, or of one of its commits. */
export interface Side {
  /** Its name in the legend. */
  readonly label: string;
  readonly rows: readonly ResultRow[];
}

/** How an overlay draws rates: as rates, or as shares of the limit of their own device. */
export const QUANTITIES = ["rates", "shares"] as const;
/** For files also as shares of the best of all sides. */
export const PLOTTED = [...QUANTITIES, "best"] as const;
export type Quantity = (typeof PLOTTED)[number];

/** The rows of all sides, as of devices of their labels' names. Labels have to differ. */
export function overlaid(sides: readonly Side[]): ResultRow[] {
  return sides.flatMap(({ label, rows }) => rows.map((row) => onDevice(row, label)));
}

/** The same for cells. Only the row that describes a cell is copied. */
export function overlaidCells(
  sides: readonly { readonly label: string; readonly cells: readonly MeasuredCell[] }[],
): MeasuredCell[] {
  return sides.flatMap(({ label, cells }) => cells.map((cell) => ({ ...cell, last: onDevice(cell.last, label) })));
}

/** Labels for the rows of several folders: the device of each, the implementation of WebGPU or the commit where they differ, else the folder's name, or path. */
export function sideLabels(
  sides: readonly { readonly folder: string; readonly rows: readonly ResultRow[] }[],
): string[] {
  const all = (rows: readonly ResultRow[], field: "device" | "dawn" | "commit"): string =>
    joined([...new Set(rows.map((row) => row[field]))], "; ");
  const devices = sides.map(({ rows }) => all(rows, "device"));
  const commits = sides.map(({ rows }) => all(rows, "commit").replace(/\b([0-9a-f]{10})[0-9a-f]{30}\b/g, "$1"));
  const implementations = sides.map(({ rows }) => implementationName(all(rows, "dawn")));
  const tries = [
    devices,
    sides.map((_, i) => `${devices[i]}, ${implementations[i]}`),
    sides.map((_, i) => `${devices[i]}, commit ${commits[i]}`),
  ];
  // Implementations spell the name of one device differently.
  const different = tries.find((labels) => new Set(labels.map(deviceSlug)).size === sides.length);
  if (different) return different;
  const names = sides.map(({ folder }) => folder.split(/[\\/]/).at(-1) || folder);
  const shown = new Set(names).size === sides.length ? names : sides.map(({ folder }) => folder);
  return shown.map((name, i) => `${devices[i]}, ${name}`);
}

/** Rows of several sides with each rate's share of the best rate of its cell, in place of its share of a limit. */
export function sharesOfBest(rows: readonly ResultRow[]): ResultRow[] {
  const best = new Map<string, number>();
  const rates = rows.filter(({ metric }) => metric === "mops");
  for (const row of rates) best.set(rowKey(row), Math.max(row.value ?? 0, best.get(rowKey(row)) ?? 0));
  const shares = rates.map((row) => {
    const share = (value: number | null) => (value === null ? null : value / (best.get(rowKey(row)) || 1));
    return {
      ...row,
      metric: "limit_share",
      unit: "ratio",
      value: share(row.value),
      lo: share(row.lo),
      hi: share(row.hi),
    };
  });
  return [...rows.filter(({ metric }) => metric !== "limit_share"), ...shares];
}

/** The experiment with its rates as shares of the limit; null of a figure that draws none. */
export function asShares(experiment: Experiment, title = "Share of the limit (%)"): Experiment | null {
  const { paper: _, beside: __, ...figure } = experiment.figure;
  if (figure.metric !== "mops" || figure.against || figure.y.over !== undefined) return null;
  const y = { title, factor: 100, most: 110, scale: "linear" } as const;
  return { ...experiment, figure: { ...figure, metric: "limit_share", y } };
}

/** The experiment as an overlay draws it: limits of several devices would hide what is measured, and are what shares are for. */
export function overlayOf(experiment: Experiment, quantity: Quantity): Experiment | null {
  if (quantity !== "rates") return asShares(experiment, quantity === "best" ? "Rate over the best (%)" : undefined);
  const { limit: _, ...beside } = experiment.figure.beside ?? {};
  return { ...experiment, figure: { ...experiment.figure, beside } };
}

/** With a panel for each table, in which the sides are the series. */
export function byTable(experiment: Experiment): Experiment {
  const { series, figure } = experiment;
  const { field, names } = figure.facet ?? {};
  const labels = Object.fromEntries(series.map(({ table, label = table }) => [table, label]));
  const facet = { title: "Table", field: field ? `table+${field}` : "table", names: { ...names, ...labels } };
  return { ...experiment, series: series.map((one) => ({ ...one, label: "" })), figure: { ...figure, facet } };
}
