import type { Experiment } from "../../base/experiment.js";
import { ROW_RATES } from "../shared.js";
import { OF_ROWS } from "./ids.js";

export const upsert: Experiment = {
  id: "work/upsert",
  title: "Sums of rows by an upsert",
  setting:
    "100 M rows of a 4-byte key and a 4-byte value, added up by key in a table; load factor 0.5; key of rank k in proportion to k^-s",
  series: OF_ROWS,
  axes: {
    n: [100_000_000],
    op: ["sums"],
    loadFactor: [0.5],
    params: { shape: ["zipf"], groups: [10_000_000], skew: [0, 0.5, 1, 1.5], present: [0, 0.5, 1] },
  },
  quick: { params: { shape: ["zipf"], groups: [10_000_000], skew: [0, 1], present: [0, 1] } },
  software: { n: [2 ** 15], params: { shape: ["zipf"], groups: [4096], skew: [0, 1], present: [0, 1] } },
  cost: 2,
  figure: {
    ...ROW_RATES,
    x: { field: "params.skew", title: "Zipf's exponent s" },
    facet: { field: "params.present", title: "Share of keys present before" },
  },
};
