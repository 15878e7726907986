import type { Experiment } from "../../base/experiment.js";
import { LOG_RATES } from "../shared.js";

export const join: Experiment = {
  id: "work/join",
  title: "Joins whose build side repeats keys",
  setting:
    "16 M rows of the build side, each key as often as the axis says; a quarter as many of the probe side, or as many as results fit",
  series: [
    { bench: "join-rows", table: "join-index", label: "Index by partitions" },
    { bench: "join-rows", table: "join-chains", label: "Chains of slabs" },
  ],
  axes: {
    n: [2 ** 24],
    op: ["inner", "semi"],
    params: [
      { repeats: 1, probeRatio: 4, present: 1 },
      { repeats: 1, probeRatio: 0.25, present: 1 },
      { repeats: 4, probeRatio: 0.25, present: 1 },
      { repeats: 16, probeRatio: 0.25, present: 1 },
      { repeats: 64, probeRatio: 0.25, present: 1 },
      { repeats: 256, probeRatio: 0.0625, present: 1 },
      { repeats: 1024, probeRatio: 0.015625, present: 1 },
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
