/** The texts of a figure: title, source, what was measured, and which cells have no number. */

import { type Experiment, type FigureSpec, HELD_FIELD } from "../../bench/base/experiment.js";
import { formatNumber, joined, rounded, tickLabel, whole, withPowers } from "../../bench/base/format.js";
import { sourceOf } from "../../bench/claims/papers.js";
import { adapterName, implementationName, isSoftware } from "../../bench/results/device-name.js";
import { groupBy } from "../../bench/results/group.js";
import type { ResultRow } from "../../bench/results/record.js";
import { type AccessReference, isAccess, type Reference, type TableReference } from "../../bench/results/references.js";
import { missingNote } from "./missing.js";
import type { PaperRange, PlotData } from "./plot-data.js";
import { byDeclaration, declaredOrder, describeField, tableName } from "./rows.js";
import { type DisplayUnit, titleWithUnit } from "./units.js";

/** On what and when a figure's rows were measured. */
export type FigureEnvironment = Readonly<ReturnType<typeof environmentOf>>;

const LIMIT_MEANING = "this device's measured rate for the accesses that the operation cannot avoid (device/limits)";
const INTERVAL_MEANING = {
  alone: "Error bars: 95 % interval of the median.",
  ratio: "Error bars: the quotients of the ends of both 95 % intervals.",
  difference: "Error bars: the differences of the ends of both 95 % intervals.",
} as const;
export const SOFTWARE_WARNING = "Software adapter: a CPU emulates the GPU. These are not the speeds of a GPU.";
const LISTED = 5;
/** Libraries whose lookups of absent keys write no answer, which saves them traffic. */
const MISSES_UNWRITTEN = ["WarpCore", "DyCuckoo"];

/** Columns whose values are told. */
const NAMED = ["device", "driver", "dawn", "toggles", "commit"] as const;
/** Characters of the day in a row's time. */
const DAY = 10;

/**
 * Where and when the rows were measured. Several values of one kind are joined with `; `; several days are given as the first and the
 * last. Software: a device emulates a GPU on the CPU.
 */
export function environmentOf(rows: readonly ResultRow[]) {
  const found = new Map(NAMED.map((field) => [field, new Set<string>()]));
  const times = new Set<string>();
  let above: ResultRow | undefined;
  for (const row of rows) {
    // The rows of a cell, which follow one another, were measured at once.
    if (row.time === above?.time && isSamePlace(row, above)) continue;
    for (const field of NAMED) if (row[field] !== above?.[field]) found.get(field)?.add(row[field]);
    times.add(row.time.slice(0, DAY));
    above = row;
  }
  const all = (field: (typeof NAMED)[number]): string => joined([...(found.get(field) ?? [])], "; ");
  const days = [...times].sort();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return {
    device: joined([...(found.get("device") ?? [])].map(adapterName), "; "),
    driver: all("driver"),
    dawn: all("dawn"),
    toggles: all("toggles"),
    commit: all("commit"),
    date: first === last ? first : `${first} … ${last}`,
    software: [...(found.get("device") ?? [])].some(isSoftware),
  };
}

function isSamePlace(a: ResultRow, b: ResultRow): boolean {
  return a.run === b.run && a.table === b.table && a.device === b.device;
}

/** Under the title: the paper's figure and the device; a warning where the device is a CPU. */
export function subtitle(experiment: Experiment, environment: FigureEnvironment): string[] {
  const measured = joined([sourceOf(experiment).join(", "), environment.device], " · ");
  return environment.software ? [measured, SOFTWARE_WARNING] : [measured];
}

/** The figure for those who do not see it: what is drawn along what, and from where to where each series goes. */
export function alternativeText(
  { title, figure }: Experiment,
  { series, panels, points, xs, curves }: PlotData,
  { factor, unit }: DisplayUnit,
  { device }: FigureEnvironment,
): string {
  const head = `${title} on ${device || "an unnamed device"}.`;
  if (points.length === 0) return `${head} No data.`;
  const place = (x: number | string | undefined): string => (typeof x === "number" ? formatNumber(x) : `${x}`);
  const along = xs.length === 1 ? place(xs[0]) : `${place(xs[0])} to ${place(xs.at(-1))}`;
  const ranges = series.map(({ name }) => {
    const ys = points.filter((p) => p.series === name).map((p) => p.y * factor);
    const ends = new Set([Math.min(...ys), Math.max(...ys)].map((y) => formatNumber(y, 3)));
    return `${name} ${[...ends].join(" to ")}`;
  });
  const kind = figure.kind === "bar" ? "Bars" : curves.length > 0 ? "Points" : "Lines";
  const apart = panels.length > 1 ? [`${panels.length} panels: ${panels.join("; ")}.`] : [];
  return [
    head,
    `${kind}: ${titleWithUnit(figure.y.title, unit)} by ${figure.x.title}, ${along}.`,
    ...apart,
    `${ranges.join("; ")}.`,
  ].join(" ");
}

/** Under the panels, one paragraph an entry. */
export function notes(
  experiment: Experiment,
  data: PlotData,
  environment: FigureEnvironment,
  omitted: readonly string[] = [],
): string[] {
  const { driver, dawn, toggles, commit, date } = environment;
  const { figure } = experiment;
  const ran = [
    experiment.from ? `${experiment.id}, drawn from the rows of ${experiment.from.join(", ")}` : experiment.id,
    driver && `driver ${driver}`,
    implementationName(dawn),
    toggles && `toggles ${toggles}`,
    commit && `commit ${commit.replace(/\b([0-9a-f]{10})[0-9a-f]{30}\b/g, "$1")}`,
    date,
  ];
  return [
    joined([withPowers(experiment.setting).replace(/([^.])$/, "$1."), sizes(experiment, data)], " "),
    joined(
      [
        intervalNote(data, INTERVAL_MEANING[figure.against?.as ?? "alone"]),
        data.limits.length > 0 && `Dashed: ${LIMIT_MEANING}.`,
        data.points.length > 0 && againstNote(experiment),
        diamonds(data),
        paperNote(data),
      ],
      " ",
    ),
    regressionNote(experiment, data),
    frontNote(experiment, data),
    referencesNote(experiment, data),
    omittedNote(omitted),
    data.points.length > 0 ? missingNote(data.missing) : "",
    `${joined(ran, "; ")}.`,
  ].filter((line) => line !== "");
}

function omittedNote(omitted: readonly string[]): string {
  if (omitted.length === 0) return "";
  const named = omitted.length <= LISTED ? omitted.join("; ") : `${omitted.length} more series`;
  return `Not drawn, but in the page's tables of values: ${named}.`;
}

/** What the error bars are, where there are some, and which points have none. */
function intervalNote({ points }: PlotData, meaning: string): string {
  const has = ({ lo, hi }: PlotData["points"][number]) => lo !== null && hi !== null;
  if (!points.some(has)) return "";
  const counts = points.map((point) => point.samples);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const of = `${meaning.replace(/\.$/, "")}; ${least === most ? least : `${least} to ${most}`} samples per point.`;
  const single = points.some((point) => !has(point) && point.samples === 1);
  return single ? `${of} A single sample has none.` : of;
}

function diamonds({ paper }: PlotData): string {
  const meanings = [
    ...(paper.some((p) => !p.relative) ? ["the paper's values"] : []),
    ...(paper.some((p) => p.relative) ? ["the paper's ratios, applied to our values"] : []),
  ];
  return meanings.length > 0 ? `Hollow diamonds: ${meanings.join("; ")}.` : "";
}

/** The paper's lines and bands, as they are named in the panels, or in a table where none are drawn; "" without any. */
export function paperNote({ paperRanges, paperUprights }: PlotData, drawn = true): string {
  const names = (found: readonly PaperRange[]): string[] => {
    const labels = groupBy(found, ({ series, label }) => seriesBefore(label, series));
    return [...labels].map(([of, own]) => `${of}${[...new Set(own.map(({ label }) => label))].join(", ")}`);
  };
  const isLine = ({ from, to }: PaperRange): boolean => from === to;
  const uprights = new Set(paperUprights.map(({ label }) => label));
  const lines = [...names(paperRanges.filter(isLine)), ...uprights].join("; ");
  const bands = names(paperRanges.filter((range) => !isLine(range))).join("; ");
  const [dotted, shaded] = drawn ? ["Dotted, the paper", "Shaded, the paper"] : ["The paper", "The paper"];
  return joined([lines && `${dotted}: ${lines}.`, bands && `${shaded}: ${bands}.`], " ");
}

/** Which series make the Pareto front, panel by panel, and from where to where; "" without one. */
function frontNote({ figure }: Experiment, { front, panels }: PlotData): string {
  if (front.length === 0) return "";
  const list = panels.flatMap((panel) => {
    const own = front.filter((p) => p.panel === panel);
    const runs = own.map(({ series }, i) => (own[i - 1]?.series === series ? -1 : i)).filter((i) => i >= 0);
    const parts = runs.map((from, i) => {
      const [first, last] = [own[from], own[(runs[i + 1] ?? own.length) - 1]];
      const at = [...new Set([first?.x, last?.x])].map((x) => formatNumber(Number(x), 4)).join(" to ");
      return `${first?.series} at ${at}`;
    });
    return parts.length === 0 ? [] : [joined([panel, parts.join(", ")], ": ")];
  });
  const meaning = "Shaded: the Pareto front of the medians, above and left of which there is nothing";
  return `${meaning}. By ${figure.x.title.toLowerCase()}: ${list.join("; ")}.`;
}

/** The CUDA results that are drawn beside ours, and how their measurement differs; "" without any. */
function referencesNote({ figure }: Experiment, { references }: PlotData): string {
  if (references.length === 0) return "";
  const all = references.map(({ reference }) => reference);
  const tables = all.flatMap((one) => (isAccess(one) ? [] : [one]));
  const silent = tables.filter(
    ({ library, positive_ratio }) => MISSES_UNWRITTEN.includes(library) && Number(positive_ratio ?? 1) < 1,
  );
  const names = each(
    silent.map(({ library }) => library),
    " and ",
  );
  const said = [
    librariesNote(tables),
    accessesNote(all.filter(isAccess)),
    "Measured by other code in another run: no part of rows, claims or comparisons.",
    names && `${names} write nothing for an absent key.`,
    figure.x.field === HELD_FIELD && "Their bytes are those of the slots alone: 8 / load factor.",
  ];
  return joined(said, " ");
}

function librariesNote(tables: readonly TableReference[]): string {
  if (tables.length === 0) return "";
  const finds = each(tables.map(({ lookups }) => (lookups === null ? "" : `${whole(lookups)} lookups`)));
  const sizes = joined([`${each(tables.map(({ n }) => whole(n)))} pairs`, finds]);
  return `Hollow, for reference: CUDA libraries on ${whereAndWhen(tables)}; ${sizes}, u32 keys and values, of each library its fastest variant at each place.`;
}

function accessesNote(accesses: readonly AccessReference[]): string {
  if (accesses.length === 0) return "";
  const memory = each(accesses.map(({ variant }) => variant));
  return `Hollow, for reference: the same accesses in CUDA, memory by ${memory}, on ${whereAndWhen(accesses)}.`;
}

function whereAndWhen(all: readonly Reference[]): string {
  const devices = each(all.map(({ device, driver }) => (driver === "" ? device : `${device} (driver ${driver})`)));
  return `${devices}, ${each(all.map(({ date }) => date || "date not recorded"))}`;
}

/** Each text once. */
function each(values: readonly string[], between = ", "): string {
  return joined([...new Set(values)], between);
}

/** A line's or band's name after its series. */
export function rangeName({ series, label }: PaperRange): string {
  return `${seriesBefore(label, series)}${label}`;
}

/** `Cuckoo: `, which in the panel the colour says; "" where the label does, or where it is of no series. */
function seriesBefore(label: string, series: string): string {
  const [first = ""] = series.split(/[ ,]/);
  return series === "" || label.toLowerCase().includes(first.toLowerCase()) ? "" : `${series}: `;
}

/** What the figure compares with: the line across it. */
function againstNote(experiment: Experiment): string {
  const { against } = experiment.figure;
  if (!against) return "";
  if (typeof against.table !== "string") {
    const pairs = Object.entries(against.table).map(([table, other]) => `${tableName(experiment, table)} and ${other}`);
    const how = against.as === "ratio" ? "divided by" : "taken less";
    return `Each value is ${how} that of its partner at the same place, which is the line across: ${pairs.join("; ")}.`;
  }
  const name = tableName(experiment, against.table);
  return against.as === "ratio"
    ? `Each value is divided by that of ${name} at the same place; the line at 1 is ${name}.`
    : `From each value that of ${name} at the same place is subtracted; the line at 0 is ${name}.`;
}

/** Where the curves are 0, and in which direction they pass it, or how the points of a line correlate; "" without any. */
export function regressionNote({ figure }: Experiment, { curves }: PlotData): string {
  if (curves.length === 0 || !isCurve(figure)) return "";
  if (figure.beside?.trend === "line") {
    const all = curves.map(({ panel, correlation = Number.NaN }) => {
      return `${panel === "" ? "" : `${panel}: `}Pearson's r ${formatNumber(correlation, 4)}`;
    });
    return `Line: least squares through all points. ${all.join("; ")}.`;
  }
  const axis = figure.x.title.replace(/\s*\(.*\)$/, "").toLowerCase();
  const list = curves.map(({ series, panel, crossings }) => {
    const of = joined([series, panel]);
    const places = crossings.map(({ x, rises }) => `${formatNumber(x, 3)} (${rises ? "− to +" : "+ to −"})`);
    return `${of}: ${places.length > 0 ? `0 at ${axis} ${places.join(" and ")}` : "does not pass 0"}`;
  });
  return `Curves: second-order polynomial regression. ${list.join("; ")}.`;
}

/** `n = …` as it really ran, and the declared n where that is larger, which the setting is about. */
function sizes(experiment: Experiment, data: PlotData): string {
  const ran = measuredSizes(experiment, data);
  const { n } = experiment.axes;
  const declared = (dataset: string): readonly number[] => ("length" in n ? n : [n[dataset] ?? 0]) as readonly number[];
  const largest = Math.max(...data.points.map((p) => p.n));
  const full = Math.max(...data.points.flatMap((p) => declared(p.dataset)));
  if (ran === "" || !(largest < full)) return ran;
  return `${ran.replace(/\.$/, "")}, in place of ${ran.includes("…") ? "up to " : ""}${whole(full)}.`;
}

/** One number, one per data set, or the range. Nothing where n is the x axis. */
function measuredSizes(experiment: Experiment, data: PlotData): string {
  const ns = [...new Set(data.points.map((p) => p.n))].sort((a, b) => a - b);
  const [min] = ns;
  const max = ns.at(-1);
  if (min === undefined || max === undefined || max === 0 || experiment.figure.x.field === "n") return "";
  if (ns.length === 1) return `n = ${whole(min)}.`;
  const byName = byDeclaration(declaredOrder(experiment, "dataset"));
  const sets = [...new Set(data.points.map((p) => p.dataset))].sort(byName);
  const ofSet = (set: string): number[] => [...new Set(data.points.filter((p) => p.dataset === set).map((p) => p.n))];
  if (sets.length <= LISTED && sets.every((set) => ofSet(set).length === 1)) {
    return `n = ${sets.map((set) => `${whole(ofSet(set)[0] ?? 0)} (${datasetName(experiment, set)})`).join(", ")}.`;
  }
  return `n = ${whole(min)} … ${whole(max)}.`;
}

/** As the figure's axis or panels call the data set. */
function datasetName({ figure }: Experiment, name: string): string {
  const names = { ...figure.facet?.names, ...figure.x.names };
  return (names[name] ?? describeField("dataset", name)).replace(" (stand-in)", ", a stand-in");
}

/** Label of a limit line, such as `limit 39.3` or `limit 16.5, insert`. */
export function limitLabel(line: string, value: number): string {
  return line.replace(/^limit/, `limit ${tickLabel(rounded(value, 3))}`);
}

/** Whether a regression is drawn in place of lines from point to point. */
export function isCurve({ beside }: FigureSpec): boolean {
  return beside?.trend === "line" || beside?.trend === "parabola";
}
