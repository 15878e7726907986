import type { FigureSpec } from "../../experiment.js";

/** Rates by the size of the table, a panel for each kind of access. */
export const BY_SIZE: FigureSpec = {
  kind: "line",
  x: { field: "params.tableMiB", title: "Table size (MiB)", scale: "log2" },
  metric: "mops",
  y: { title: "Accesses", scale: "log10" },
  facet: { field: "op", title: "Access" },
};
