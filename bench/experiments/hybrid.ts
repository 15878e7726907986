/** Of which tables the hybrid of Stash and clStash is, in words: for the notes of experiments. */
import { hybridThreshold } from "../../kernels/stash/lanes.js";
import { TICKETS } from "./stadium/settings.js";

const insertion = (threshold: number) => {
  if (threshold === 0) return "from the start, as in clStash";
  return threshold === 1 ? "never, as in Stash" : `from ${threshold}`;
};
const BY_THRESHOLD =
  "The hybrid is the paper's, for batched insertion (III.C): one lane a pair up to an occupancy, collaborating lanes from there on, ";
const MEASURED = "(kernels/stash/README.md says what that is from)";
/** What is called hybrid, for `notes`: of pairs of one size. */
export const hybridOf = (pairBytes: number): string => {
  const insertions = TICKETS.map((ticket) => `${ticket}: ${insertion(hybridThreshold(ticket, pairBytes))}`).join("; ");
  return `${BY_THRESHOLD}by ticket size: ${insertions} ${MEASURED}`;
};
/** And of several sizes. */
export const HYBRID_BY_SIZE = `${BY_THRESHOLD}by ticket and pair size ${MEASURED}`;
