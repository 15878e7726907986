/** The report's claims: how many have which verdict, and one line each with what the devices say of it. */

import { count as counted, joined, withPowers } from "../../bench/base/format.js";
import { type Claim, isPapers } from "../../bench/claims/claim.js";
import { byStandIn, metricsOf, selectionsOf } from "../../bench/claims/evaluate.js";
import {
  becauseOf,
  judgedBy,
  type Score,
  statementsOf,
  VERDICTS,
  type Verdict,
  verdictInWords,
} from "../../bench/claims/score.js";
import { groupBy } from "../../bench/results/group.js";
import { byClock } from "../../bench/results/metrics.js";
import type { ResultRow } from "../../bench/results/record.js";
import { html, type Markup, raw } from "../figures/markup.js";
import { badge } from "./blocks.js";
import { figureAnchor, type Report, type ScoredClaim, SHOWN_DEVICES } from "./contents.js";
import { lineRanges } from "./raw-data.js";
import { standInData } from "./stand-ins.js";

/** What the verdicts mean, in the page's words. */
export const VERDICT_MEANINGS: Readonly<Record<Verdict, string>> = {
  reproduced: "the paper's statement holds on this device",
  "holds, small": "the paper's statement holds, by less than 5 %",
  "in part": "a statement about all cells, data sets or steps that holds for most of them, not for all",
  undecided: "the range of what was measured reaches both what agrees and what does not",
  "no difference": "the paper has a difference, and here is none beyond 5 %",
  "not reproduced": "it does not; the reason says by how much, and below it stands why",
  "stand-in":
    "of a quantity that WebGPU cannot measure, or a table that is not ported: what stands in for it agrees with the paper or does not, which reproduces or refutes nothing",
  "not comparable":
    "an absolute number of another GPU, which stands beside ours scaled by what both memories do; a number of something else than ours; or what our code makes true whatever is measured",
  "not run": "no rows: the table or experiment does not exist yet, was not measured, or failed",
};

/** Title of the claims that no paper states. */
export const OURS = "Ours, which no paper states";

/** `181 statements of 5 papers in 443 numbers, and 32 claims of ours` */
export function claimCounts({ papers, ours }: Report): string {
  const numbers = papers.flatMap(({ claims }) => claims.flatMap(({ scores }) => scores.slice(0, 1)));
  const statements = counted(statementsOf(numbers).length, "statement");
  const of = `${statements} of ${counted(papers.length, "paper")} in ${counted(numbers.length, "number")}`;
  return ours.length > 0 ? `${of}, and ${counted(ours.length, "claim")} of ours` : of;
}

/** The paper's device, or that the claim is ours, beside the claim. */
export function statedBy(claim: Claim): string {
  return isPapers(claim) ? (claim.device ?? "") : "ours";
}

/** Kinds of evidence for a claim, in the order of the tables. */
const EVIDENCE = ["Timed", "Counted", "Predicted, or by a stand-in"] as const;

/** The source of its number: the clock, a counter, or something in place of the paper's quantity or table, on all devices. */
export function evidenceOf({ claim: stated, scores }: ScoredClaim): (typeof EVIDENCE)[number] {
  const claim = scores.map((score) => score.claim).find((one) => !byStandIn(one)) ?? stated;
  if (byStandIn(claim)) return EVIDENCE[2];
  return metricsOf(claim.check).some(byClock) ? EVIDENCE[0] : EVIDENCE[1];
}

/** The claims of a paper, or ours, under a heading: measured ones first, those that are predicted apart. */
export function claimsTable(report: Report, claims: readonly ScoredClaim[], paper: string, title: string): Markup {
  const several = report.columns.length > 1;
  const groups = groupBy(claims, evidenceOf);
  const columns = Math.min(report.columns.length, SHOWN_DEVICES) + 3;
  return html`<div class="claimset"><h3>${title}</h3>
<table class="claims"${several && raw(" data-devices")}>
<thead><tr><th scope="col">Claim</th><th scope="col">Paper</th>${scoreHeads(report)}<th scope="col">Figure</th></tr></thead>
${EVIDENCE.map((kind) => {
  const own = groups.get(kind) ?? [];
  return (
    own.length > 0 &&
    html`<tbody>
<tr class="group"><th colspan="${columns}" scope="rowgroup">${kind} <span class="muted">${own.length}</span></th></tr>
${own.map((claim) => claimLine(claim, paper, report))}</tbody>`
  );
})}
</table></div>`;
}

/** Heads of the devices that are shown at first. */
export function scoreHeads({ columns }: Report): Markup[] {
  return columns
    .slice(0, SHOWN_DEVICES)
    .map(
      ({ label }) =>
        html`<th scope="col" class="score">${columns.length > 1 ? label : html`Here <span class="muted">${label}</span>`}</th>`,
    );
}

/** The script's data of claims: by column the cell and the evidence, and once the paper's sentence and why it does not hold. */
export function packedScores(claims: readonly ScoredClaim[], report: Report) {
  const several = report.columns.length > 1;
  const labels = report.columns.map(({ label }) => label);
  const conclusions = report.headlines.flatMap((one) => one.conclusions);
  const quoteOf = (id: string): string => {
    const own = conclusions.find((one) => one.claims.some(({ claim }) => claim.id === id));
    return own
      ? html`<p><strong>The paper:</strong> <q>${own.quote}</q> <span class="muted">${own.section}</span></p>`.text
      : "";
  };
  return {
    labels,
    claims: Object.fromEntries(
      claims.map(({ claim, scores }) => [
        claim.id,
        {
          quote: quoteOf(claim.id),
          because: because(scores, report.columns),
          columns: scores.map((score, i) => ({
            cell: scoreCell(score, labels[i] ?? "", several).text,
            evidence: evidence(score, report, several ? (labels[i] ?? "") : "").text,
          })),
        },
      ]),
    ),
  };
}

/** How many claims have the verdict in any column. */
function count(claims: readonly ScoredClaim[], verdict: Verdict): number {
  return claims.filter(({ scores }) => scores.some((score) => score.verdict === verdict)).length;
}

/** Title of the claims whose verdicts differ between devices. */
export const DIFFERING = "Claims on which the devices differ";
/** In place of a verdict, in the filter. */
const DIFFER = "devices differ";

/** Whether a claim holds on one device, and not on another. */
export function differs({ scores }: ScoredClaim): boolean {
  const has = (some: readonly Verdict[]) => scores.some(({ verdict }) => some.includes(verdict));
  return has(["reproduced", "holds, small"]) && has(["not reproduced", "no difference"]);
}

/** Each with the number of claims that it would show. */
export function verdictButtons(claims: readonly ScoredClaim[], several: boolean): Markup {
  const button = (verdict: string, name: string, number: number, kind = ""): Markup =>
    html`<button type="button" data-verdict="${verdict}" class="${kind}" aria-pressed="${String(verdict === "")}"><strong>${number}</strong> ${name}</button>`;
  return html`<div class="verdicts" role="group" aria-label="Show claims by verdict">
${button("", "all", claims.length)}
${VERDICTS.map((v) => button(v, v, count(claims, v), verdictClass(v)))}
${several && button(DIFFER, DIFFER, claims.filter(differs).length)}
</div>`;
}

export function claimAnchor({ id }: Claim): string {
  return `claim-${id.replace(/[^A-Za-z0-9.]+/g, "-")}`;
}

/** What of the paper's setting is another here: data that stand in for the paper's, and what the claim says; "" if nothing is. */
export function settingOf({ claim, scores }: ScoredClaim): string {
  const data = standInData(scores.flatMap(({ rows }) => rows));
  return joined([data, claim.setting], "; ");
}

/** {@link settingOf}, behind the claim's text. */
export function dataNote(scored: ScoredClaim): Markup | false {
  const data = settingOf(scored);
  return data !== "" && html` <small class="data">${data}</small>`;
}

function claimLine(scored: ScoredClaim, paper: string, report: Report): Markup {
  const { claim, scores } = scored;
  const id = claimAnchor(claim);
  const verdicts = scores.map((s) => s.verdict).join("|");
  const tables = tablesOf(claim).join(" ");
  const several = report.columns.length > 1;
  const shown = scores.slice(0, SHOWN_DEVICES);
  return html`<tr class="claim" id="${id}" data-claim="${claim.id}" data-paper="${paper}" data-tables="${tables}" data-verdicts="${verdicts}">
<td class="text"><button type="button" class="disclose" aria-expanded="false" aria-controls="${id}-more">${withPowers(claim.text)}</button>${dataNote(scored)}</td>
<td class="paper" data-label="Paper"><span><b>${claim.paper}</b> <small>${statedBy(claim)}</small></span></td>
${shown.map((score, i) => scoreCell(score, report.columns[i]?.label ?? "", several))}
<td class="link" data-label="Figure">${figureLink(claim, report)}</td>
</tr>
<tr class="more" id="${id}-more" hidden><td colspan="${shown.length + 3}"></td></tr>`;
}

/** To the claim's figure, where the report has it. */
export function figureLink({ experiment }: Claim, { figures }: Report): Markup {
  const name = experiment.split("/").at(-1) ?? experiment;
  return figures.some((figure) => figure.experiment.id === experiment)
    ? html`<a href="#${figureAnchor(experiment)}" aria-label="Figure ${experiment}">${name}</a>`
    : html`<small>${name}</small>`;
}

/** Tables that the claim speaks of. */
export function tablesOf({ check }: Claim): string[] {
  return [...new Set(selectionsOf({ check }).flatMap(({ table = [] }) => table))];
}

export function scoreCell(score: Score, label: string, several: boolean): Markup {
  const { ours, interval, scaled, verdict } = score;
  const isCompared = verdict !== "not comparable";
  const by = judgedBy(score);
  const numbers = html`<span class="numbers">${ours && (isCompared ? html`<b>${ours}</b> ` : html`<small>${ours}</small> `)}${interval && html`<small>${interval}</small> `}${
    scaled && html`<small>paper scaled: ${scaled}</small> `
  }${by && html`<small>${by}</small>`}</span>`;
  return html`<td class="score" data-label="${several ? label : "Here"}"><div>${badge(score.verdict, verdictInWords(score))}${ours !== "" && numbers}</div></td>`;
}

function verdictClass(verdict: Verdict): string {
  return verdict.replaceAll(/\W+/g, "-");
}

/** How the number was computed, and the rows by their lines in the raw data, from which the script makes a table. */
function evidence({ reason, rows }: Score, report: Report, label: string): Markup {
  return html`<div class="evidence">${label && html`<h4>${label}</h4>`}<p><strong>How:</strong> ${reason}</p>
${rowsBehind(rows, report)}</div>`;
}

/** Why a claim does not hold, if it does not on some device and that is explained; with the devices, where their causes differ. */
export function causes(scores: readonly Score[], columns: readonly { readonly label: string }[]): string {
  const told = columns.flatMap(({ label }, i) =>
    scores.slice(i, i + 1).map((score) => ({ label, text: becauseOf(score) })),
  );
  const alike = [...groupBy(told, ({ text }) => text)].filter(([text]) => text !== "");
  const named = alike.map(([text, on]) => `${on.map(({ label }) => label).join(", ")}: ${text}`);
  return alike.length > 1 ? named.join(" ") : (alike[0]?.[0] ?? "");
}

function because(scores: readonly Score[], columns: Report["columns"]): string {
  const text = causes(scores, columns);
  return text === "" ? "" : html`<p class="because"><strong>Why not:</strong> ${withPowers(text)}</p>`.text;
}

function rowsBehind(rows: readonly ResultRow[], { raw }: Report): Markup | false {
  const lines = [...new Set(rows.map((row) => raw.line(row)).filter((line) => line > 0))].sort((a, b) => a - b);
  const what = `${lines.length === 1 ? "row" : "rows"} behind it`;
  return (
    lines.length > 0 &&
    html`<div class="rows" data-lines="${lines.join(" ")}"><p class="muted">${lines.length} ${what}: ${lines.length === 1 ? "line" : "lines"} ${lineRanges(lines)} of the <a href="#raw">raw data</a></p></div>`
  );
}
