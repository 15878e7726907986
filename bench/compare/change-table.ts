/** The changes in a history as a table, for the terminal and for its page. */
import { type Table, table } from "../base/document.js";
import { formatNumber, signed } from "../base/format.js";
import type { Change } from "./history.js";

export function changeTable(changes: readonly Change[]): Table {
  return table(
    ["when (UTC)", "change", "metric", "before", "after", "commit", "cell"],
    changes.map(({ cell, metric, unit, before, after, change, from, to }) => [
      to.time.slice(0, 16).replace("T", " "),
      signed(change),
      metric,
      amount(before, unit),
      amount(after, unit),
      `${from.commit || "unknown"} → ${to.commit || "unknown"}`,
      cell,
    ]),
  );
}

export function amount(value: number, unit: string): string {
  return `${formatNumber(value, 5)} ${unit}`.trim();
}
