import type { Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { each } from "../helpers.js";
import { BY_SIZE } from "./settings.js";

const series = [
  { table: "read4", label: "Reads, 4 B", bench: "limit", only: { op: ["read"] } },
  { table: "read128x8", label: "Reads, 128 B by 8 lanes", bench: "limit", only: { op: ["read"] } },
  { table: "lookup32", label: "Lookups, 32 B", bench: "limit", only: { op: ["lookup"] } },
  { table: "cas", label: "atomicCompareExchange, 4 B", bench: "limit", only: { op: ["modify"] } },
];

export const hostLarge: Experiment = {
  id: "device/host-large",
  title: "Accesses to large tables in host memory",
  setting: "2^20 random accesses to a table of 8 to 32 GiB in the host's memory, in bindings of 2 GiB",
  series: each(series, { params: HOST }),
  axes: {
    n: [2 ** 20],
    op: ["read", "lookup", "modify"],
    params: { tableMiB: [8192, 16384, 24576, 30720, 32768] },
  },
  quick: { params: { tableMiB: [8192] } },
  software: { n: [2 ** 14], params: { tableMiB: [64] } },
  figure: { ...BY_SIZE, y: { title: "Accesses", scale: "log10" } },
  notes:
    "Ours. Tables of up to 4 GiB with more patterns are in device/host. What the device does not bind, in up to 15 buffers of 2 GiB, or what the " +
    "host's free memory does not hold, is skipped and says why.",
};
