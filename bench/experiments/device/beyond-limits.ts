import type { Experiment } from "../../base/experiment.js";
import { BY_SIZE } from "./settings.js";

export const beyondLimits: Experiment = {
  id: "device/beyond-limits",
  title: "Accesses to small tables, one after another, and in a small dispatch",
  setting:
    "Random accesses to small tables, reads of one lane after another, and a dispatch of 256 lookups; more sizes are in device/limits",
  series: [
    { table: "read4", label: "Reads, 4 B", bench: "limit", only: { op: ["read"] } },
    { table: "lookup4", label: "Lookups, 4 B", bench: "limit", only: { op: ["lookup"] } },
    { table: "chain4", label: "Reads one after another, 4 B", bench: "limit", only: { op: ["chain"] } },
    { table: "launch", label: "A dispatch of 256 lookups", bench: "limit", only: { op: ["launch"] } },
  ],
  axes: {
    n: [2 ** 27],
    op: ["read", "lookup", "chain", "launch"],
    params: { tableMiB: [1 / 64, 1 / 16, 1 / 4, 1, 64, 1024] },
  },
  quick: { params: { tableMiB: [1 / 64, 1 / 4] } },
  software: { n: [2 ** 16], params: { tableMiB: [1 / 64, 1 / 4] } },
  figure: { ...BY_SIZE, y: { title: "Accesses", scale: "linear" } },
  notes:
    "Where a dispatch has only 256 lookups, its time is that of the launch and of " +
    "two reads one after the other; the rate is 256 over that time.",
};
