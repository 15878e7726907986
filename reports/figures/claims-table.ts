/** The papers' claims about measured experiments, with our numbers and verdicts, for the terminal. */
import { type Block, paragraph, type Text, table } from "../../bench/base/document.js";
import { isPapers } from "../../bench/claims/claim.js";
import { becauseOf, judgedBy, type Score, VERDICTS, verdictInWords } from "../../bench/claims/score.js";
import { groupBy } from "../../bench/results/group.js";

/** Reasons that are told, of claims without a number. */
const LISTED = 4;

const SOFTWARE = "Software adapter: a CPU runs the kernels. What they count is judged, their speed is not.";

/**
 * Lines for each claim of each experiment that has a verdict, and one sentence on why others have none. A software adapter has small
 * sizes and a CPU's speed: it gets lines only for claims that could be judged.
 * @param software a CPU emulated the GPU
 */
export function claimsBlocks(scores: readonly Score[], software: boolean): Block[] {
  const told = software ? scores.filter(isJudged) : scores;
  const left = scores.length - told.length;
  const rest = left > 0 ? ` ${left} ${left === 1 ? "claim needs" : "claims need"} a GPU, or its sizes.` : "";
  const blocks = [...groupBy(told, ({ claim }) => claim.experiment)].flatMap(([experiment, own]) => {
    return blocksOf(experiment, own);
  });
  return [...(software ? [paragraph(SOFTWARE + rest)] : []), ...blocks];
}

export function isJudged({ verdict }: Score): boolean {
  return verdict !== "not comparable" && verdict !== "not run";
}

function blocksOf(experiment: string, scores: readonly Score[]): Block[] {
  const judged = scores.filter(({ verdict }) => verdict !== "not run");
  const absent = scores.filter(({ verdict }) => verdict === "not run");
  const papers = scores.filter(({ claim }) => isPapers(claim));
  const ours = scores.filter(({ claim }) => !isPapers(claim));
  const devices = [...new Set(papers.map(({ claim }) => claim.device))].join(", ");
  const heads = [
    ...(papers.length > 0 ? [`what the paper claims of a ${devices}: ${countsOf(papers)}`] : []),
    ...(ours.length > 0 ? [`of ours: ${countsOf(ours)}`] : []),
  ];
  const why = judged.map((score) => ({ text: score.claim.text, because: becauseOf(score) }));
  return [
    paragraph(`${experiment}, ${heads.join("; ")}`),
    ...(judged.length > 0 ? [table(["claim", "paper", "here", "verdict"], judged.map(cells))] : []),
    ...why.flatMap(({ text, because }) => (because === "" ? [] : [paragraph(`${text} Why not: ${because}`)])),
    ...(absent.length > 0 ? [paragraph(`not run: ${reasons(absent)}`)] : []),
  ];
}

export function countsOf(scores: readonly Score[]): string {
  const all = VERDICTS.map((v) => [scores.filter(({ verdict }) => verdict === v).length, v] as const);
  const some = all.filter(([count]) => count > 0).map(([count, verdict]) => `${count} ${verdict}`);
  return some.join(", ");
}

function cells(score: Score): Text[] {
  const { claim, ours, scaled } = score;
  const notes = [scaled === "" ? "" : `paper scaled: ${scaled}`, judgedBy(score)].filter((note) => note !== "");
  const here = [ours, ...notes.map((note) => `(${note})`)].join(" ");
  return [claim.text, isPapers(claim) ? claim.paper : `${claim.paper} (ours)`, here, verdictInWords(score)];
}

/** `3 × Table gph does not exist yet; …`, the most frequent reason first. */
function reasons(scores: readonly Score[]): string {
  const groups = [...groupBy(scores, ({ reason }) => reason.replace(/\.$/, ""))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const told = groups.slice(0, LISTED).map(([reason, own]) => `${own.length} × ${reason}`);
  const rest = groups.slice(LISTED).reduce((sum, [, own]) => sum + own.length, 0);
  return `${[...told, ...(rest > 0 ? [`${rest} for other reasons`] : [])].join("; ")}.`;
}
