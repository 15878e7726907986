/** A section for each paper: all its claims, then its figures; and one for what is ours. */
import { figureName, groupName, groups, paperOf, papers } from "../../bench/claims/papers.js";
import { html, type Markup } from "../figures/markup.js";
import { printHtml } from "./blocks.js";
import { figureAnchor, type Report, type ReportFigure } from "./contents.js";
import { FIGURE_HINTS, figureArticle } from "./figures.js";
import { claimsTable, OURS } from "./scorecard.js";
import { verdictsByDevice } from "./sections.js";

/** A part of the page, as its navigation names it. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly content: Markup;
}

const OWN = "ours";
export const OWN_TITLE = "hashbench's own experiments";

export function paperAnchor(paper: string): string {
  return `paper-${paper}`;
}

/** Figures of one paper by their numbers in it, tables after them, and last what has no number. */
export function inPaperOrder(figures: readonly ReportFigure[]): ReportFigure[] {
  const name = ({ experiment }: ReportFigure): string => figureName(experiment);
  return figures.toSorted(
    (a, b) => Number(name(a) === "") - Number(name(b) === "") || BY_NUMBER.compare(name(a), name(b)),
  );
}

const BY_NUMBER = new Intl.Collator("en", { numeric: true });

/** A part for each paper that has claims or figures here, in the papers' order; then ours. */
export function paperParts(report: Report): Part[] {
  const parts = papers.flatMap(({ id, name }) => {
    const claims = report.papers.find(({ paper }) => paper === id)?.claims ?? [];
    const figures = inPaperOrder(report.figures.filter(({ experiment }) => paperOf(experiment.id) === id));
    if (claims.length + figures.length === 0) return [];
    const table =
      claims.length > 0 &&
      html`${hasHeadlines(id, report) && html`<p><a href="#conclusions-${id}">Its conclusions</a>. <a href="?paper=${id}">This paper alone</a>.</p>`}${printHtml([verdictsByDevice(report, claims)])}${claimsTable(report, claims, id, "Claims")}`;
    return [
      {
        id: paperAnchor(id),
        name: name.split(",", 1)[0] ?? name,
        content: part(paperAnchor(id), groupName(id), table, figures, report),
      },
    ];
  });
  const names = new Set<string>(papers.map(({ id }) => id));
  const own = report.figures.filter(({ experiment }) => !names.has(paperOf(experiment.id)));
  const { ours } = report;
  if (ours.length + own.length === 0) return parts;
  const table = ours.length > 0 && claimsTable(report, ours, OWN, OURS);
  return [...parts, { id: OWN, name: "Ours", content: part(OWN, OWN_TITLE, table, own, report) }];
}

function hasHeadlines(id: string, { headlines }: Report): boolean {
  return headlines.some(({ paper }) => paper === id);
}

function part(
  id: string,
  title: string,
  claims: Markup | false,
  figures: readonly ReportFigure[],
  report: Report,
): Markup {
  return html`<section class="part" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${contents(figures, title)}
${claims}
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
  const ids = new Set<string>(papers.map(({ id }) => id));
  const isPapers = ({ experiment }: ReportFigure): boolean => ids.has(paperOf(experiment.id));
  const theirs = report.figures.filter(isPapers);
  const own = report.figures.filter((figure) => !isPapers(figure));
  return html`<section class="part" id="figures" aria-labelledby="figures-title">
<h2 id="figures-title">Figures</h2>
${contents(report.figures, "all")}
${FIGURE_HINTS}
${[...theirs, ...own].map((figure) => figureArticle(figure, report))}
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
          (e) => html`<a href="#${figureAnchor(e.id)}">${[figureName(e), e.title].filter(Boolean).join(": ")}</a> `,
        )}</li>`,
    )}</ul></nav>`
  );
}
