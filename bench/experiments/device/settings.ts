import type { FigureSpec } from "../../base/experiment.js";

/** Rates by the size of the table, a panel for each kind of access. */
export const BY_SIZE: FigureSpec = {
  kind: "line",
  x: { field: "params.tableMiB", title: "Table size (MiB)", scale: "log2" },
  metric: "mops",
  y: { title: "Accesses" },
  facet: {
    field: "op",
    title: "Access",
    names: {
      read: "Random reads",
      lookup: "Random lookups",
      modify: "Random RMWs and writes",
      move: "Random reads, each with a write elsewhere",
      chain: "Reads of one lane, each after the one before",
      launch: "Lookups of a dispatch that has 256",
    },
  },
  apart: "panels",
};
