import type { Experiment, Series } from "../../experiment.js";
import { TICKETS } from "./settings.js";

/**
 * The paper's chunks, and larger ones: a fiftieth of the pairs is five for each lane of a large GPU, too few for lanes to
 * share.
 */
const PAPERS_CHUNKS = 50;
export const LARGE_CHUNKS = 6;
const chunksOf = (chunks: number, every: number) =>
  Array.from({ length: chunks / every }, (_, i) => ({ chunks, chunk: (i + 1) * every }));
/** Every fifth of the paper's chunks: neighbouring chunks differ by less than runs do. */
const cases = [...chunksOf(LARGE_CHUNKS, 1), ...chunksOf(PAPERS_CHUNKS, 5)];
const wide = { keyBytes: [8], valueBytes: [8] };

/** Every ticket size: the text does not say what the figure's two configurations are, and the hybrid needs them all. */
const series: readonly Series[] = TICKETS.flatMap((ticket) => [
  { table: "stash", label: `Ticket size ${ticket}`, params: { ticket } },
  { table: "clstash", label: "clStash", params: { ticket } },
]);

export const fig13: Experiment = {
  id: "stadium/fig13",
  section: "III.C",
  title: "From which occupancy on collaborative lanes pay",
  setting: `An insertion in ${LARGE_CHUNKS} equal chunks, and in the paper's ${PAPERS_CHUNKS}, every fifth of them timed; 8-byte keys and values, load factor 0.95 at its end`,
  series,
  axes: { n: [2 ** 26], op: ["insert"], dataset: ["random"], loadFactor: [0.95], params: wide, cases },
  quick: { cases: cases.filter(({ chunk }) => chunk === 1 || chunk % 2 === 0) },
  figure: {
    kind: "line",
    x: { field: "metric.chunk_occupancy", title: "Occupancy (%)", factor: 100 },
    metric: "time",
    y: { title: "Time of Stash − time of clStash" },
    against: { table: "clstash", as: "difference" },
    regression: 2,
    facet: { field: "params.chunks", title: "Chunks" },
  },
  notes:
    "Claims are judged on the large chunks, of 11 million pairs. The paper shows two configurations and does not name them; " +
    "ours are the four ticket sizes. A curve's passage from negative to positive is the threshold of the hybrid table; " +
    "scripts/thresholds.ts says it for all of them.",
};
