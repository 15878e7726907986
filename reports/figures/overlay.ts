/** Several devices, or several commits of one, in one plot: a line style each, the colours those of the tables. */
import type { Experiment } from "../../bench/base/experiment.js";
import { deviceSlug, implementationName } from "../../bench/results/device-name.js";
import { onDevice } from "../../bench/results/key.js";
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
export type Quantity = (typeof QUANTITIES)[number];

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

/** Labels for the rows of several folders: the device of each, the implementation of WebGPU or the commit where they differ, else the folder's name. */
export function sideLabels(
  sides: readonly { readonly folder: string; readonly rows: readonly ResultRow[] }[],
): string[] {
  const all = (rows: readonly ResultRow[], field: "device" | "dawn" | "commit"): string =>
    [...new Set(rows.map((row) => row[field]))].filter(Boolean).join("; ");
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
  return different ?? sides.map(({ folder }, i) => `${devices[i]}, ${folder}`);
}

/** The experiment with its rates as shares of the limit; null of a figure that draws none. */
export function asShares(experiment: Experiment): Experiment | null {
  const { paper: _, beside: __, ...figure } = experiment.figure;
  if (figure.metric !== "mops" || figure.against || figure.y.over !== undefined) return null;
  const y = { title: "Share of the limit (%)", factor: 100, most: 110, scale: "linear" } as const;
  return { ...experiment, figure: { ...figure, metric: "limit_share", y } };
}

/** The experiment as an overlay draws it: limits of several devices would hide what is measured, and are what shares are for. */
export function overlayOf(experiment: Experiment, quantity: Quantity): Experiment | null {
  if (quantity === "shares") return asShares(experiment);
  const { limit: _, ...beside } = experiment.figure.beside ?? {};
  return { ...experiment, figure: { ...experiment.figure, beside } };
}
