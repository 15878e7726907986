/** A claim with its verdict on one device. */
import { groupBy } from "../results/group.js";
import type { ResultRow } from "../results/record.js";
import type { Claim } from "./claim.js";
import type { Outcome } from "./rule.js";

/**
 * `holds, small`: by less than 5 %; `in part`: a statement about all that holds for most; `undecided`: within what the measurement
 * can tell; `no difference`: there is none beyond 5 %, where the paper has one. `stand-in`: of a
 * quantity that WebGPU cannot measure, or of a table that is not ported; what stands in for it agrees or does not, which reproduces or refutes nothing. `not
 * comparable`: an absolute number of another GPU, a number of something that we do not measure, or what is true by construction. `not run`: the rows lack the
 * cells, because the table or experiment does not exist, was not measured, or failed.
 */
export const VERDICTS = [
  "reproduced",
  "holds, small",
  "in part",
  "undecided",
  "no difference",
  "not reproduced",
  "stand-in",
  "not comparable",
  "not run",
] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Score {
  readonly claim: Claim;
  readonly verdict: Verdict;
  /** What the rows say of the statement, where it can be judged. */
  readonly outcome?: Outcome;
  /** Our number as short as the paper's, with its unit; "" if not run. */
  readonly ours: string;
  /** Its interval, from the ends of the cells' 95 % intervals carried through the computation; "" if there is none. */
  readonly interval: string;
  /** The paper's number times our copy bandwidth / its memory bandwidth, for absolute claims; "" else. */
  readonly scaled: string;
  /** How the number was computed and why the verdict, in a sentence or two. */
  readonly reason: string;
  /** The rows that the number was computed from. */
  readonly rows: readonly ResultRow[];
  /** Of a claim about systems with programs of their authors: whether it was judged by those, or by our ports. */
  readonly by?: "originals" | "ports";
  /** What our ports say, of a claim that was judged by the originals. */
  readonly ports?: Score;
  /** What the originals say, of a claim that our ports judge because operations are short. */
  readonly originals?: Score;
}

/** The verdict, of a stand-in what it says, and of what holds in part for how many. */
export function verdictInWords({ verdict, outcome }: Pick<Score, "verdict" | "outcome">): string {
  if (!outcome) return verdict;
  const { says, agreeing, all } = outcome;
  const count = `${agreeing} of ${all}`;
  if (verdict === "in part") return `in part, ${count}`;
  if (verdict !== "stand-in") return verdict;
  const STAND_IN = {
    agrees: "agrees",
    small: "agrees",
    "in part": `agrees in ${count}`,
    tie: "undecided",
    alike: "does not agree",
    differs: "does not agree",
  };
  return `stand-in, ${STAND_IN[says]}`;
}

/** Whose programs a claim about systems with an original was judged by, `by programs: WarpCore; our ports: gph`; "" of other claims. */
export function judgedBy(score: Pick<Score, "by" | "ports" | "originals" | "verdict" | "outcome" | "rows">): string {
  const { by, ports, originals, rows } = score;
  if (by === undefined) return "";
  if (originals)
    return `by our ports, as operations are short; by ${programsAndPorts(originals.rows)}: ${said(originals)}`;
  return ports ? `by ${programsAndPorts(rows)}; by our ports alone: ${said(ports)}` : "by our ports";

  function said(other: Score): string {
    const theirs = verdictInWords(other);
    return theirs === verdictInWords(score) ? other.ours : `${other.ours}, ${theirs}`;
  }
}

/** `the authors' programs: WarpCore, our ports: gph`. */
function programsAndPorts(rows: readonly ResultRow[]): string {
  const own = [...new Set(rows.filter(({ api }) => api === "webgpu").map(({ table }) => table))];
  const ours = own.length > 0 ? `, our ports: ${own.join(", ")}` : "";
  return `the authors' programs: ${programsOf(rows).join(", ")}${ours}`;
}

/** The authors' programs among rows, by the first words of their titles. */
export function programsOf(rows: readonly ResultRow[]): string[] {
  const native = rows.filter(({ api }) => api !== "webgpu");
  return [...new Set(native.map(({ system, table }) => (system.title ?? table).replace(/[ ,].*/, "")))];
}

/** Why a claim does not hold, where some number differs and an explanation is known; "" else. */
export function becauseOf({ claim, outcome }: Pick<Score, "claim" | "outcome">): string {
  return outcome && outcome.differing > 0 ? (claim.because ?? "") : "";
}

/** The papers' sentences in the order of their first claims, each with the scores of its claims, the first of which the others are `of`. */
export function statementsOf(scores: readonly Score[]) {
  const sentences = groupBy(scores, ({ claim }) => claim.of ?? claim.id);
  return [...sentences.values()].map((own) => ({ scores: own, verdict: verdictOnAll(own) }));
}

/** How many statements have each verdict. */
export function verdictCounts(scores: readonly Score[]): Record<Verdict, number> {
  const all = statementsOf(scores);
  const counts = VERDICTS.map((verdict) => [verdict, all.filter((one) => one.verdict === verdict).length]);
  return Object.fromEntries(counts) as Record<Verdict, number>;
}

/** One verdict of the numbers that were judged: it holds if all do, in part if most do. */
export function verdictOnAll(scores: readonly Score[]): Verdict {
  const [first, ...others] = scores.map(({ verdict }) => verdict) as [Verdict, ...Verdict[]];
  if (others.every((verdict) => verdict === first)) return first;
  const judged = scores.filter(({ verdict }) => !UNJUDGED.includes(verdict)).map(({ verdict }) => verdict);
  const count = (...wanted: readonly Verdict[]) => judged.filter((verdict) => wanted.includes(verdict)).length;
  if (judged.length === 0) return first;
  const holding = count("reproduced", "holds, small");
  if (holding === judged.length) return count("reproduced") > 0 ? "reproduced" : "holds, small";
  if (2 * (holding + count("in part")) > judged.length) return "in part";
  if (count("not reproduced", "no difference") === 0) return "undecided";
  return count("not reproduced") > 0 ? "not reproduced" : "no difference";
}

/** Of these a sentence's other numbers decide. */
const UNJUDGED: readonly Verdict[] = ["stand-in", "not comparable", "not run"];
