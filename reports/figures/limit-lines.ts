/** The lines of a figure that show the device's limits. */
import type { Experiment } from "../../bench/base/experiment.js";
import { joined } from "../../bench/base/format.js";
import { describe } from "./order.js";
import type { LimitPoint, Placed, PlotPoint } from "./plot-data.js";
import { ENVIRONMENT_FIELDS } from "./rows.js";

/** A line per panel and access, and per operation and device where these split the panel's series. */
export function limitPoints(
  experiment: Experiment,
  placed: readonly Placed[],
  points: readonly PlotPoint[],
  splitters: readonly string[],
  xs: readonly (number | string)[],
): LimitPoint[] {
  const { limit } = experiment.figure.beside ?? {};
  const telling = splitters.filter((field) => field === "op" || ENVIRONMENT_FIELDS.includes(field));
  const named = accessesOf(placed, points);
  const best = new Map<string, LimitPoint>();
  placed.forEach((p, i) => {
    const { limit: y = null, access = "" } = points[i] ?? {};
    if (y === null || !limit || (limit !== true && p.cell.last.table !== limit)) return;
    const line = joined(["limit", named(p, access), ...telling.map((field) => describe(p, field))]);
    const key = JSON.stringify([p.panel, line, p.x]);
    const before = best.get(key);
    if (!before || before.y < y) best.set(key, { panel: p.panel, line, x: p.x, y });
  });
  return [...best.values()].sort((a, b) => xs.indexOf(a.x) - xs.indexOf(b.x));
}

/** Limits nearer than this are one line. */
const SAME_LIMIT = 0.97;

/** The accesses whose limits are one line of a place's panel and operation, for the place. */
function accessesOf(placed: readonly Placed[], points: readonly PlotPoint[]): (p: Placed, access: string) => string {
  const highest = new Map<string, Map<string, number>>();
  const scope = ({ panel, cell }: Placed): string => JSON.stringify([panel, cell.last.op, cell.last.positive_ratio]);
  placed.forEach((p, i) => {
    const { limit = null, access = "" } = points[i] ?? {};
    if (limit === null) return;
    const own = highest.get(scope(p)) ?? new Map<string, number>();
    highest.set(scope(p), own.set(access, Math.max(limit, own.get(access) ?? 0)));
  });
  return (p, access) => {
    const levels = [...(highest.get(scope(p)) ?? [])].sort(([, a], [, b]) => b - a);
    const groups: { readonly top: number; readonly names: string[] }[] = [];
    for (const [name, level] of levels) {
      const last = groups.at(-1);
      if (last && level >= SAME_LIMIT * last.top) last.names.push(name);
      else groups.push({ top: level, names: [name] });
    }
    return oneOf(groups.find(({ names }) => names.includes(access))?.names ?? []);
  };
}

/** `lookups of 8 B or 32 B` of `lookups of 8 B` and `lookups of 32 B`. What another has among others is not named again. */
function oneOf(names: readonly string[]): string {
  const isNew = (name: string) => !names.some((other) => other !== name && other.split(" or ").includes(name));
  const [first = "", ...others] = names.filter((name) => name !== "" && isNew(name)).sort();
  const [start = ""] = /^.* of /.exec(first) ?? [];
  return [first, ...others.map((name) => (name.startsWith(start) ? name.slice(start.length) : name))].join(" or ");
}
