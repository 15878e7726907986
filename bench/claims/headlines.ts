/** Which of a paper's claims are its headlines, in its own words. */
import type { PaperId } from "./papers.js";

/** What a reader of the paper remembers of it. */
export interface Headlines {
  readonly paper: PaperId;
  /** What the paper proposes, on what it was measured and, where that is not plain, what of it is judged: sentences of ours; "" if no paper does. */
  readonly about: string;
  /** Five to eight, in the paper's order. */
  readonly conclusions: readonly Conclusion[];
}

export interface Conclusion {
  /** As the paper prints it; `…` where something is left out. */
  readonly quote: string;
  /** In a few words of ours. */
  readonly short: string;
  /** The section that it stands in, such as `7.2`, or `abstract`. */
  readonly section: string;
  /** Ids of the claims that say what of it holds here. */
  readonly claims: readonly string[];
}
