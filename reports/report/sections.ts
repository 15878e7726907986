/** The sections that the page and the Markdown files have in common, as documents. Those without blocks have nothing to say. */
import {
  type Block,
  heading,
  list,
  paragraph,
  type Span,
  type Table,
  type Text,
  table,
} from "../../bench/base/document.js";
import { decimals, formatNumber, joined, mebibytes, whole, withPowers } from "../../bench/base/format.js";
import { groupName } from "../../bench/claims/papers.js";
import { RULE } from "../../bench/claims/rule.js";
import { VERDICTS, verdictCounts } from "../../bench/claims/score.js";
import { adapterName } from "../../bench/results/device-name.js";
import { type Disagreement, type Measurement, TOLERANCE } from "../../bench/results/disagreements.js";
import { exploredLine } from "../../bench/results/explored.js";
import { type Verified, verifiedOf } from "../../bench/results/verified.js";
import { displayUnit } from "../figures/units.js";
import type { Column } from "./columns.js";
import { figureAnchor, type Report, type ScoredClaim } from "./contents.js";
import { columnFacts, limitRates } from "./environment.js";
import { findings } from "./findings.js";
import { fits, fitValues, type Modelled, missingText } from "./fit.js";
import { type Choice, choiceCells, JOBS_TEXT } from "./jobs.js";
import { type PortTable, type Ratio, slowerPorts } from "./originals.js";
import { OURS, VERDICT_MEANINGS } from "./scorecard.js";
import { standInsOf } from "./stand-ins.js";

export interface Section {
  readonly id: string;
  /** In the page's navigation. */
  readonly name: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** A section with its heading, unless it is empty. */
export function headed({ title, blocks }: Section): readonly Block[] {
  return blocks.length > 0 ? [heading(2, title), ...blocks] : [];
}

/** Blocks of every device that has some, after what is said of all. */
function byDevice(report: Report, text: readonly Block[], blocks: (column: Column, index: number) => readonly Block[]) {
  const all = report.columns.map((column, i) => ({ column, own: blocks(column, i) }));
  const some = all.filter(({ own }) => own.length > 0);
  const parts = some.map(({ column: { slug }, own }): Block => ({ kind: "device", slug, blocks: own }));
  return parts.length > 0 ? [...text, ...parts] : [];
}

export function jobs(report: Report): Section {
  const linked = ({ experiment, job }: Choice): Span | string =>
    report.figures.some((figure) => figure.experiment.id === experiment)
      ? { text: job, to: `#${figureAnchor(experiment)}` }
      : job;
  const line = (choice: Choice): Text[] => {
    const setting = ` (${withPowers(choice.setting)}; n = ${whole(choice.best.row.n)})`;
    return [[linked(choice), { text: setting, as: "note" }], ...choiceCells(choice)];
  };
  const head = ["job", "take", "rate", "of the limit", "bytes per pair", "runner-up"];
  const blocks = byDevice(report, [paragraph(JOBS_TEXT)], ({ label }, i) => {
    const own = report.choices[i] ?? [];
    return own.length > 0 ? [table(head, own.map(line), { caption: `On ${label}`, look: "facts jobs stack" })] : [];
  });
  return { id: "jobs", name: "Which table", title: "Which table for which job", blocks };
}

export function ownFindings(report: Report): Section {
  const blocks = byDevice(report, [], (column) => {
    const items = findings(report, column).map(({ title, text, experiment }): Text => {
      const figure: Span = { text: experiment, as: "code", to: `#${figureAnchor(experiment)}` };
      return [{ text: `${title}.`, as: "strong" }, ` ${text} (`, figure, ")"];
    });
    return items.length > 0 ? [paragraph(`On ${column.label}:`), list(items)] : [];
  });
  return { id: "findings", name: "Findings", title: "What we found besides", blocks };
}

/** How many statements have which verdict, a table per device. */
export function verdictTables(report: Report): Block[] {
  const { papers, ours } = report;
  const groups = [
    ...papers.map(({ paper, claims }) => ({ name: groupName(paper), claims })),
    ...(ours.length > 0 ? [{ name: OURS, claims: ours }] : []),
    ...(papers.length > 1 ? [{ name: "All papers", claims: papers.flatMap(({ claims }) => claims) }] : []),
  ];
  return byDevice(report, [], ({ label }, i) => {
    const lines = groups.map(({ name, claims }) => [name, ...counts(claims, i)]);
    return [table(["of", ...COUNTED], lines, { caption: `On ${label}`, look: "numbers stack" })];
  });
}

/** The verdicts on some claims by device. */
export function verdictsByDevice({ columns }: Report, claims: readonly ScoredClaim[]): Block {
  const lines = columns.map(({ label }, i) => [label, ...counts(claims, i)]);
  return table(["device", ...COUNTED], lines, { caption: "Verdicts on all statements", look: "numbers stack" });
}

const COUNTED = ["statements", "numbers", ...VERDICTS];

/** Of statements by verdict, behind how many they are and in how many numbers. */
function counts(claims: readonly ScoredClaim[], column: number): string[] {
  const scores = claims.flatMap(({ scores }) => scores[column] ?? []);
  const of = verdictCounts(scores);
  const all = Object.values(of).reduce((sum, number) => sum + number, 0);
  return [all, scores.length, ...VERDICTS.map((verdict) => of[verdict])].map(String);
}

export const meanings: Block = list(VERDICTS.map((v): Text => [{ text: v, as: "badge" }, `: ${VERDICT_MEANINGS[v]}`]));
export const rule: Block = list(RULE);

/** Experiments that nothing was measured of. */
export function absent(report: Report): Block[] {
  if (report.absent.length === 0) return [];
  const names = report.absent.flatMap(({ id }, i): Span[] => [{ text: i > 0 ? ", " : "" }, { text: id, as: "code" }]);
  return [paragraph(["Declared, but without rows here: ", ...names, "."])];
}

const ORIGINALS_TEXT =
  "Rate of a port / rate of its original, a program of its own measured in the same run, with the interval that the 95 % intervals of both give. " +
  "Ports have their default settings, but for DyCuckoo, whose original is the authors' program for 64-bit pairs: buckets of 16 slots, each key before its value; cuckoo has the chapter's prime, and CUDPP's. Above 1 the port is faster.";

export function originals(report: Report): Section {
  const slower = slowerPorts(report.ports.flat());
  const readmes = slower.flatMap((port, i): (string | Span)[] => {
    const readme = `kernels/${port}/README.md`;
    const named: Span = report.sources
      ? { text: port, to: `${report.sources}/${readme}` }
      : { text: readme, as: "code" };
    return i > 0 ? [", ", named] : [named];
  });
  const blocks = byDevice(report, [paragraph(ORIGINALS_TEXT)], ({ label }, i) =>
    (report.ports[i] ?? []).map((own) => portTable(own, label)),
  );
  const why = readmes.length > 0 ? [paragraph(["Why a port is slower, its README says: ", ...readmes, "."])] : [];
  return { id: "originals", name: "Originals", title: "Ports over their originals", blocks: [...blocks, ...why] };
}

export function portTable({ along, places, lines }: PortTable, label: string): Table {
  const [first = "", ...others] = places.map((place) => (typeof place === "number" ? formatNumber(place) : place));
  const head = ["port", "operation", "original's settings", `${along.toLowerCase()} ${first}`, ...others];
  const cells = lines.map(({ title, operation, settings, ratios }) => [
    title,
    operation,
    settings,
    ...places.map((place) => ratioText(ratios.get(place))),
  ]);
  return table(head, cells, { caption: `On ${label}`, look: "facts originals" });
}

function ratioText(ratio: Ratio | undefined): string {
  if (!ratio) return "–";
  const { value, lo, hi } = ratio;
  const within = lo === null || hi === null ? "" : ` (${decimals(lo, 2)} to ${decimals(hi, 2)})`;
  return `${decimals(value, 2)}${within}`;
}

const DISAGREEMENTS_TITLE = "Times that disagree";
const DISAGREEMENTS_TEXT =
  `Two figures measured the same, and their values differ by more than ${100 * TOLERANCE} % with 95 % intervals that are apart. ` +
  "Most likely clocks had fallen for one of the two, other programs had the cores (tables on the CPU), or its machine was slower than others of its name: measure both again in one run.";

export function disagreements(report: Report): Section {
  const head = ["configuration", "quantity", "smaller", "larger", "larger / smaller"];
  const blocks = byDevice(report, [paragraph(DISAGREEMENTS_TEXT)], ({ label }, i) => {
    const found = report.disagreements[i] ?? [];
    const caption = `${DISAGREEMENTS_TITLE} on ${label}`;
    return found.length > 0 ? [table(head, found.map(disagreementCells), { caption })] : [];
  });
  return { id: "disagreements", name: "Disagreements", title: DISAGREEMENTS_TITLE, blocks };
}

function disagreementCells({ cell, metric, unit, smaller, larger, quotient }: Disagreement): string[] {
  const shown = displayUnit(unit, larger.value);
  const side = ({ value, row }: Measurement): string => {
    const number = `${formatNumber(value * shown.factor)} ${shown.unit === "ratio" ? "" : shown.unit}`.trim();
    const within = row.metric === metric ? "" : ` (within ${row.metric})`;
    return `${number}${within}, ${row.experiment}, run ${row.run}`;
  };
  return [cell, metric, side(smaller), side(larger), `${formatNumber(quotient, 3)}×`];
}

export function devices(report: Report): Section {
  const facts = byDevice(report, [], (column) => {
    const known = columnFacts(column, report.hosts).filter(([, text]) => text !== "");
    return [table(["", column.label], known)];
  });
  const limits = byDevice(report, [heading(3, "Limits"), paragraph(LIMITS_TEXT)], (column) => {
    const { sizes, lines } = limitRates(column);
    const cells = lines.map(({ kind, title, rates }) => [`${kind}: ${title}`, ...rates]);
    const caption = `Limits of ${column.label}, G accesses/s`;
    return cells.length > 0 ? [table(["access", ...sizes.map(mebibytes)], cells, { caption, look: "numbers" })] : [];
  });
  return { id: "devices", name: "Devices", title: "Devices", blocks: [...facts, ...limits] };
}

const LIMITS_TEXT =
  "Median rates of device/limits, in billions of accesses per second (of copies in TB/s), by the size of the table. A lookup also reads its key and writes its result.";

const VERIFICATION_TEXT =
  "hashbench verify compared tables with an oracle on the CPU: every combination of parameters with which an experiment times a table, and every " +
  "value of a list on its own. Every run also checks the answers of each timed cell.";

export function verification({ verified, explored }: Report): Section {
  const head = ["table", "variants", "failed", "not verified", "operations", "commit", "which"];
  const tables = verified.map((one) => {
    const on = joined([adapterName(one.device), one.driver, one.dawn]);
    return table(head, verificationCells(one), { caption: `On ${on}`, look: "facts verified" });
  });
  const lines = explored.map((one) => [one.table, exploredLine(one)]);
  if (lines.length > 0) tables.push(table(["table", "explored"], lines, { look: "facts explored" }));
  const blocks = tables.length > 0 ? [paragraph(VERIFICATION_TEXT), ...tables] : [];
  return { id: "verified", name: "Verified", title: "Verified", blocks };
}

function verificationCells(verified: Verified): string[][] {
  const tables = [...new Set(verified.variants.map(({ table }) => table))];
  return tables.map((name) => {
    const { variants, failed, skipped, operations, values, commits } = verifiedOf(verified, name);
    const counts = [variants, failed, skipped, operations].map(whole);
    return [name, ...counts, commits.join(", "), values.replaceAll(",", ", ")];
  });
}

const MODEL_TEXT =
  "After GPH's model, that time follows from what is executed: a retrieval takes as long as its requests to memory take, each at the rate at which " +
  "this device reads memory of the size that it goes to (device/limits, device/beyond-limits), with the key read and the result written; or as the translation of " +
  "their addresses takes in memory so large that blocks cost no more than single words; or as the steps of its warps take, or the reads of the lane that makes most of them, one after another, where that is longer; and its dispatch has to be launched. Nothing is fitted. Requests and steps are counted in runs of their own and stand in for " +
  "the paper's profiler counts. Retrievals of random keys by one dispatch only: caches help skewed ones, and insertions overlap their accesses to one sector.";

/** How well the model's times agree, by table and of all cells together, over decades of times. */
export function model(report: Report, modelled: readonly Modelled[]): Section {
  const head = ["cells", "median error", "largest error", "number", "Pearson r"];
  const tables = byDevice(report, [], ({ label }, i) => {
    const lines = fits(modelled[i]?.points ?? []).map(({ name, fit }) => [name, ...fitValues(fit)]);
    const caption = `On ${label}, errors of the model by table, |modelled − measured| / measured, the largest median first`;
    return lines.length > 0 ? [table(head, lines, { caption, look: "numbers" })] : [];
  });
  const missing = modelled.map(missingText).filter((text) => text !== "");
  return {
    id: "model",
    name: "Model",
    title: "Model",
    blocks: [paragraph(MODEL_TEXT), ...tables, ...missing.map(paragraph)],
  };
}

/** The metrics, data sets and tables shown that stand in for the papers' own. */
export function standIns({ rows }: Report): Block[] {
  const found = standInsOf(rows);
  const items = found.map(({ name, text }): Text => [{ text: name, as: "code" }, `: ${text}`]);
  return items.length > 0
    ? [heading(3, "Stand-ins"), paragraph("What stands in for what the papers measured:"), list(items)]
    : [];
}
