/** The report as Markdown, for a repository's pages: the same words, the figures as pictures beside it. */
import { causeInWords, VERDICTS, verdictInWords } from "../../bench/claims/score.js";
import { escapeMarkdown } from "../../bench/markdown.js";
import { PAPER_NAMES } from "../../bench/papers.js";
import { figureFile, type Report, type ScoredClaim } from "./contents.js";
import { DISAGREEMENTS_HEAD, DISAGREEMENTS_TEXT, DISAGREEMENTS_TITLE, disagreementCells } from "./disagreements.js";
import { columnFacts, limitRates, mebibytes } from "./environment.js";
import { placeOf } from "./figures.js";
import { FIT_HEAD, fits, fitValues, missingText } from "./fit.js";
import { MODEL_TEXT, modelColumns } from "./model-section.js";
import { claimCounts, count, DIFFERING, differs, OURS, statedBy, VERDICT_MEANINGS } from "./scorecard.js";
import { standInsOf } from "./stand-ins.js";
import {
  VERIFICATION_HEAD,
  VERIFICATION_TEXT,
  VERIFICATION_TITLE,
  verificationCells,
  verifiedOn,
} from "./verification.js";

export function reportMarkdown(report: Report): string {
  const parts = [
    escapeMarkdown(`# Five GPU hash-table papers on ${report.columns.map((c) => c.label).join(", ")}`),
    ...scorecard(report),
    ...figures(report),
    ...disagreements(report),
    ...devices(report),
    ...verification(report),
    ...model(report),
  ];
  return `${parts.join("\n\n")}\n`;
}

function scorecard(report: Report): string[] {
  const all = report.papers.flatMap((paper) => paper.claims);
  const labels = report.columns.map((c) => c.label);
  const groups = [all, ...(report.ours.length > 0 ? [report.ours] : [])];
  const counts = VERDICTS.map((v) => [
    v,
    ...groups.flatMap((claims) => labels.map((_, i) => `${count(claims, v, i)}`)),
    VERDICT_MEANINGS[v],
  ]);
  const heads = [...labels, ...(groups.length > 1 ? labels.map((label) => `${label}, ours`) : [])];
  const section = (title: string, claims: readonly ScoredClaim[]): string[] => [
    `### ${title}`,
    table(["claim", "paper", ...labels.flatMap((label) => [label, "verdict"]), "why"], claims.map(claimCells)),
  ];
  return [
    "## Scorecard",
    `${claimCounts(report)}.`,
    table(["verdict", ...heads, "meaning"], counts),
    ...differing([...all, ...report.ours], labels),
    ...report.papers.flatMap(({ paper, claims }) => section(PAPER_NAMES[paper], claims)),
    ...(report.ours.length > 0 ? section(OURS, report.ours) : []),
  ];
}

/** What several devices do not agree on, in short; the reasons are with the claims. */
function differing(claims: readonly ScoredClaim[], labels: readonly string[]): string[] {
  const lines = claims
    .filter(differs)
    .map(({ claim, scores }) => [
      claim.text,
      claim.paper,
      ...scores.flatMap((s): Cell[] => [{ bold: s.ours, rest: "" }, verdictInWords(s)]),
    ]);
  if (lines.length === 0) return [];
  return [`### ${DIFFERING}`, table(["claim", "paper", ...labels.flatMap((label) => [label, "verdict"])], lines)];
}

function claimCells({ claim, scores }: ScoredClaim): Cell[] {
  const ours = scores.flatMap((s): Cell[] => {
    const rest = [s.interval, s.scaled === "" ? "" : `(paper scaled: ${s.scaled})`].filter((t) => t !== "");
    return [{ bold: s.ours, rest: rest.join(" ") }, verdictInWords(s)];
  });
  const reasons = [
    ...new Set(scores.map(({ reason, cause }) => (cause ? `${reason} ${causeInWords(cause)}` : reason))),
  ];
  return [claim.text, `${claim.paper} (${statedBy(claim)})`, ...ours, reasons.join(" / ")];
}

function figures(report: Report): string[] {
  const absent = report.absent.map(({ id }) => `\`${id}\``).join(", ");
  return [
    "## Figures",
    ...report.figures.flatMap(({ experiment, drawn }) => [
      `### ${experiment.title}`,
      `${placeOf(experiment)}. ${experiment.notes ?? ""}`.trim(),
      ...drawn.map(
        ({ column }) =>
          `![${escapeMarkdown(`${experiment.title} on ${column.label}`)}](${encodeURI(figureFile(report, experiment, column))})`,
      ),
    ]),
    ...(absent === "" ? [] : [`Declared, but without rows here: ${absent}.`]),
  ];
}

function disagreements(report: Report): string[] {
  const lines = report.columns.flatMap(({ label }, i) =>
    (report.disagreements[i] ?? []).map((one) => [label, ...disagreementCells(one)]),
  );
  if (lines.length === 0) return [];
  return [`## ${DISAGREEMENTS_TITLE}`, DISAGREEMENTS_TEXT, table(["device", ...DISAGREEMENTS_HEAD], lines)];
}

function devices(report: Report): string[] {
  const facts = report.columns.map((column) => columnFacts(column, report.hosts));
  const lines = (facts[0] ?? []).map(([name], i) => [name, ...facts.map((own) => own[i]?.[1] || "–")]);
  return [
    "## Devices",
    table(["", ...report.columns.map((c) => c.label)], lines),
    ...report.columns.flatMap((column) => {
      const { sizes, lines: rates } = limitRates(column);
      if (rates.length === 0) return [];
      const cells = rates.map(({ kind, title, rates: own }) => [`${kind}: ${title}`, ...own]);
      return [
        `Limits of ${escapeMarkdown(column.label)}, G accesses/s:`,
        table(["access", ...sizes.map(mebibytes)], cells),
      ];
    }),
  ];
}

function verification(report: Report): string[] {
  if (report.verified.length === 0) return [];
  const tables = report.verified.flatMap((one) => [
    `On ${escapeMarkdown(verifiedOn(one))}:`,
    table([...VERIFICATION_HEAD], verificationCells(one)),
  ]);
  return [`## ${VERIFICATION_TITLE}`, VERIFICATION_TEXT, ...tables];
}

function model(report: Report): string[] {
  const all = modelColumns(report);
  const lines = all.flatMap(({ column, points }) =>
    fits(points).map(({ name, fit }) => [column.label, name, ...fitValues(fit)]),
  );
  const standIns = standInsOf(report.rows);
  return [
    "## Model",
    MODEL_TEXT,
    ...(lines.length === 0 ? [] : [table(["device", ...FIT_HEAD], lines)]),
    ...all.flatMap(({ column, points, file }) =>
      points.length > 0
        ? [`![${escapeMarkdown(`Modelled and measured time on ${column.label}`)}](${encodeURI(file)})`]
        : [],
    ),
    ...all.map(missingText).filter((text) => text !== ""),
    ...(standIns.length === 0 ? [] : ["Stand-ins:", standIns.map((s) => `- \`${s.name}\`: ${s.text}`).join("\n")]),
  ];
}

/** Plain text, the first part of it in bold. */
type Cell = string | { readonly bold: string; readonly rest: string };

function table(head: readonly string[], lines: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...lines.map(line)].join("\n");
}

function cellText(cell: Cell): string {
  if (typeof cell === "string") return escapeMarkdown(cell);
  return [cell.bold && `**${escapeMarkdown(cell.bold)}**`, escapeMarkdown(cell.rest)].filter((t) => t !== "").join(" ");
}
