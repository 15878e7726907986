/** The first screen of a report: which conclusions of each paper hold, which do not, and beside what they were measured. */

import { type Block, paragraph, type Text, table } from "../../bench/base/document.js";
import { groupName } from "../../bench/claims/papers.js";
import { programsOf, type Score, type Verdict, verdictOnAll } from "../../bench/claims/score.js";
import { groupBy } from "../../bench/results/group.js";
import { type PaperHeadlines, type Report, type ScoredClaim, SHOWN_DEVICES } from "./contents.js";
import { claimCounts } from "./scorecard.js";

/** Columns of the table, each with the verdicts that it gathers. */
const COLUMNS: readonly (readonly [name: string, verdicts: readonly Verdict[]])[] = [
  ["holds", ["reproduced", "holds, small"]],
  ["in part, or undecided", ["in part", "undecided"]],
  ["does not hold", ["not reproduced", "no difference"]],
  ["not judged", ["stand-in", "not comparable", "not run"]],
];

/** `to` is where a paper's claims are. */
export function summary(report: Report, to: (paper: string) => string): Block[] {
  const { headlines, columns } = report;
  if (headlines.length === 0) return [];
  const shown = columns.slice(0, SHOWN_DEVICES).map(({ label }) => label);
  const lines = headlines.map((own): Text[] => [
    [{ text: groupName(own.paper).replace(/,.*/, ""), to: to(own.paper) }],
    ...COLUMNS.map(([, verdicts]) => namesOf(own, verdicts, shown)),
    besideWhat(report.papers.find(({ paper }) => paper === own.paper)?.claims ?? [], shown),
  ]);
  const text = `The table has the main conclusions of each paper, ${shown.length > 1 ? "with the device where the devices differ" : `on ${shown.join()}`}. The report has ${claimCounts(report)}.`;
  return [
    paragraph(`${text} ${MEANING}`),
    table(["paper", ...COLUMNS.map(([name]) => name), "numbers measured by"], lines, { look: "facts summary stack" }),
  ];
}

const MEANING =
  "A conclusion holds if all of its numbers do, and in part if most do. Four kinds of claims are not judged: absolute rates of another GPU, quantities that WebGPU cannot measure (counters stand in for them), claims about a table that another one stands in for, and what is true by construction. " +
  "The authors' programs answer a number if each system in it that has such a program was measured by it. Otherwise our ports do.";

/** The conclusions with one of the verdicts, in short; with the devices, where not all have one. */
function namesOf({ conclusions }: PaperHeadlines, wanted: readonly Verdict[], devices: readonly string[]): string {
  const names = conclusions.flatMap(({ short, claims }) => {
    const on = devices.filter((_, i) => wanted.includes(verdictOnAll(scoresOf(claims, i))));
    if (on.length === 0) return [];
    return [on.length === devices.length ? short : `${short} (${on.join(", ")})`];
  });
  return names.join("; ");
}

function scoresOf(claims: readonly ScoredClaim[], column: number): Score[] {
  return claims.flatMap(({ scores }) => scores[column] ?? []);
}

/** `the authors' programs (CUDPP, WarpCore): 12; our ports: 30; stand-ins: 4`, by device where those differ. */
function besideWhat(claims: readonly ScoredClaim[], devices: readonly string[]): string {
  const texts = devices.map((_, i) => besideOn(scoresOf(claims, i)));
  const alike = groupBy(devices, (device) => texts[devices.indexOf(device)] ?? "");
  return [...alike].map(([text, on]) => (alike.size > 1 ? `${on.join(", ")}: ${text}` : text)).join(". ");
}

function besideOn(scores: readonly Score[]): string {
  const originals = scores.filter(({ by }) => by === "originals");
  const programs = programsOf(originals.flatMap(({ rows }) => rows));
  const counts = [
    [`the authors' programs (${programs.join(", ")})`, originals.length],
    ["our ports", scores.filter(({ by }) => by === "ports").length],
    ["stand-ins", scores.filter(({ verdict }) => verdict === "stand-in").length],
  ] as const;
  return counts.flatMap(([what, count]) => (count > 0 ? [`${what}: ${count}`] : [])).join("; ");
}
