/** The report as Markdown, for a repository's pages: the same words, a file a paper, the figures as pictures beside it. */

import { escapeMarkdown } from "../../bench/base/markdown.js";
import { paperOf, papers } from "../../bench/claims/papers.js";
import { RULE } from "../../bench/claims/rule.js";
import { becauseOf, type Score, VERDICTS, verdictInWords } from "../../bench/claims/score.js";
import { groupBy } from "../../bench/results/group.js";
import { figureFile, type PaperHeadlines, type Report, type ReportFigure, type ScoredClaim } from "./contents.js";
import { DISAGREEMENTS_HEAD, DISAGREEMENTS_TEXT, DISAGREEMENTS_TITLE, disagreementCells } from "./disagreements.js";
import { columnFacts, limitRates, mebibytes } from "./environment.js";
import { placeOf } from "./figures.js";
import { FINDINGS_TITLE, findings } from "./findings.js";
import { FIT_HEAD, fits, fitValues, missingText } from "./fit.js";
import { JOBS_HEAD, JOBS_TEXT, JOBS_TITLE, jobCells } from "./jobs.js";
import { MODEL_TEXT, modelColumns } from "./model-section.js";
import { CONCLUSIONS_TEXT, CONCLUSIONS_TITLE } from "./opening.js";
import { slowerPorts } from "./originals.js";
import { ORIGINALS_TEXT, ORIGINALS_TITLE, portCells, portHead, readmeOf } from "./originals-section.js";
import { inPaperOrder, OWN_TITLE } from "./papers.js";
import {
  claimCounts,
  count,
  countsInWords,
  DIFFERING,
  dataOf,
  differs,
  evidenceOf,
  statedBy,
  VERDICT_MEANINGS,
} from "./scorecard.js";
import { standInsOf } from "./stand-ins.js";
import {
  VERIFICATION_HEAD,
  VERIFICATION_TEXT,
  VERIFICATION_TITLE,
  verificationCells,
  verifiedOn,
} from "./verification.js";

/** Files of a Markdown report by name: report.md for all papers, and one for each paper and for what is ours, with claims and figures. */
export function markdownFiles(report: Report): ReadonlyMap<string, string> {
  const pages = pagesOf(report);
  const file = (parts: readonly string[]): string => `${parts.join("\n\n")}\n`;
  return new Map([
    ["report.md", file(overview(report, pages))],
    ...pages.map((page) => [page.file, file(pageParts(report, page))] as const),
  ]);
}

/** A file of its own: of a paper, or of what is ours. */
interface Page {
  readonly file: string;
  readonly title: string;
  readonly headlines: PaperHeadlines | undefined;
  readonly claims: readonly ScoredClaim[];
  readonly figures: readonly ReportFigure[];
}

function pagesOf({ papers: scored, headlines, figures, ours }: Report): Page[] {
  const pages = papers.map(({ id, name }) => ({
    file: `${id}.md`,
    title: name,
    headlines: headlines.find(({ paper }) => paper === id),
    claims: scored.find(({ paper }) => paper === id)?.claims ?? [],
    figures: inPaperOrder(figures.filter(({ experiment }) => paperOf(experiment.id) === id)),
  }));
  const theirs = new Set(pages.flatMap((page) => page.figures));
  const rest = figures.filter((figure) => !theirs.has(figure));
  const own = { file: "ours.md", title: OWN_TITLE, headlines: undefined, claims: ours, figures: rest };
  return [...pages, own].filter((page) => page.claims.length + page.figures.length > 0);
}

function overview(report: Report, pages: readonly Page[]): string[] {
  const absent = report.absent.map(({ id }) => `\`${id}\``).join(", ");
  return [
    escapeMarkdown(`# Five GPU hash-table papers on ${labelsOf(report).join(", ")}`),
    ...(report.headlines.length > 0 ? [`## ${CONCLUSIONS_TITLE}`, CONCLUSIONS_TEXT] : []),
    ...pages.flatMap((page) => (page.headlines ? conclusions(report, page, page.headlines) : [])),
    ...jobs(report),
    ...ownFindings(report),
    ...originals(report),
    ...scorecard(report, pages),
    ...disagreements(report),
    ...devices(report),
    ...verification(report),
    ...model(report),
    ...(absent === "" ? [] : [`Declared, but without rows here: ${absent}.`]),
  ];
}

function pageParts(report: Report, page: Page): string[] {
  const { claims, title, figures, headlines } = page;
  return [
    `# ${escapeMarkdown(title)}`,
    `${escapeMarkdown(`On ${labelsOf(report).join(", ")}; all papers are in`)} [the report](report.md).`,
    ...(headlines ? conclusions(report, page, headlines, "## Conclusions") : []),
    ...(claims.length > 0 ? ["## Claims", verdicts(report, claims)] : []),
    ...[...groupBy(claims, ({ claim }) => evidenceOf(claim))].flatMap(([kind, own]) => [
      `### ${kind}: ${own.length}`,
      claimTable(report, own),
    ]),
    "## Figures",
    ...figures.flatMap((figure) => figureParts(report, figure)),
  ];
}

function labelsOf({ columns }: Report): string[] {
  return columns.map(({ label }) => label);
}

/** A paper's conclusions in its words, a line a claim that answers one; below a heading, or below the paper's name. */
function conclusions(report: Report, { title, file, claims }: Page, own: PaperHeadlines, heading?: string): string[] {
  const labels = labelsOf(report);
  const lines = own.conclusions.flatMap(({ quote, section, claims: answers }) =>
    answers.map((scored, i): Cell[] => [
      i === 0 ? `“${quote}” (${section})` : "",
      claimText(scored),
      scored.claim.paper,
      ...scored.scores.flatMap(scoreCells),
    ]),
  );
  return [
    heading ?? `### [${escapeMarkdown(title)}](${file})`,
    escapeMarkdown(`${own.about} ${countsInWords(claims, labels)}`),
    table(["in the paper's words", "claim", "paper", ...scoreHeads(labels)], lines),
  ];
}

function jobs(report: Report): string[] {
  const tables = report.columns.flatMap(({ label }, i) => {
    const own = report.choices[i] ?? [];
    return own.length > 0 ? [`On ${escapeMarkdown(label)}:`, table([...JOBS_HEAD], own.map(jobCells))] : [];
  });
  return tables.length > 0 ? [`## ${JOBS_TITLE}`, JOBS_TEXT, ...tables] : [];
}

function ownFindings(report: Report): string[] {
  const lists = report.columns.flatMap((column) => {
    const lines = findings(report, column).map(({ title, text, experiment }) => {
      return `- **${title}.** ${escapeMarkdown(text)} (\`${experiment}\`)`;
    });
    return lines.length > 0 ? [`On ${escapeMarkdown(column.label)}:`, lines.join("\n")] : [];
  });
  return lists.length > 0 ? [`## ${FINDINGS_TITLE}`, ...lists] : [];
}

/** The verdicts by device and page, and what they mean. */
function scorecard(report: Report, pages: readonly Page[]): string[] {
  const claims = [...report.papers.flatMap((paper) => paper.claims), ...report.ours];
  const lines = report.columns.flatMap(({ label }, i) =>
    pages
      .filter((page) => page.claims.length > 0)
      .map((page) => [
        label,
        page.title,
        `${page.claims.length}`,
        ...VERDICTS.map((v) => `${count(page.claims, v, i)}`),
      ]),
  );
  const links = pages.map(({ title, file }) => `[${escapeMarkdown(title)}](${file})`).join(", ");
  return [
    "## Scorecard",
    `${claimCounts(report)}. All claims and figures: ${links}.`,
    ...(claims.length > 0 ? [table(["device", "of", "claims", ...VERDICTS], lines)] : []),
    VERDICTS.map((v) => `- ${v}: ${escapeMarkdown(VERDICT_MEANINGS[v])}`).join("\n"),
    `The rule by which rows answer claims:\n\n${RULE.map((one) => `- ${one}`).join("\n")}`,
    ...differing(claims, labelsOf(report)),
  ];
}

function verdicts({ columns }: Report, claims: readonly ScoredClaim[]): string {
  const lines = columns.map(({ label }, i) => [label, ...VERDICTS.map((v) => `${count(claims, v, i)}`)]);
  return table(["device", ...VERDICTS], lines);
}

function scoreHeads(labels: readonly string[]): string[] {
  return labels.flatMap((label) => [label, "verdict"]);
}

function scoreCells(score: Score): Cell[] {
  const rest = [score.interval, score.scaled === "" ? "" : `(paper scaled: ${score.scaled})`].filter((t) => t !== "");
  return [{ bold: score.ours, rest: rest.join(" ") }, verdictInWords(score)];
}

function claimTable(report: Report, claims: readonly ScoredClaim[]): string {
  const labels = labelsOf(report);
  return table(
    ["id", "claim", "paper", ...scoreHeads(labels), "why"],
    claims.map((one) => claimCells(one)),
  );
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

/** With the data that stand in for the paper's, where there are such. */
function claimText(scored: ScoredClaim): string {
  const data = dataOf(scored);
  return data === "" ? scored.claim.text : `${scored.claim.text} (${data})`;
}

function claimCells(scored: ScoredClaim): Cell[] {
  const { claim, scores } = scored;
  const reasons = [...new Set(scores.map(({ reason }) => reason))].join(" / ");
  const because = scores.map(becauseOf).find((text) => text !== "");
  const why = because === undefined ? reasons : `${reasons} Why not: ${because}`;
  return [claim.id, claimText(scored), `${claim.paper} (${statedBy(claim)})`, ...scores.flatMap(scoreCells), why];
}

function figureParts(report: Report, { experiment, drawn }: ReportFigure): string[] {
  return [
    `### ${experiment.title}`,
    `${placeOf(experiment)}. ${experiment.notes ?? ""}`.trim(),
    ...drawn.map(
      ({ column }) =>
        `![${escapeMarkdown(`${experiment.title} on ${column.label}`)}](${encodeURI(figureFile(report, experiment, column))})`,
    ),
  ];
}

function originals(report: Report): string[] {
  const tables = report.columns.flatMap(({ label }, i) => (report.ports[i] ?? []).map((own) => ({ label, own })));
  if (tables.length === 0) return [];
  const readmes = slowerPorts(tables.map(({ own }) => own)).map((port) => {
    const readme = readmeOf(report, port);
    return readme === null ? `\`kernels/${port}/README.md\`` : `[${port}](${encodeURI(readme)})`;
  });
  return [
    `## ${ORIGINALS_TITLE}`,
    ORIGINALS_TEXT,
    ...tables.flatMap(({ label, own }) => [
      `On ${escapeMarkdown(label)}:`,
      table(
        portHead(own),
        own.lines.map((line) => portCells(own, line)),
      ),
    ]),
    ...(readmes.length > 0 ? [`Why a port is slower, its README says: ${readmes.join(", ")}.`] : []),
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
