/** The devices of a report: rows of one environment each, side by side in the page. */

import { adapterName, deviceSlug } from "../../bench/results/device-name.js";
import { groupBy } from "../../bench/results/group.js";
import { environmentKey } from "../../bench/results/key.js";
import type { ResultRow } from "../../bench/results/record.js";
import { environmentOf, type FigureEnvironment } from "../figures/caption.js";

/** One device, with one driver, Dawn and set of toggles. */
export interface Column {
  /** The device's name, and what differs where two have the same. */
  readonly label: string;
  /** For file names and anchors; unique. */
  readonly slug: string;
  readonly rows: readonly ResultRow[];
  readonly environment: FigureEnvironment;
}

/** The environments in the order in which the rows name them. */
export function columnsOf(rows: readonly ResultRow[]): Column[] {
  const groups = [...groupBy(rows, environmentKey).values()];
  const firsts = groups.map(([row]) => row);
  const labels = firsts.map((row) => labelOf(row, firsts));
  const slugs = unique(labels.map((label) => deviceSlug(label).slice(0, 60)));
  return groups.map((own, i) => ({
    label: labels[i] ?? "",
    slug: slugs[i] ?? "",
    rows: own,
    environment: environmentOf(own),
  }));
}

function labelOf(row: ResultRow, all: readonly ResultRow[]): string {
  const same = all.filter(({ device }) => device === row.device);
  const differing = (["driver", "dawn", "toggles"] as const).filter((field) => {
    return same.some((other) => other[field] !== row[field]);
  });
  const parts = differing.map((field) => (field === "toggles" ? ownToggles(row, same) : row[field]));
  return [adapterName(row.device) || "unnamed device", ...parts].join(", ");
}

/** The toggles that not all of the device's environments have. */
function ownToggles(row: ResultRow, same: readonly ResultRow[]): string {
  const others = same.map((other) => new Set(other.toggles.split(" ")));
  const own = row.toggles.split(" ").filter((toggle) => toggle !== "" && !others.every((set) => set.has(toggle)));
  return own.join(" ") || "no other toggles";
}

function unique(names: readonly string[]): string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before === 0 ? name : `${name}-${before + 1}`;
  });
}
