/** A comparison in words: for a terminal, a pull request, and machines. */

import { type Block, heading, list, paragraph, printMarkdown, printText, type Text, table } from "../base/document.js";
import { count, decimals, percent, signed, significant } from "../base/format.js";
import { adapterName } from "../results/device-name.js";
import { groupBy } from "../results/group.js";
import { type Comparison, objections, regressed, shortcomings, uncomparedCells, type Verdict } from "./compare.js";
import { TIME } from "./decide.js";
import { environmentDiffers, timeGroups } from "./groups.js";
import { isOfWork } from "./parts.js";
import { cellName, type SideCell } from "./side.js";

export const FORMATS = ["text", "markdown", "json", "github-action-benchmark"] as const;
export type CompareFormat = (typeof FORMATS)[number];

/** Rows of a table in Markdown or text; the rest is counted. */
const LISTED = 50;
/** If the median cell changed by half the threshold, the likelier reason is something that all cells have in common. */
const DRIFT_SHARE = 0.5;
const NOT_A_KERNEL = "the machine, its clocks, the driver or Dawn are likelier reasons than a table's kernel";

interface Shown {
  /** Characters of a line of text. */
  readonly width?: number | undefined;
  /** List what did not change, too, and each list in full. */
  readonly all?: boolean;
}

export function format(comparison: Comparison, how: CompareFormat, { width, all = false }: Shown = {}): string {
  switch (how) {
    case "text":
      return printText(document(comparison, `${headline(comparison)}.`, all), width);
    case "markdown": {
      const mark = objections(comparison).length > 0 ? "❌" : couldNotJudge(comparison) ? "⚠️" : "✅";
      return printMarkdown(document(comparison, `${mark} hashbench: ${headline(comparison)}`, all));
    }
    case "json":
      return `${JSON.stringify(json(comparison), null, 1)}\n`;
    case "github-action-benchmark":
      return `${JSON.stringify(actionBenchmark(comparison), null, 1)}\n`;
  }
}

function change(share: number): string {
  return signed(share, Math.abs(share) < 0.1 ? 1 : 0);
}

function amount(value: number, unit: string): string {
  if (unit !== "ns") return significant(value, 4);
  const [scale, name] = value >= 1e6 ? [1e6, "ms"] : [1e3, "µs"];
  return `${significant(value / scale, 4)} ${name}`;
}

const CHANGE_HEAD = ["metric", "before", "after", "change", "evidence"];

/** One line, by {@link CHANGE_HEAD} after the cell's name. @param more counters of the cell that changed less */
function cells({ verdict, more }: Line): Text[] {
  const { cell, metric, unit, before, after, change: share } = verdict;
  const [was, is] = [before, after].map((value) => amount(value, unit)) as [string, string];
  const changed: Text = [{ text: change(share), as: "strong" }];
  const others = more > 0 ? `, and ${count(more, "more counter")}` : "";
  return [cellName(cell.last), `${metric}${others}`, was, is, changed, evidence(verdict)];
}

/** Of a time; counters are exact. */
function evidence({ noise, p }: Verdict): string {
  const quiet = noise === null ? "" : `noise ${percent(noise, 2)}`;
  const chance = p === null ? "" : `p ${p < 1e-4 ? "< 0.0001" : decimals(p, 4)}`;
  return [quiet, chance].filter(Boolean).join(", ");
}

interface Line {
  readonly verdict: Verdict;
  readonly more: number;
}

/** Of a cell the time, and the counter that changed most. */
function worstOf(found: readonly Verdict[]): Line[] {
  const lines = groupBy(found, ({ cell, metric }) => `${metric === TIME} ${cell.key}`);
  return [...lines.values()].map(([verdict, ...more]) => ({ verdict, more: more.length }));
}

/** The last column only where it says something. */
function changeTable(decision: Verdict["decision"], lines: readonly Line[]): Block {
  const columns = lines.some(({ verdict }) => evidence(verdict) !== "") ? CHANGE_HEAD : CHANGE_HEAD.slice(0, -1);
  const rows = lines.map((line) => cells(line).slice(0, 1 + columns.length));
  return table([decision, ...columns], rows);
}

function sorted(verdicts: readonly Verdict[], decision: Verdict["decision"]): Verdict[] {
  return verdicts
    .filter((verdict) => verdict.decision === decision)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
}

/** Whether all times were too noisy. */
function couldNotJudge({ verdicts }: Comparison): boolean {
  const times = verdicts.filter(({ metric }) => metric === TIME);
  return times.length > 0 && times.every(({ decision }) => decision === "noisy");
}

function headline(comparison: Comparison): string {
  const { verdicts, broken } = comparison;
  const noisy = sorted(verdicts, "noisy");
  // What a table keeps whatever its kernels do does not make a cell compared, unless it changed.
  const compared = verdicts.filter((one) => one.metric === TIME || isOfWork(one.metric) || one.decision !== "same");
  const cells = new Set(compared.map(({ cell }) => cell.key)).size;
  const worse = new Set([...sorted(verdicts, "worse"), ...broken].map(({ cell }) => cell.key)).size;
  const better = new Set(sorted(verdicts, "better").map(({ cell }) => cell.key)).size;
  const verdict =
    worse > 0
      ? `${worse} of ${cells + broken.length} cells became worse`
      : `${count(cells, "cell")}, none became worse`;
  const gaps = comparison.missing > 0 ? `; ${count(comparison.missing, "cell")} not compared, or only in part` : "";
  const unknown = couldNotJudge(comparison)
    ? "; no time could be judged"
    : noisy.length > 0
      ? `; ${count(noisy.length, "time")} could not be judged`
      : "";
  return `${verdict}${better > 0 ? `, ${better} better` : ""}${unknown}${gaps}`;
}

/** Everything beside the lists: what was compared, how, and what to keep in mind. */
function remarks(comparison: Comparison): string[] {
  const { before, after, options, gated, differences, drift, limitDrift, verdicts } = comparison;
  const runs = (cells: Iterable<SideCell>) =>
    new Set([...cells].flatMap((cell) => cell.runs.map(({ run }) => run))).size;
  const noisy = sorted(verdicts, "noisy").length;
  const gaps = uncomparedCells(comparison);
  return [
    `Before: ${before.path} (${count(runs(before.cells.values()), "run")}). After: ${after.path} (${count(runs(after.cells.values()), "run")}). Device: ${after.distinct("device").map(adapterName).join("; ")}.`,
    ...differences.map(
      ({ column, before: was, after: is }) => `${column}: ${was || "none"} before, ${is || "none"} after.`,
    ),
    `Gated by ${gated.join(" and ")}.` +
      (gated.includes("times")
        ? ` A time is worse if it rose by more than ${percent(options.threshold / 2)} (half of the threshold) and by more than its own noise, with p < ${options.alpha} among all times.`
        : ""),
    drift !== null && gated.includes("times") && Math.abs(drift) > DRIFT_SHARE * options.threshold
      ? `The median cell changed by ${change(drift)}: ${NOT_A_KERNEL}.`
      : limitDrift === null
        ? ""
        : `Accesses of device/limits became slower too, by ${change(limitDrift).replace("+", "")} in the median: ${NOT_A_KERNEL}.`,
    noisy > 0 ? `${count(noisy, "time")} too noisy to show a change of ${percent(options.threshold)}.` : "",
    gaps.length > 0 ? `Not compared: ${gaps.join(", ")}.` : "",
    ...shortcomings(comparison).map((why) => `The answer is no: ${why}.`),
  ].filter((remark) => remark !== "");
}

function document(comparison: Comparison, title: string, all: boolean): Block[] {
  const { verdicts, broken } = comparison;
  const most = all ? Number.POSITIVE_INFINITY : LISTED;
  const listed = all ? (["worse", "better", "noisy", "same"] as const) : (["worse", "better"] as const);
  const changes = listed.flatMap((decision) => {
    const changed = sorted(verdicts, decision);
    const found = all ? changed.map((verdict) => ({ verdict, more: 0 })) : worstOf(changed);
    if (found.length === 0) return [];
    const shown = changeTable(decision, found.slice(0, most));
    return found.length > most ? [shown, paragraph(`… and ${found.length - most} more`)] : [shown];
  });
  const lost = broken.slice(0, most).map(({ cell, reason }) => [cellName(cell.last), reason]);
  return [
    heading(3, title),
    ...(lost.length > 0 ? [table(["no number any more", "why"], lost)] : []),
    ...changes,
    ...(environmentDiffers(comparison) ? [groups(comparison)] : []),
    list(remarks(comparison)),
  ];
}

/** What changed where driver, Dawn, device or toggles did. */
function groups({ verdicts }: Comparison): Block {
  return table(
    ["table", "operation", "median time", "least", "most", "cells", "slower", "faster"],
    timeGroups(verdicts).map(({ table, op, median, least, most, cells, worse, better }) => [
      table,
      op,
      ...[median, least, most].map(change),
      ...[cells, worse, better].map(String),
    ]),
  );
}

function json(comparison: Comparison) {
  const { before, after, options, broken, unlike, verdicts, ...others } = comparison;
  const named = (cell: SideCell) => ({ cell: cellName(cell.last), key: cell.key });
  return {
    regressed: regressed(comparison),
    /** Why the exit code is 1; empty where it is 0. */
    objections: objections(comparison),
    before: before.path,
    after: after.path,
    ...options,
    ...others,
    groups: timeGroups(verdicts),
    broken: broken.map(({ cell, reason }) => ({ ...named(cell), reason })),
    unlike: unlike.map(({ cell, reason, gap }) => ({ ...named(cell), reason, gap })),
    verdicts: verdicts.map(({ cell, ...verdict }) => ({ ...named(cell), ...verdict })),
  };
}

/** What github-action-benchmark reads as `customSmallerIsBetter`: times, or counters where times do not gate. */
function actionBenchmark({ after, gated }: Comparison): object[] {
  const wanted = gated.includes("times") ? ["time"] : ["probes", "transactions"];
  return [...after.cells.values()].flatMap((cell) =>
    [...(cell.runs.at(-1)?.rows.values() ?? [])]
      .filter(({ metric, status }) => wanted.includes(metric) && status === "ok")
      .map(({ metric, unit, value, lo, hi, samples, commit }) => ({
        name: `${cellName(cell.last)}: ${metric}`,
        unit,
        value,
        ...(lo === null || hi === null || value === null ? {} : { range: `± ${Math.max(hi - value, value - lo)}` }),
        extra: `${count(samples, "sample")}, commit ${commit || "unknown"}`,
      })),
  );
}
