import type { Experiment } from "../../base/experiment.js";
import { LOG_RATES } from "../shared.js";

const SERIES: Experiment["series"] = [
  { bench: "join-rows", table: "join-index", label: "Index by partitions" },
  { bench: "join-rows", table: "join-chains", label: "Chains of slabs" },
];

export const join: Experiment = {
  id: "work/join",
  title: "Joins whose build side repeats keys",
  setting: "16 M rows of the build side, each key as often as the axis says; a quarter as many of the probe side",
  series: SERIES,
  axes: {
    n: [2 ** 24],
    op: ["inner", "semi"],
    params: [
      { repeats: 1, probeRatio: 4, present: 1 },
      { repeats: 1, probeRatio: 0.25, present: 1 },
      { repeats: 4, probeRatio: 0.25, present: 1 },
      { repeats: 16, probeRatio: 0.25, present: 1 },
      { repeats: 64, probeRatio: 0.25, present: 1 },
      { repeats: 1, probeRatio: 0.25, present: 0.5 },
      { repeats: 16, probeRatio: 0.25, present: 0.5 },
      { repeats: 16, probeRatio: 0.25, present: 0.1 },
    ],
  },
  quick: { params: { repeats: [1, 16], probeRatio: [0.25], present: [1] } },
  software: { n: [2 ** 15], params: { repeats: [1, 16], probeRatio: [0.25], present: [1] } },
  cost: 8,
  figure: {
    ...LOG_RATES,
    beside: { limit: true },
    y: { title: "Results, or rows probed", scale: "log10" },
    x: { field: "params.repeats", title: "Rows of the build side with a key", scale: "log2" },
    facet: { field: "op+params.probeRatio+params.present", title: "Operation" },
  },
  notes:
    "Build, probe and results together, with the sample and the sizes that the host reads between the passes. An operation is a result, or a " +
    "row of the probe side where these are more: build_time and probe_time tell the parts. Results are 8 bytes. The limit is the lower one of bytes, of all keys and results, and of a random sector for each row that is probed. Chains are those of the slab hash, with a pair for each row; clearing it is not timed, and its results are counted once more.",
};

export const joinRepeats: Experiment = {
  id: "work/join-repeats",
  title: "Joins of as many results, by repeats",
  setting: "2.7·10^8 results of two equal sides; each key of the build side as often as the axis says",
  series: SERIES,
  axes: {
    n: [2 ** 28],
    op: ["inner"],
    params: { repeats: [4, 16, 32, 64, 256, 1024, 4096], equal: [true] },
  },
  quick: { params: { repeats: [32, 1024], equal: [true] } },
  software: { n: [2 ** 17], params: { repeats: [32], equal: [true] } },
  cost: 8,
  figure: {
    ...LOG_RATES,
    beside: { limit: true },
    y: { title: "Results", scale: "log10" },
    x: { field: "params.repeats", title: "Rows of the build side with a key", scale: "log2" },
  },
  notes:
    "As work/join, with as many rows of either side as give so many results: the more repeats, the fewer rows there are to build and to probe.",
};
