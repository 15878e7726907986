import type { Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { each, powers } from "../helpers.js";

const reads = { table: "chain4", label: "Device memory", bench: "limit", only: { op: ["chain"] } };

export const inFlight: Experiment = {
  id: "device/in-flight",
  title: "How many requests in flight host memory takes, and device memory",
  setting: "Random reads of 4 B in 1 GiB, by lanes of which each reads one word after another",
  series: [reads, ...each([reads], { label: "Host memory", variant: "host", params: HOST })],
  axes: {
    n: [2 ** 18],
    op: ["chain"],
    params: { tableMiB: [1024], lanes: [1, 4, 16, ...powers(6, 14)] },
  },
  quick: { params: { tableMiB: [1024], lanes: [1, 64, 4096, 65536] } },
  software: { n: [2 ** 14], params: { tableMiB: [64], lanes: [1, 64] } },
  figure: {
    kind: "line",
    x: { field: "params.lanes", title: "Lanes", scale: "log2" },
    metric: "mops",
    y: { title: "Reads", scale: "log10" },
  },
  notes:
    "Ours. A lane has one request in flight. Where twice the lanes have twice the rate, latency bounds it, which is the lanes over the rate; where " +
    "the line is level, the memory, or the bus, does.",
};
