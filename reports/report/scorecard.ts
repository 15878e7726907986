/** The report's first section: every claim of the papers, one line each, with what this device says of it. */
import type { Claim } from "../../bench/claims/claim.js";
import { selectionsOf } from "../../bench/claims/evaluate.js";
import { RULE } from "../../bench/claims/rule.js";
import { type Score, VERDICTS, type Verdict, verdictInWords } from "../../bench/claims/score.js";
import { PAPER_NAMES } from "../../bench/papers.js";
import type { ResultRow } from "../../bench/results/record.js";
import { html, type Markup, raw } from "../markup.js";
import { withPowers } from "../units.js";
import { figureAnchor, type Report, type ScoredClaim, SHOWN_DEVICES } from "./contents.js";
import { pack, packedElement } from "./packed.js";
import { lineRanges } from "./raw-data.js";

/** What the verdicts mean, in the page's words. */
export const VERDICT_MEANINGS: Readonly<Record<Verdict, string>> = {
  reproduced: "the paper's statement holds on this device",
  "in part": "a statement about all cells, data sets or steps that holds for most of them, not for all",
  undecided: "what was measured is within a tie, or its interval reaches both what agrees and what does not",
  "not reproduced": "it does not; the reason says by how much, and the cause why where rows show it",
  "stand-in":
    "of a quantity that WebGPU cannot measure: what stands in for it agrees with the paper or does not, which reproduces or refutes nothing",
  "not comparable":
    "an absolute number of another GPU, which stands beside ours scaled by what both memories do, or one of something else than ours",
  "not run": "no rows: the table or experiment does not exist yet, was not measured, or failed",
};

/** Title of the claims that no paper states. */
export const OURS = "Ours, about the papers' figures";

/** `382 claims of 5 papers, and 10 of ours` */
export function claimCounts({ papers, ours }: Report): string {
  const claims = papers.reduce((sum, { claims: own }) => sum + own.length, 0);
  const of = `${claims} claims of ${papers.length} ${papers.length === 1 ? "paper" : "papers"}`;
  return ours.length > 0 ? `${of}, and ${ours.length} of ours` : of;
}

/** Beside what is claimed: the paper's device, or that the claim is ours. */
export function statedBy({ origin, device }: Claim): string {
  return origin ? "ours" : device;
}

export function scorecardSection(report: Report): Markup {
  const all = [...report.papers.flatMap((paper) => paper.claims), ...report.ours];
  if (all.length === 0) {
    return html`<section id="scorecard" aria-labelledby="scorecard-title"><h2 id="scorecard-title">Scorecard</h2>
<p class="absent">The papers claim nothing about these experiments.</p></section>`;
  }
  const several = report.columns.length > 1;
  const shown = report.columns.slice(0, SHOWN_DEVICES);
  return html`<section id="scorecard" aria-labelledby="scorecard-title">
<h2 id="scorecard-title">Scorecard</h2>
<p class="lead">${claimCounts(report)}. Every number is computed from the rows of this report: open a line for the reason and the rows behind it.</p>
${several && verdictTable(report)}
${verdictButtons(all, several)}
<p class="hint" id="claim-count" role="status">${all.length} claims shown</p>
<table class="claims"${several && raw(" data-devices")}>
<thead><tr><th scope="col">Claim</th><th scope="col">Paper</th>${shown.map(
    ({ label }) =>
      html`<th scope="col" class="score">${several ? label : html`Here <span class="muted">${label}</span>`}</th>`,
  )}<th scope="col">Figure</th></tr></thead>
${groupsOf(report).map(
  ({ id, title, claims }) => html`<tbody>
<tr class="group"><th colspan="${shown.length + 3}" scope="rowgroup">${title} <span class="muted">${claims.length}</span></th></tr>
${claims.map((claim) => claimLine(claim, id, report))}</tbody>`,
)}
</table>
${packedElement(pack(packedScores(all, report)), "scores")}
<dl class="meanings">${VERDICTS.map((v) => html`<div><dt>${badge(v)}</dt><dd>${VERDICT_MEANINGS[v]}</dd></div>`)}</dl>
<details class="rule"><summary>The rule by which rows answer claims</summary><ul>${RULE.map((one) => html`<li>${one}</li>`)}</ul></details>
</section>`;
}

/** What the script needs for lines of other devices, and for lines that are opened: by column its name, by claim and column the cell and the evidence. */
function packedScores(claims: readonly ScoredClaim[], report: Report) {
  const several = report.columns.length > 1;
  const labels = report.columns.map(({ label }) => label);
  return {
    labels,
    claims: Object.fromEntries(
      claims.map(({ claim, scores }) => [
        claim.id,
        scores.map((score, i) => ({
          cell: scoreCell(score, labels[i] ?? "", several).text,
          evidence: evidence(score, report, several ? (labels[i] ?? "") : "").text,
        })),
      ]),
    ),
  };
}

/** The verdicts on the papers' claims and ours by device. */
function verdictTable({ columns, papers, ours }: Report): Markup {
  const claims = [...papers.flatMap((paper) => paper.claims), ...ours];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Verdicts by device"><table class="numbers">
<caption>Verdicts by device${ours.length > 0 && ", ours included"}</caption>
<thead><tr><th scope="col">Device</th>${VERDICTS.map((v) => html`<th scope="col">${v}</th>`)}</tr></thead>
<tbody>${columns.map(
    ({ label }, i) =>
      html`<tr><th scope="row">${label}</th>${VERDICTS.map((v) => html`<td>${count(claims, v, i)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** The table's parts: a paper each, then ours. */
function groupsOf({ papers, ours }: Report): { id: string; title: string; claims: readonly ScoredClaim[] }[] {
  const groups = papers.map(({ paper, claims }) => ({
    id: paper as string,
    title: PAPER_NAMES[paper],
    claims,
  }));
  return ours.length > 0 ? [...groups, { id: "ours", title: OURS, claims: ours }] : groups;
}

/** How many claims have the verdict: in one column, or in any where none is given. */
export function count(claims: readonly ScoredClaim[], verdict: Verdict, column?: number): number {
  return claims.filter(({ scores }) => {
    const asked = column === undefined ? scores : scores.slice(column, column + 1);
    return asked.some((score) => score.verdict === verdict);
  }).length;
}

/** Title of the claims whose verdicts differ between devices. */
export const DIFFERING = "Claims on which the devices differ";
/** In place of a verdict, in the filter. */
const DIFFER = "devices differ";

/** Whether a claim is reproduced on one device, and not on another. */
export function differs({ scores }: ScoredClaim): boolean {
  const has = (verdict: Verdict) => scores.some((score) => score.verdict === verdict);
  return has("reproduced") && has("not reproduced");
}

/** Each with the number of claims that it would show. */
function verdictButtons(claims: readonly ScoredClaim[], several: boolean): Markup {
  const button = (verdict: string, name: string, number: number, kind = ""): Markup =>
    html`<button type="button" data-verdict="${verdict}" class="${kind}" aria-pressed="${String(verdict === "")}"><strong>${number}</strong> ${name}</button>`;
  return html`<div class="verdicts" role="group" aria-label="Show claims by verdict">
${button("", "all", claims.length)}
${VERDICTS.map((v) => button(v, v, count(claims, v), verdictClass(v)))}
${several && button(DIFFER, DIFFER, claims.filter(differs).length)}
</div>`;
}

function claimLine({ claim, scores }: ScoredClaim, paper: string, report: Report): Markup {
  const id = `claim-${claim.id.replace(/[^A-Za-z0-9.]+/g, "-")}`;
  const verdicts = scores.map((s) => s.verdict).join("|");
  const tables = tablesOf(claim).join(" ");
  const linked = report.figures.find(({ experiment }) => experiment.id === claim.experiment)?.experiment;
  const several = report.columns.length > 1;
  const shown = scores.slice(0, SHOWN_DEVICES);
  return html`<tr class="claim" id="${id}" data-claim="${claim.id}" data-paper="${paper}" data-tables="${tables}" data-verdicts="${verdicts}">
<td class="text"><button type="button" class="disclose" aria-expanded="false" aria-controls="${id}-more">${withPowers(claim.text)}</button></td>
<td class="paper" data-label="Paper"><span><b>${claim.paper}</b> <small>${statedBy(claim)}</small></span></td>
${shown.map((score, i) => scoreCell(score, report.columns[i]?.label ?? "", several))}
<td class="link" data-label="Figure">${
    linked
      ? html`<a href="#${figureAnchor(linked.id)}" aria-label="Figure ${linked.id}">${figureName(claim.experiment)}</a>`
      : html`<small>${figureName(claim.experiment)}</small>`
  }</td>
</tr>
<tr class="more" id="${id}-more" hidden><td colspan="${shown.length + 3}"></td></tr>`;
}

/** Tables that the claim speaks of. */
function tablesOf({ check }: Claim): string[] {
  return [...new Set(selectionsOf({ check }).flatMap(({ table = [] }) => table))];
}

/** `fig10` of `gph/fig10`. */
function figureName(experiment: string): string {
  return experiment.split("/").at(-1) ?? experiment;
}

function scoreCell(score: Score, label: string, several: boolean): Markup {
  const { ours, interval, scaled } = score;
  const numbers = html`<span class="numbers">${ours && html`<b>${ours}</b> `}${interval && html`<small>${interval}</small> `}${
    scaled && html`<small>paper scaled: ${scaled}</small>`
  }</span>`;
  return html`<td class="score" data-label="${several ? label : "Here"}"><div>${badge(score.verdict, verdictInWords(score))}${ours !== "" && numbers}</div></td>`;
}

function badge(verdict: Verdict, text: string = verdict): Markup {
  return html`<span class="badge ${verdictClass(verdict)}">${text}</span>`;
}

function verdictClass(verdict: Verdict): string {
  return verdict.replaceAll(" ", "-");
}

/** Reason, and the rows by their lines in the raw data, from which the script makes a table. */
function evidence({ reason, rows, cause }: Score, report: Report, label: string): Markup {
  return html`<div class="evidence">${label && html`<h3>${label}</h3>`}<p>${reason}</p>
${rowsBehind(rows, report)}${
  cause &&
  html`<p class="cause">${cause.shown ? html`<strong>Cause:</strong> ${withPowers(cause.text)}` : html`<strong>Cause not shown:</strong> ${withPowers(cause.text)}`} <span class="muted">${cause.evidence}</span></p>
${rowsBehind(cause.rows, report)}`
}</div>`;
}

function rowsBehind(rows: readonly ResultRow[], { raw }: Report): Markup | false {
  const lines = [...new Set(rows.map((row) => raw.line(row)).filter((line) => line > 0))].sort((a, b) => a - b);
  const what = `${lines.length === 1 ? "row" : "rows"} behind it`;
  return (
    lines.length > 0 &&
    html`<div class="rows" data-lines="${lines.join(" ")}"><p class="muted">${lines.length} ${what}: ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)} of the <a href="#raw">raw data</a></p></div>`
  );
}
