import type { Experiment } from "../../base/experiment.js";
import { librarySeries } from "../originals.js";
import { TABLES } from "../shared.js";
import { loadFactor } from "./load-factor.js";

export const libraries: Experiment = {
  ...loadFactor,
  id: "tables/libraries",
  title: "CUDA libraries without a port here, beside our fastest tables",
  series: [TABLES.quotient, TABLES.bucketed, ...librarySeries(["cuco", "bcht", "p2bht"])],
  from: [loadFactor.id],
  figure: { ...loadFactor.figure, only: "declared" },
  notes: "With the libraries' defaults, and with the settings that find fastest at load factor 0.8.",
};
