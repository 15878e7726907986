/** The changes in a history as a table, for the terminal and for its page. */
import { type Table, table } from "../base/document.js";
import { formatNumber, signed } from "../base/format.js";
import type { Change } from "./history.js";

export function changeTable(changes: readonly Change[]): Table {
  return table(
    ["when (UTC)", "commit", "metric", "change", "before", "after", "cell"],
    changes.map(({ cell, metric, unit, before, after, change, from, to }) => [
      to.time.slice(0, 16).replace("T", " "),
      `${from.commit || "unknown"} → ${to.commit || "unknown"}`,
      metric,
      signed(change),
      amount(before, unit),
      amount(after, unit),
      cell,
    ]),
  );
}

export function amount(value: number, unit: string): string {
  return `${formatNumber(value, 5)} ${unit}`.trim();
}
