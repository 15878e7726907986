/** The opening of the page: the papers' conclusions. */

import { withPowers } from "../../bench/base/format.js";
import { groupName } from "../../bench/claims/papers.js";
import { html, type Markup } from "../figures/markup.js";
import { type PaperHeadlines, type Report, SHOWN_DEVICES } from "./contents.js";
import { paperAnchor } from "./papers.js";
import { claimAnchor, countsInWords, dataNote, figureLink, scoreCell, scoreHeads, tablesOf } from "./scorecard.js";

export const CONCLUSIONS_TITLE = "What the papers conclude, and what holds here";
export const CONCLUSIONS_TEXT =
  "Each paper's headline conclusions in its own words. Beside each stand the claims that it makes, the paper's number, and on each device the verdict with our number and the interval that the 95 % intervals of its cells give. " +
  "Undecided is what the interval does not tell, and in part what holds for most of the cells that a claim names. A stand-in answers for a quantity that WebGPU cannot measure, or for a table that is not ported. Not comparable are absolute numbers of another GPU, " +
  "here also scaled by what the memories of both do. The scorecard has the rule in full.";

export function conclusionsSection(report: Report): Markup | null {
  if (report.headlines.length === 0) return null;
  return html`<section id="conclusions" aria-labelledby="conclusions-title">
<h2 id="conclusions-title">${CONCLUSIONS_TITLE}</h2>
<p class="lead">${CONCLUSIONS_TEXT}</p>
${report.headlines.map((own) => paperConclusions(own, report))}
</section>`;
}

function paperConclusions({ paper, about, conclusions }: PaperHeadlines, report: Report): Markup {
  const several = report.columns.length > 1;
  const labels = report.columns.map(({ label }) => label);
  const claims = report.papers.find((one) => one.paper === paper)?.claims ?? [];
  const cells = (scored: (typeof claims)[number]): Markup => {
    const { claim, scores } = scored;
    return html`<td class="text" data-label="Claim"><a href="#${claimAnchor(claim)}">${withPowers(claim.text)}</a>${dataNote(scored)}</td>
<td class="paper" data-label="Paper"><b>${claim.paper}</b></td>
${scores.slice(0, SHOWN_DEVICES).map((score, i) => scoreCell(score, labels[i] ?? "", several))}
<td class="link" data-label="Figure">${figureLink(claim, report)}</td>`;
  };
  return html`<article class="conclusions" aria-labelledby="conclusions-${paper}">
<h3 id="conclusions-${paper}">${groupName(paper)}</h3>
<p>${about} ${countsInWords(claims, labels)} <a href="#${paperAnchor(paper)}">All its claims and figures</a>.${report.papers.length > 1 && html` <a href="?paper=${paper}">This paper alone</a>.`}</p>
<table class="claims headlines"${several && html` data-devices`}>
<thead><tr><th scope="col">In the paper's words</th><th scope="col">Claim</th><th scope="col">Paper</th>${scoreHeads(report)}<th scope="col">Figure</th></tr></thead>
${conclusions.map(
  ({ quote, section, claims: own }) => html`<tbody class="conclusion" data-paper="${paper}" data-tables="${[
    ...new Set(own.flatMap(({ claim }) => tablesOf(claim))),
  ].join(" ")}">
${own.map(
  (scored, i) =>
    html`<tr class="headline" data-claim="${scored.claim.id}">${i === 0 && html`<td class="quote" rowspan="${own.length}"><q>${quote}</q> <small>${section === "abstract" ? section : `section ${section}`}</small></td>`}${cells(scored)}</tr>`,
)}</tbody>`,
)}
</table></article>`;
}
