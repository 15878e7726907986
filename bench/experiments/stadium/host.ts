import type { Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { each } from "../helpers.js";
import { OPERATION_AND_RATIO, PAIRS } from "../shared.js";
import { compared, cuckoo, cuckooEarlyExit, HYBRID_MIXED, hybrids, SLICES, SPEED_UP } from "./settings.js";

const NOTES =
  "Ours: stadium/fig16a to fig17c do the same by rounds between device and host, and predict rates from counted transactions. Here the " +
  "kernels themselves reach host memory (device/host). Cuckoo exchanges the numbers of pairs, as WGSL has no 64-bit exchange, and a pass after that gathers the pairs.";

export const host: Experiment = {
  id: "stadium/host",
  source: { figure: "Fig. 17, by kernels", section: "IV.A" },
  title: "Tables in host memory that kernels read and write",
  setting:
    "4-byte keys and values, load factor 0.8; the table in host memory, tickets in the device's; rates over cuckoo's",
  series: each([...hybrids, cuckoo, cuckooEarlyExit], { params: HOST }),
  axes: {
    ...compared,
    n: [2 ** 24, 2 ** 26],
    op: ["insert", "find"],
    positiveRatio: [1, 0.5],
    lookups: 2 ** 22,
  },
  quick: { n: [2 ** 24] },
  software: { n: [2 ** 24], positiveRatio: [1], lookups: 2 ** 12 },
  figure: { ...SPEED_UP, x: PAIRS, facet: OPERATION_AND_RATIO },
  notes: NOTES,
};

export const hostMixed: Experiment = {
  id: "stadium/host-mixed",
  source: { figure: "Fig. 16, by kernels", section: "IV.A" },
  title: "Mixed operations on tables in host memory that kernels read and write",
  setting:
    "Slices of interleaved insertions and retrievals; load factor 0.8; the table in host memory, tickets in the device's; rates over cuckoo's",
  series: each([...hybrids, cuckoo, cuckooEarlyExit], { bench: "mixed", params: HOST }),
  axes: { ...compared, n: [2 ** 23], op: ["mixed"], positiveRatio: [1, 0.5], params: { slice: SLICES } },
  quick: { params: { slice: SLICES } },
  software: { n: [2 ** 23], positiveRatio: [1], params: { slice: SLICES } },
  figure: {
    ...SPEED_UP,
    x: { field: "params.slice", title: "Operations of a slice", scale: "log10" },
    facet: { field: "positive_ratio", title: "Present" },
  },
  notes: `${NOTES} ${HYBRID_MIXED}.`,
};
