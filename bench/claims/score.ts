/** A claim with its verdict on one device. */
import type { ResultRow } from "../results/record.js";
import type { Claim } from "./claim.js";

/**
 * `not comparable`: an absolute number of another GPU. `not run`: the rows do not have the cells, because the table or
 * experiment does not exist yet, was not measured, or its cells failed.
 */
export const VERDICTS = ["reproduced", "not reproduced", "not comparable", "not run"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Score {
  readonly claim: Claim;
  readonly verdict: Verdict;
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
}
