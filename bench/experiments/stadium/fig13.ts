import type { Experiment } from "../../base/experiment.js";
import { along, combine, range } from "../helpers.js";
import { TICKETS } from "./settings.js";

/**
 * The paper's chunks, and larger ones: a fiftieth of the pairs is five for each lane of a large GPU, too few for lanes to
 * share.
 */
const PAPERS_CHUNKS = 50;
export const LARGE_CHUNKS = 6;
const large = { keyBytes: [8], valueBytes: [8], chunks: [LARGE_CHUNKS] };
const papers = { keyBytes: [8], valueBytes: [8], chunks: [PAPERS_CHUNKS] };

const stash = { table: "stash", label: "Ticket size {}" };
const clstash = { table: "clstash", label: "clStash" };
/** Every ticket size: the text does not say what the figure's two configurations are, and the hybrid needs them all. */
const series = along([stash, clstash], "ticket", TICKETS);

export const fig13: Experiment = {
  id: "stadium/fig13",
  source: { section: "III.C" },
  title: "From which occupancy on collaborative lanes pay",
  setting: `An insertion in ${LARGE_CHUNKS} equal chunks, and in the paper's ${PAPERS_CHUNKS}, every fifth of them timed; 8-byte keys and values, load factor 0.95 at its end`,
  series,
  axes: {
    n: [2 ** 26],
    op: ["insert"],
    dataset: ["random"],
    loadFactor: [0.95],
    // Every fifth of the paper's chunks: neighbouring chunks differ by less than runs do.
    params: [...combine({ ...large, chunk: range(1, 6) }), ...combine({ ...papers, chunk: range(5, 50, 5) })],
  },
  quick: {
    params: [...combine({ ...large, chunk: [1, 2, 4, 6] }), ...combine({ ...papers, chunk: range(10, 50, 10) })],
  },
  figure: {
    kind: "line",
    x: { field: "metric.chunk_occupancy", title: "Occupancy (%)", factor: 100 },
    metric: "time",
    y: { title: "Time of Stash − time of clStash" },
    against: { table: "clstash", as: "difference" },
    beside: { trend: "parabola" },
    facet: { field: "params.chunks", title: "Chunks" },
    apart: "panels",
  },
  notes:
    "Claims of the paper are judged on its chunks; large ones, of 11 million pairs, are ours. The paper shows two configurations and does not name them; " +
    "ours are the four ticket sizes. A curve's passage from negative to positive is the threshold of the hybrid table; " +
    "scripts/thresholds.ts says it for all of them.",
};

/** Values beside a key of 4 bytes, for pairs as wide as those of the other figures; fig13 has pairs of 16 bytes. */
const widths = { keyBytes: [4], valueBytes: [4, 8, 16, 32, 64], chunks: [LARGE_CHUNKS], chunk: range(1, 6) };

export const thresholds: Experiment = {
  id: "stadium/thresholds",
  source: { section: "III.C" },
  title: "From which occupancy on collaborative lanes pay, by the size of pairs",
  setting: `An insertion in ${LARGE_CHUNKS} equal chunks; 4-byte keys, values of 4 to 64 bytes, load factor 0.95 at its end`,
  series,
  axes: {
    n: [2 ** 25],
    op: ["insert"],
    dataset: ["random"],
    loadFactor: [0.95],
    params: widths,
  },
  quick: { params: { ...widths, valueBytes: [4, 16, 64], chunk: [2, 4, 6] } },
  figure: {
    ...fig13.figure,
    facet: { field: "params.valueBytes", title: "Bytes of a value" },
  },
  notes:
    '"Thresholds for other configurations were computed similarly", says the paper: these are of the sizes of pairs that its other figures have. ' +
    "Half as many pairs as in fig13, so that the widest fit. scripts/thresholds.ts says the thresholds.",
};
