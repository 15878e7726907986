/** The report as Markdown, for a repository's pages: a file a paper, the figures as pictures beside it. */
import {
  type Block,
  heading,
  paragraph,
  printMarkdown,
  type Span,
  type Text,
  table,
} from "../../bench/base/document.js";
import { count } from "../../bench/base/format.js";
import { judgedBy, type Score, verdictInWords } from "../../bench/claims/score.js";
import { groupBy } from "../../bench/results/group.js";
import { rowKey } from "../../bench/results/key.js";
import { figureFile, type PaperHeadlines, type Report, type ReportFigure, type ScoredClaim } from "./contents.js";
import { placeOf } from "./figures.js";
import { modelColumns } from "./model-figure.js";
import { CONCLUSIONS_TITLE } from "./opening.js";
import { type Part, partsOf } from "./papers.js";
import { causes, claimCounts, DIFFERING, differs, evidenceOf, settingOf, statedBy } from "./scorecard.js";
import {
  absent,
  devices,
  disagreements,
  headed,
  jobs,
  meanings,
  model,
  originals,
  ownFindings,
  rule,
  standIns,
  verdictsByDevice,
  verdictTables,
  verification,
} from "./sections.js";
import { summary } from "./summary.js";

/** Files of a Markdown report by name: report.md for all papers, and one for each paper and for what is ours, with claims and figures. */
export function markdownFiles(report: Report): ReadonlyMap<string, string> {
  const parts = partsOf(report);
  return new Map([
    ["report.md", printMarkdown(overview(report, parts))],
    ...parts.map((part) => [fileOf(part), printMarkdown(partBlocks(report, part))] as const),
  ]);
}

function fileOf({ id }: Pick<Part, "id">): string {
  return `${id}.md`;
}

function overview(report: Report, parts: readonly Part[]): Block[] {
  const modelled = modelColumns(report);
  return [
    heading(1, `Five GPU hash-table papers on ${labelsOf(report).join(", ")}`),
    ...(report.headlines.length > 0 ? [heading(2, CONCLUSIONS_TITLE)] : []),
    ...summary(report, (id) => fileOf({ id })),
    ...headed(jobs(report)),
    ...headed(ownFindings(report)),
    ...headed(originals(report)),
    ...scorecard(report, parts),
    ...headed(disagreements(report)),
    ...headed(devices(report)),
    ...headed(verification(report)),
    ...headed(model(report, modelled)),
    ...modelled.flatMap(({ column, points, file }): Block[] =>
      points.length > 0 ? [{ kind: "figure", text: `Modelled and measured time on ${column.label}`, file }] : [],
    ),
    ...standIns(report),
    ...absent(report),
  ];
}

function partBlocks(report: Report, { id, claims, title, figures }: Part): Block[] {
  const headlines = report.headlines.find(({ paper }) => paper === id);
  return [
    heading(1, title),
    paragraph([`On ${labelsOf(report).join(", ")}; all papers are in `, { text: "the report", to: "report.md" }, "."]),
    ...(headlines ? [heading(2, "Conclusions"), ...conclusions(report, headlines)] : []),
    ...(claims.length > 0 ? [heading(2, "Claims"), verdictsByDevice(report, claims)] : []),
    ...[...groupBy(claims, evidenceOf)].flatMap(([kind, own]) => [
      heading(3, `${kind}: ${own.length}`),
      table(
        ["id", "claim", "paper", ...scoreHeads(report), "why"],
        own.map((claim) => claimCells(claim, report)),
      ),
    ]),
    heading(2, "Figures"),
    ...figures.flatMap((figure) => figureBlocks(report, figure)),
  ];
}

function labelsOf({ columns }: Report): string[] {
  return columns.map(({ label }) => label);
}

/** A paper's conclusions in its words, a line a claim that answers one. */
function conclusions(report: Report, own: PaperHeadlines): Block[] {
  const lines = own.conclusions.flatMap(({ quote, section, claims: answers }) =>
    answers.map((scored, i): Text[] => [
      i === 0 ? `“${quote}” (${section})` : "",
      claimText(scored),
      scored.claim.paper,
      ...scored.scores.flatMap(scoreCells),
    ]),
  );
  return [paragraph(own.about), table(["in the paper's words", "claim", "paper", ...scoreHeads(report)], lines)];
}

/** The verdicts by device and page, and what they mean. */
function scorecard(report: Report, parts: readonly Part[]): Block[] {
  const links = parts.flatMap((part, i): (string | Span)[] => {
    return [i > 0 ? ", " : "", { text: part.title, to: fileOf(part) }];
  });
  return [
    heading(2, "Scorecard"),
    paragraph([`${claimCounts(report)}. All claims and figures: `, ...links, "."]),
    ...verdictTables(report),
    meanings,
    paragraph("The rule by which rows answer claims:"),
    rule,
    ...differing(report),
  ];
}

function scoreHeads(report: Report): string[] {
  return labelsOf(report).flatMap((label) => [label, "verdict"]);
}

function scoreCells(score: Score): Text[] {
  const notes = [score.scaled === "" ? "" : `paper scaled: ${score.scaled}`, judgedBy(score)];
  const rest = [score.interval, ...notes.map((note) => note && `(${note})`)].filter(Boolean);
  const ours: Text =
    score.ours === ""
      ? ""
      : [
          { text: score.ours, as: score.verdict === "not comparable" ? "note" : "strong" },
          ...rest.map((text) => ` ${text}`),
        ];
  return [ours, verdictInWords(score)];
}

/** Claims on which several devices differ, in short, with the numbers of cells where these differ too; the reasons are with the claims. */
function differing(report: Report): Block[] {
  const claims = [...report.papers.flatMap((paper) => paper.claims), ...report.ours].filter(differs);
  if (claims.length === 0) return [];
  const lines = claims.map(({ claim, scores }) => {
    const cells = scores.map(({ rows }) => new Set(rows.map(rowKey)).size);
    const uneven = new Set(cells).size > 1;
    const short = ({ by: _, ...score }: Score, i: number) =>
      scoreCells({ ...score, interval: uneven ? `of ${count(cells[i] ?? 0, "cell")}` : "", scaled: "" });
    return [claim.text, claim.paper, ...scores.flatMap(short)];
  });
  return [heading(3, DIFFERING), table(["claim", "paper", ...scoreHeads(report)], lines)];
}

/** With the data that stand in for the paper's, where there are such. */
function claimText(scored: ScoredClaim): string {
  const data = settingOf(scored);
  return data === "" ? scored.claim.text : `${scored.claim.text} (${data})`;
}

function claimCells(scored: ScoredClaim, { columns }: Report): Text[] {
  const { claim, scores } = scored;
  const reasons = [...new Set(scores.map(({ reason }) => reason))].join(" / ");
  const because = causes(scores, columns);
  const why = because === "" ? reasons : `${reasons} Why not: ${because}`;
  return [claim.id, claimText(scored), `${claim.paper} (${statedBy(claim)})`, ...scores.flatMap(scoreCells), why];
}

function figureBlocks(report: Report, { experiment, drawn }: ReportFigure): Block[] {
  return [
    heading(3, experiment.title),
    paragraph(`${placeOf(experiment)}. ${experiment.notes ?? ""}`.trim()),
    ...drawn.map(({ column }): Block => {
      return {
        kind: "figure",
        text: `${experiment.title} on ${column.label}`,
        file: figureFile(report, experiment, column),
      };
    }),
  ];
}
