/** What the papers claim of measured experiments, with our numbers and verdicts, as a table for the terminal. */
import { isPapers } from "../../bench/claims/claim.js";
import { becauseOf, type Score, VERDICTS, verdictInWords } from "../../bench/claims/score.js";
import { groupBy } from "../../bench/results/group.js";
import { wrap } from "./table.js";

interface ClaimsTableOptions {
  /** Columns of the terminal; taken as 80 where it has fewer. */
  readonly width: number;
  /** A CPU emulated the GPU. */
  readonly software: boolean;
}

const GAP = "  ";
const HEAD = ["claim", "paper", "here", "verdict"];
/** Widths of the columns but the first, at most. */
const WIDEST = [14, 20, 16];
const NARROWEST = 80;
/** Reasons that are told, of claims without a number. */
const LISTED = 4;

const SOFTWARE = "Software adapter: a CPU runs the kernels. What they count is judged, their speed is not.";

/**
 * A block an experiment: a line or more a claim that has a verdict, and in one sentence why others have none. Of a software
 * adapter, whose sizes are small and whose speed is a CPU's, the claims alone that could be judged.
 */
export function claimsTable(scores: readonly Score[], options: ClaimsTableOptions): string {
  const width = Math.max(NARROWEST, options.width);
  const told = options.software ? scores.filter(isJudged) : scores;
  const blocks = [...groupBy(told, ({ claim }) => claim.experiment)].map(([experiment, own]) => {
    return block(experiment, own, width).join("\n");
  });
  const left = scores.length - told.length;
  const rest = left > 0 ? ` ${left} ${left === 1 ? "claim needs" : "claims need"} a GPU, or its sizes.` : "";
  const notes = options.software ? [wrap(SOFTWARE + rest, width).join("\n")] : [];
  return [...notes, ...blocks].join("\n\n");
}

function isJudged({ verdict }: Score): boolean {
  return verdict !== "not comparable" && verdict !== "not run";
}

function block(experiment: string, scores: readonly Score[], width: number): string[] {
  const judged = scores.filter(({ verdict }) => verdict !== "not run");
  const [papers, ours] = [
    scores.filter(({ claim }) => isPapers(claim)),
    scores.filter(({ claim }) => !isPapers(claim)),
  ];
  const devices = [...new Set(papers.map(({ claim }) => claim.device))].join(", ");
  const heads = [
    ...(papers.length > 0 ? [`what the paper claims of a ${devices}: ${counts(papers)}`] : []),
    ...(ours.length > 0 ? [`of ours: ${counts(ours)}`] : []),
  ];
  const lines = wrap(`${experiment}, ${heads.join("; ")}`, width);
  if (judged.length > 0) lines.push("", ...table(judged.map(cells), width));
  for (const score of judged) {
    const because = becauseOf(score);
    if (because !== "") lines.push("", ...wrap(`${score.claim.text} Why not: ${because}`, width));
  }
  const absent = scores.filter(({ verdict }) => verdict === "not run");
  if (absent.length > 0) lines.push("", ...wrap(`not run: ${reasons(absent)}`, width));
  return lines;
}

function counts(scores: readonly Score[]): string {
  const all = VERDICTS.map((v) => [scores.filter(({ verdict }) => verdict === v).length, v] as const);
  const some = all.filter(([count]) => count > 0).map(([count, verdict]) => `${count} ${verdict}`);
  return some.join(", ");
}

function cells(score: Score): string[] {
  const { claim, ours, scaled } = score;
  const here = scaled === "" ? ours : `${ours} (paper scaled: ${scaled})`;
  return [claim.text, isPapers(claim) ? claim.paper : `${claim.paper} (ours)`, here, verdictInWords(score)];
}

function table(rows: readonly (readonly string[])[], width: number): string[] {
  const all = [HEAD, ...rows];
  const widths = WIDEST.map((most, i) => Math.min(most, Math.max(...all.map((row) => row[i + 1]?.length ?? 0))));
  const others = widths.reduce((sum, w) => sum + w + GAP.length, 0);
  const claim = Math.min(width - others, Math.max(...all.map((row) => row[0]?.length ?? 0)));
  return all.flatMap((row) => {
    const columns = [claim, ...widths].map((w, i) => ({ w, lines: wrap(row[i] ?? "", w) }));
    const depth = Math.max(...columns.map(({ lines }) => lines.length));
    return Array.from({ length: depth }, (_, line) =>
      columns
        .map(({ w, lines }) => (lines[line] ?? "").padEnd(w))
        .join(GAP)
        .trimEnd(),
    );
  });
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
