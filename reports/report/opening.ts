/** What the page opens with: the papers' conclusions, which table to take for which job, and what we found ourselves. */
import { groupName } from "../../bench/claims/papers.js";
import { html, type Markup } from "../figures/markup.js";
import { withPowers } from "../figures/units.js";
import { figureAnchor, type PaperHeadlines, type Report, SHOWN_DEVICES } from "./contents.js";
import { FINDINGS_TITLE, findings } from "./findings.js";
import { JOBS_HEAD, JOBS_TEXT, JOBS_TITLE, jobCells } from "./jobs.js";
import { paperAnchor } from "./papers.js";
import { claimAnchor, countsInWords, dataNote, figureLink, scoreCell, scoreHeads, tablesOf } from "./scorecard.js";

export const CONCLUSIONS_TITLE = "What the papers conclude, and what holds here";
export const CONCLUSIONS_TEXT =
  "Each paper's headline conclusions in its own words. Beside each stand the claims that it makes, the paper's number, and on each device the verdict with our number and the interval that the 95 % intervals of its cells give. " +
  "Undecided is what the interval does not tell, and in part what holds for most of the cells that a claim names. A stand-in answers for a quantity that WebGPU cannot measure. Not comparable are absolute numbers of another GPU, " +
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

export function jobsSection({ columns, choices, figures }: Report): Markup | null {
  if (choices.every((own) => own.length === 0)) return null;
  const linked = (experiment: string, text: string): Markup | string =>
    figures.some((figure) => figure.experiment.id === experiment)
      ? html`<a href="#${figureAnchor(experiment)}">${text}</a>`
      : text;
  return html`<section id="jobs" aria-labelledby="jobs-title">
<h2 id="jobs-title">${JOBS_TITLE}</h2>
<p>${JOBS_TEXT}</p>
${columns.map(
  ({ label, slug }, i) =>
    (choices[i] ?? []).length > 0 &&
    html`<div class="of-device" data-device="${slug}">${columns.length > 1 && html`<h3>${label}</h3>`}
<div class="scroll" tabindex="0" role="region" aria-label="${JOBS_TITLE} on ${label}"><table class="facts jobs">
<thead><tr>${JOBS_HEAD.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${(choices[i] ?? []).map((choice) => {
      const [, ...cells] = jobCells(choice);
      return html`<tr><th scope="row">${linked(choice.experiment, choice.job)}<small>${withPowers(choice.setting)}; n = ${choice.best.row.n.toLocaleString("en-US")}</small></th>${cells.map((text) => html`<td>${text}</td>`)}</tr>`;
    })}</tbody></table></div></div>`,
)}
</section>`;
}

export function findingsSection(report: Report): Markup | null {
  const all = report.columns.map((column) => ({ column, found: findings(report, column) }));
  if (all.every(({ found }) => found.length === 0)) return null;
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">${FINDINGS_TITLE}</h2>
${all.map(
  ({ column: { label, slug }, found }) =>
    found.length > 0 &&
    html`<div class="of-device" data-device="${slug}">${report.columns.length > 1 && html`<h3>${label}</h3>`}
<dl class="findings">${found.map(
      ({ title, text, experiment }) =>
        html`<div><dt>${title}</dt><dd>${text} <a href="#${figureAnchor(experiment)}">${experiment}</a></dd></div>`,
    )}</dl></div>`,
)}
</section>`;
}
