import type { Experiment } from "../../base/experiment.js";
import { TABLES } from "../shared.js";
import { loadFactor, VARIANTS } from "./load-factor.js";

export const variants: Experiment = {
  ...loadFactor,
  id: "tables/variants",
  title: "Variants of tables, and GPH, by load factor",
  series: [TABLES.cuckooProgram, TABLES.stashPassed, ...VARIANTS],
  from: [loadFactor.id],
  figure: { ...loadFactor.figure, only: "declared" },
};
