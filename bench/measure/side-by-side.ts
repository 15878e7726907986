/** Two ways to do the same, timed in turns: how fast one is beside the other. */
import { type Summary, summarise } from "./statistics.js";

/** ns of each round. */
export interface SideBySide {
  readonly harness: readonly number[];
  readonly library: readonly number[];
}

/** The library is as fast as the harness "within 2 %". */
const LEAST_RATIO = 0.98;

/** Rate of the library / rate of the harness, round by round: what makes both slow in a round is in neither's favour. */
export function ratioOf({ harness, library }: SideBySide): Summary {
  return summarise(library.map((ns, i) => (harness[i] ?? Number.NaN) / ns));
}

/** Whether the library is slower than is allowed, by the median of the rounds. */
export function tooSlow(times: SideBySide): boolean {
  return ratioOf(times).median < LEAST_RATIO;
}
