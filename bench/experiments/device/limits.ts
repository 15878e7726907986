import type { Experiment } from "../../base/experiment.js";
import { patterns } from "../../scenarios/limits/patterns.js";
import { BY_SIZE } from "./settings.js";

export const limits: Experiment = {
  id: "device/limits",
  title: "What the memory system can do",
  setting: "Random accesses to a table of the given size, and the coalesced copy of one",
  series: patterns
    .filter(({ kind }) => kind !== "copy" && kind !== "launch" && kind !== "chain")
    .map(({ id, title, kind }) => ({ table: id, label: title, bench: "limit", ops: [kind] }))
    .concat([{ table: "copy", label: "Coalesced copy, 16 B", bench: "limit", ops: ["copy"] }]),
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
    only: ["read", "lookup"]
      .flatMap((kind) => [4, 32, 64, 128].map((bytes) => `${kind}${bytes}`))
      .concat("exchange", "cas-write", "write4", "copy"),
  },
  notes:
    "lookup: with the 4-byte key read and the 4-byte result written that every lookup owes. " +
    "Blocks by one lane; what several lanes do together is in device/blocks, and all patterns are in the tables of limits. " +
    "2048 MiB are the largest binding where 2 GiB cannot be bound. Larger tables are in two bindings, of which reads and lookups choose.",
};
