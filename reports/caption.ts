/** The words of a figure: title, where it comes from, what ran, and what has no number. */
import type { Experiment, PaperId } from "../bench/model.js";
import { isSoftware } from "../bench/results/environment.js";
import { groupBy } from "../bench/results/group.js";
import type { ResultRow } from "../bench/results/record.js";
import { byDeclaration, declaredOrder } from "./rows.js";
import type { MissingCell, PlotData } from "./series.js";
import { formatNumber, tickLabel } from "./units.js";

/** Short names of the papers, for captions. */
export const PAPER_NAMES: Readonly<Record<PaperId, string>> = {
  cuckoo: "Alcantara et al., GPU Computing Gems 2011",
  stadium: "Stadium Hashing, PACT 2015",
  slab: "Slab Hash, IPDPS 2018",
  dycuckoo: "DyCuckoo, Dynamic Hash Tables on GPUs",
  gph: "GPH, SIGMOD 2025",
  device: "hashbench: the device",
  tables: "hashbench: all tables",
};

/** On what and when a figure's rows were measured. Several values of one kind are joined with `; `. */
export interface FigureEnvironment {
  readonly device: string;
  readonly driver: string;
  readonly dawn: string;
  readonly toggles: string;
  readonly commit: string;
  /** First day, or first and last. */
  readonly date: string;
  /** Whether a device emulates a GPU on the CPU. */
  readonly software: boolean;
}

const LIMIT_MEANING = "this device's measured rate for the accesses that the operation cannot avoid (device/limits)";
const LISTED = 5;

/** What the rows themselves say about where and when they were measured. */
export function environmentOf(rows: readonly ResultRow[]): FigureEnvironment {
  const all = (field: "device" | "driver" | "dawn" | "toggles" | "commit"): string =>
    [...new Set(rows.map((row) => row[field]))].filter((v) => v !== "").join("; ");
  const days = rows.map((row) => row.time.slice(0, 10)).sort();
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return {
    ...{ device: all("device"), driver: all("driver"), dawn: all("dawn"), toggles: all("toggles") },
    commit: all("commit"),
    date: first === last ? first : `${first} … ${last}`,
    software: rows.some((row) => isSoftware(row.device)),
  };
}

/** Under the title: the paper's figure and the device; a warning where the device is no GPU. */
export function subtitle(experiment: Experiment, environment: FigureEnvironment): string[] {
  const section = experiment.section === "" ? "" : `section ${experiment.section}`;
  const place = [PAPER_NAMES[experiment.paper], experiment.figureName, section]
    .filter((part) => part !== "")
    .join(", ");
  const lines = [[place, environment.device].filter((part) => part !== "").join(" · ")];
  if (environment.software) lines.push("Software adapter: a CPU emulates the GPU. These are not the speeds of a GPU.");
  return lines;
}

/** Under the panels, one paragraph an entry. */
export function notes(experiment: Experiment, data: PlotData, environment: FigureEnvironment): string[] {
  const { driver, dawn, toggles, commit, date } = environment;
  const ran = [
    experiment.id,
    driver === "" ? "" : `driver ${driver}`,
    dawn === "" ? "" : `Dawn ${dawn}`,
    toggles === "" ? "" : `toggles ${toggles}`,
    commit === "" ? "" : `commit ${commit.replace(/\b([0-9a-f]{10})[0-9a-f]{30}\b/g, "$1")}`,
    date,
  ];
  return [
    [experiment.setting.replace(/([^.])$/, "$1."), sizes(experiment, data)].filter((part) => part !== "").join(" "),
    [
      data.points.some((p) => p.lo !== null && p.hi !== null) ? "Error bars: 95 % interval of the median." : "",
      data.limits.length > 0 ? `Dashed: ${LIMIT_MEANING}.` : "",
    ]
      .join(" ")
      .trim(),
    data.points.length > 0 ? missingNote(data.missing) : "",
    `${ran.filter((part) => part !== "").join("; ")}.`,
  ].filter((line) => line !== "");
}

/** `n = …` as it really ran: one number, one a data set, or the range. Nothing where n is the x axis. */
function sizes(experiment: Experiment, data: PlotData): string {
  const ns = [...new Set(data.points.map((p) => p.n))].sort((a, b) => a - b);
  const [min] = ns;
  const max = ns.at(-1);
  if (min === undefined || max === undefined || max === 0 || experiment.figure.x.field === "n") return "";
  if (ns.length === 1) return `n = ${count(min)}.`;
  const byName = byDeclaration(declaredOrder(experiment, "dataset"));
  const sets = [...new Set(data.points.map((p) => p.dataset))].sort(byName);
  const ofSet = (set: string): number[] => [...new Set(data.points.filter((p) => p.dataset === set).map((p) => p.n))];
  if (sets.length <= LISTED && sets.every((set) => ofSet(set).length === 1)) {
    return `n = ${sets.map((set) => `${count(ofSet(set)[0] ?? 0)} (${set})`).join(", ")}.`;
  }
  return `n = ${count(min)} … ${count(max)}.`;
}

function count(n: number): string {
  return formatNumber(n, 16);
}

/** `3 cells without a number: …` with their reasons; "" where every cell has its number. */
export function missingNote(missing: readonly MissingCell[]): string {
  if (missing.length === 0) return "";
  const groups = missingByReason(missing);
  const listed = groups.slice(0, LISTED).map(({ reason, series, cells }) => {
    const names = series.length <= LISTED ? series.join(", ") : `${series.length} series`;
    return `${cells} × ${reason} (${names})`;
  });
  const rest = groups.slice(LISTED).reduce((sum, m) => sum + m.cells, 0);
  if (rest > 0) listed.push(`${rest} for other reasons`);
  return `${missing.length} ${missing.length === 1 ? "cell" : "cells"} without a number: ${listed.join("; ")}.`;
}

/** Missing cells with one reason, and the series that they are of. */
export interface MissingGroup {
  readonly reason: string;
  readonly series: readonly string[];
  readonly cells: number;
}

/** Groups missing cells, the most frequent reason first. */
export function missingByReason(missing: readonly MissingCell[]): MissingGroup[] {
  return [...groupBy(missing, (m) => m.reason)]
    .map(([reason, cells]) => ({ reason, series: [...new Set(cells.map((c) => c.series))], cells: cells.length }))
    .sort((a, b) => b.cells - a.cells);
}

/** Label of a limit line, such as `limit 39.3` or `limit 16.5, insert`. */
export function limitLabel(line: string, value: number): string {
  return line.replace(/^limit/, `limit ${tickLabel(Number(value.toPrecision(3)))}`);
}
