import type { Experiment } from "../../base/experiment.js";
import { each, patternSeries } from "../helpers.js";
import { EACH_TABLE, RATE_BARS } from "../shared.js";
import { BY_SIZE } from "./settings.js";

export const implementations: Experiment = {
  id: "device/implementations",
  title: "Accesses and launches, for one implementation of WebGPU beside another",
  setting: "Random accesses to a table of the given size, the coalesced copy of one, and a dispatch of 256 lookups",
  series: [
    ...patternSeries(["launch", "read", "lookup"], [4]),
    { table: "read32", label: "32 B, one lane", bench: "limit", only: { op: ["read"] } },
    { table: "lookup32", label: "32 B, one lane", bench: "limit", only: { op: ["lookup"] } },
    ...patternSeries(["modify"]),
    { table: "copy", label: "Coalesced copy, 16 B", bench: "limit", only: { op: ["copy"] } },
  ],
  axes: {
    n: [2 ** 16, 2 ** 26],
    op: ["launch", "read", "lookup", "modify", "copy"],
    params: { tableMiB: [1, 64, 1024] },
  },
  quick: { n: [2 ** 26], params: { tableMiB: [1, 1024] } },
  software: { n: [2 ** 16], params: { tableMiB: [1, 64] } },
  figure: { ...BY_SIZE, y: { title: "Accesses", scale: "log10" } },
  notes:
    "Ours. --webgpu chooses an implementation, or several that take turns. A dispatch of 2^16 accesses is small: " +
    "its time is that of the launch for the most part.",
};

export const pipelines: Experiment = {
  id: "device/pipelines",
  title: "Compiling a table's kernels, and their first dispatch",
  setting:
    "2^12 unique random pairs, load factor 0.8; wall time of all kernels of an operation, compiled anew for every sample",
  series: each(EACH_TABLE, { bench: "pipelines" }),
  axes: { n: [2 ** 12], op: ["insert", "find"], dataset: ["random"], loadFactor: [0.8], positiveRatio: [1] },
  figure: {
    ...RATE_BARS,
    x: { field: "table", title: "Table" },
    metric: [
      { metric: "time", title: "Compiling" },
      { metric: "first_dispatch_time", title: "First dispatch" },
    ],
    y: { title: "Time" },
    apart: true,
    facet: { field: "op", title: "Operation" },
  },
  notes:
    "Ours: what a page feels before the first answer. By the CPU's clock, which in browsers has steps of up to 0.1 ms.",
};
