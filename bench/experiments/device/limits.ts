import type { Experiment } from "../../base/experiment.js";
import { patternSeries } from "../helpers.js";
import { BY_SIZE } from "./settings.js";

const READS = ["read4", "read32", "read64", "read128"];
const LOOKUPS = ["lookup4", "lookup32", "lookup64", "lookup128"];

export const limits: Experiment = {
  id: "device/limits",
  title: "Random accesses by table size: the device's limits",
  setting: "Random accesses to a table of the given size",
  series: [
    ...patternSeries(["read", "lookup", "modify"]),
    { table: "copy", label: "Coalesced copy, 16 B", bench: "limit", only: { op: ["copy"] } },
  ],
  axes: {
    n: [2 ** 26],
    op: ["read", "lookup", "modify", "copy"],
    params: { tableMiB: [1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 2560, 3072, 4032] },
  },
  quick: { params: { tableMiB: [1, 16, 128, 1024] } },
  software: {
    n: [2 ** 16],
    op: ["lookup", "modify"],
    params: { tableMiB: [1, 64] },
    // Rates of blocks read by several lanes would show on a software adapter what their emulation costs.
    tables: ["lookup4", "lookup8", "lookup32", "lookup128", "cas", "write4"],
  },
  figure: {
    ...BY_SIZE,
    y: { title: "Accesses", scale: "log10" },
    only: [...READS, ...LOOKUPS, "exchange", "cas-write", "write4"],
  },
  notes:
    "The copies are in device/copies. lookup: with the 4-byte key read and the 4-byte result written that every lookup owes. " +
    "Blocks by one lane; what several lanes do together is in device/blocks, and all patterns are in the tables of limits. " +
    "2048 MiB are the largest binding where 2 GiB cannot be bound. Larger tables are in two bindings, of which reads and lookups choose.",
};
