/** A comparison in words: for a terminal, a pull request, and machines. */

import { type Block, heading, list, paragraph, printMarkdown, printText, type Text, table } from "../base/document.js";
import { count, decimals, percent, signed, significant } from "../base/format.js";
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
      const mark = objections(comparison).length > 0 ? "❌" : "✅";
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

/** By {@link CHANGE_HEAD}, after the cell's name. */
function cells({ cell, metric, unit, before, after, change: share, noise, p }: Verdict): Text[] {
  const quiet = noise === null ? "" : `noise ${percent(noise, 2)}`;
  const chance = p === null ? "" : `p ${p < 1e-4 ? "< 0.0001" : decimals(p, 4)}`;
  const [was, is] = [before, after].map((value) => amount(value, unit)) as [string, string];
  const changed: Text = [{ text: change(share), as: "strong" }];
  return [cellName(cell.last), metric, was, is, changed, [quiet, chance].filter(Boolean).join(", ")];
}

function sorted(verdicts: readonly Verdict[], decision: Verdict["decision"]): Verdict[] {
  return verdicts
    .filter((verdict) => verdict.decision === decision)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
}

function headline(comparison: Comparison): string {
  const { verdicts, broken } = comparison;
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
  return `${verdict}${better > 0 ? `, ${better} better` : ""}${gaps}`;
}

/** Everything beside the lists: what was compared, how, and what to keep in mind. */
function remarks(comparison: Comparison): string[] {
  const { before, after, options, gated, differences, drift, limitDrift, verdicts } = comparison;
  const runs = (cells: Iterable<SideCell>) =>
    new Set([...cells].flatMap((cell) => cell.runs.map(({ run }) => run))).size;
  const noisy = sorted(verdicts, "noisy").length;
  const gaps = uncomparedCells(comparison);
  return [
    `Before: ${before.path} (${count(runs(before.cells.values()), "run")}). After: ${after.path} (${count(runs(after.cells.values()), "run")}). Device: ${after.distinct("device").join("; ")}.`,
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
    const found = sorted(verdicts, decision);
    const left = found.length - most;
    return [
      ...(found.length > 0 ? [table([decision, ...CHANGE_HEAD], found.slice(0, most).map(cells))] : []),
      ...(left > 0 ? [paragraph(`… and ${left} more`)] : []),
    ];
  });
  return [
    heading(3, title),
    ...(broken.length > 0
      ? [
          table(
            ["no number any more", "why"],
            broken.slice(0, most).map(({ cell, reason }) => [cellName(cell.last), reason]),
          ),
        ]
      : []),
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
