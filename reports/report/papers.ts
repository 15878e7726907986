/** A section for each paper: all its claims, then its figures; and one for what is ours. */
import { joined } from "../../bench/base/format.js";
import { figureName, groups, isPapers, paperOf, papers } from "../../bench/claims/papers.js";
import { html, type Markup } from "../figures/markup.js";
import { printHtml } from "./blocks.js";
import { figureAnchor, type Report, type ReportFigure, type ScoredClaim } from "./contents.js";
import { FIGURE_HINTS, figureArticle } from "./figures.js";
import { claimsTable, OURS } from "./scorecard.js";
import { verdictsByDevice } from "./sections.js";

const OWN = "ours";

/** What the report has of a paper, or of ours. */
export interface Part {
  readonly id: string;
  readonly title: string;
  readonly claims: readonly ScoredClaim[];
  readonly figures: readonly ReportFigure[];
}

/** The papers that have claims or figures here, in their order; then ours. */
export function partsOf({ papers: scored, figures, ours }: Report): Part[] {
  const theirs = papers.map(({ id, name }) => ({
    id,
    title: name,
    claims: scored.find(({ paper }) => paper === id)?.claims ?? [],
    figures: inPaperOrder(figures.filter(({ experiment }) => paperOf(experiment.id) === id)),
  }));
  const rest = figures.filter(({ experiment }) => !isPapers(experiment.id));
  const own = { id: OWN, title: "hashbench's own experiments", claims: ours, figures: rest };
  return [...theirs, own].filter(({ claims, figures }) => claims.length + figures.length > 0);
}

export function paperAnchor(paper: string): string {
  return paper === OWN ? OWN : `paper-${paper}`;
}

/** Figures of one paper by their numbers in it, tables after them, and last what has no number. */
function inPaperOrder(figures: readonly ReportFigure[]): ReportFigure[] {
  const name = ({ experiment }: ReportFigure): string => figureName(experiment);
  return figures.toSorted(
    (a, b) => Number(name(a) === "") - Number(name(b) === "") || BY_NUMBER.compare(name(a), name(b)),
  );
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** The page's section of each part. */
export function paperSections(report: Report) {
  return partsOf(report).map((part) => {
    const name = part.id === OWN ? "Ours" : (part.title.split(",", 1)[0] ?? part.title);
    return { id: paperAnchor(part.id), name, content: partSection(part, report) };
  });
}

function partSection({ id, title, claims, figures }: Part, report: Report): Markup {
  const anchor = paperAnchor(id);
  const concluded = report.headlines.some(({ paper }) => paper === id);
  const links = html`<p><a href="#conclusions-${id}">Its conclusions</a>. <a href="?paper=${id}">This paper alone</a>.</p>`;
  const verdicts = id !== OWN && html`${concluded && links}${printHtml([verdictsByDevice(report, claims)])}`;
  return html`<section class="part" id="${anchor}" aria-labelledby="${anchor}-title">
<h2 id="${anchor}-title">${title}</h2>
${contents(figures, title)}
${claims.length > 0 && html`${verdicts}${claimsTable(report, claims, id, id === OWN ? OURS : "Claims")}`}
${
  figures.length > 0 &&
  html`<details class="figures"><summary>${figures.length === 1 ? "The figure" : `All ${figures.length} figures`}</summary>
${figures.map((figure) => figureArticle(figure, report))}
</details>`
}
</section>`;
}

/** The figures alone: those of the papers, then ours. */
export function figuresSection(report: Report): Markup {
  const isOwn = ({ experiment }: ReportFigure): number => Number(!isPapers(experiment.id));
  const figures = report.figures.toSorted((a, b) => isOwn(a) - isOwn(b));
  return html`<section class="part" id="figures" aria-labelledby="figures-title">
<h2 id="figures-title">Figures</h2>
${contents(report.figures, "all")}
${FIGURE_HINTS}
${figures.map((figure) => figureArticle(figure, report))}
</section>`;
}

/** Links to figures, a line a paper where there are several. */
function contents(figures: readonly ReportFigure[], title: string): Markup | false {
  const lines = groups.flatMap(({ id, name }) => {
    const own = figures.filter(({ experiment }) => paperOf(experiment.id) === id).map(({ experiment }) => experiment);
    return own.length > 0 ? [{ name, own }] : [];
  });
  return (
    figures.length > 0 &&
    html`<nav class="contents" aria-label="Figures: ${title}"><ul>${lines.map(
      ({ name, own }) =>
        html`<li>${lines.length > 1 && html`<span>${name}</span> `}${own.map(
          (e) => html`<a href="#${figureAnchor(e.id)}">${joined([figureName(e), e.title], ": ")}</a> `,
        )}</li>`,
    )}</ul></nav>`
  );
}
