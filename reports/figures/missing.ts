/** Cells without a number, by their reasons. */
import { formatNumber } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import type { MissingCell } from "./plot-data.js";

/** More reasons, or series of one, are counted. */
const LISTED = 5;

/** `3 cells without a number: …` with their reasons; "" where every cell has its number. */
export function missingNote(missing: readonly MissingCell[]): string {
  if (missing.length === 0) return "";
  // Reasons that differ in their numbers alone are told once.
  const kinds = groupBy(missing, ({ reason }) => reason.replace(/[\d.]+/g, "0"));
  const alike = [...kinds.values()].flatMap((own) => own.map((one) => ({ ...one, reason: own[0].reason })));
  const groups = missingByReason(alike);
  const listed = groups.slice(0, LISTED).map(({ reason, series, cells }) => {
    const names = series.length <= LISTED ? series.join(", ") : `${series.length} series`;
    return `${cells} × ${readable(reason)} (${names})`;
  });
  const rest = groups.slice(LISTED).reduce((sum, m) => sum + m.cells, 0);
  if (rest > 0) listed.push(`${rest} for other reasons`);
  const count = cellCount(missing);
  return `${count} ${count === 1 ? "cell" : "cells"} without a number: ${listed.join("; ")}.`;
}

/** With bytes as GiB where these differ, and large numbers in groups of three digits. */
function readable(reason: string): string {
  const gib = (bytes: string): string => `${formatNumber(Number(bytes) / 2 ** 30, 3)} GiB`;
  const short = reason
    .replace(/\b(\d{9,}) bytes/g, (_, bytes) => gib(bytes))
    .replace(/\b(at most|reach) (\d{9,})\b/g, (_, word, bytes) => `${word} ${gib(bytes)}`);
  const sizes = short.match(/[\d.]+ GiB/g) ?? [];
  const told = new Set(sizes).size < sizes.length ? reason : short;
  return told.replace(/\b\d{5,}\b/g, (digits) => formatNumber(Number(digits), 16));
}

/** How many cells are missing for each reason, and the series that they are of; the most frequent reason first. */
export function missingByReason(missing: readonly MissingCell[]) {
  return [...groupBy(missing, (m) => m.reason)]
    .map(([reason, cells]) => ({ reason, series: [...new Set(cells.map((c) => c.series))], cells: cellCount(cells) }))
    .sort((a, b) => b.cells - a.cells);
}

/** A cell may be missing in several panels. */
export function cellCount(missing: readonly MissingCell[]): number {
  return new Set(missing.map(({ cell }) => cell)).size;
}
