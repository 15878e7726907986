import type { Experiment } from "../../base/experiment.js";
import { HOST } from "../../scenarios/allocation.js";
import { along, each, patternSeries } from "../helpers.js";
import { BY_SIZE } from "./settings.js";

const READS = ["read4", "read8", "read32", "read128", "read128x32"];

export const host: Experiment = {
  id: "device/host",
  title: "Random accesses to host memory by table size",
  setting: "2^22 random accesses to a table in the host's memory, across the bus",
  series: each(
    [
      ...patternSeries(["read"], [4, 8, 32, 128]),
      ...patternSeries(["lookup"], [4, 8, 32, 128]),
      // Further sizes, between which the rate falls; of all patterns they would take minutes.
      ...along(
        [
          { table: "lookup8", label: "8 B, one lane", bench: "limit", only: { op: ["lookup"] } },
          { table: "lookup32", label: "32 B, one lane", bench: "limit", only: { op: ["lookup"] } },
        ],
        "tableMiB",
        [256, 512, 640, 768, 2048, 2560],
      ),
      // Each of these cells has a table of its own, of which 4 GiB take seconds to allocate.
      ...each(patternSeries(["modify", "move"]), { only: { params: { tableMiB: [64, 1024] } } }),
      { table: "copy", label: "Coalesced copy, 16 B", bench: "limit", only: { op: ["copy"] } },
    ],
    { params: HOST },
  ),
  axes: {
    n: [2 ** 22],
    op: ["read", "lookup", "modify", "move", "copy"],
    params: { tableMiB: [64, 1024, 4096] },
  },
  quick: { params: { tableMiB: [64] } },
  software: { n: [2 ** 14], params: { tableMiB: [64] } },
  figure: {
    ...BY_SIZE,
    y: { title: "Accesses", scale: "log10" },
    only: [...READS, "lookup4", "lookup32", "lookup128", "exchange", "write4", "move4"],
  },
  notes:
    "Ours. The copies are in device/copies. Keys and results of lookups are in the device's memory, the table is in pinned memory of the host: the Vulkan layer of " +
    "bench/device/buffer-memory gives the buffer a memory type that is visible to the host and not the device's own.",
};
