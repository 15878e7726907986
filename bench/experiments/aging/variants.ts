import type { Experiment } from "../../base/experiment.js";
import { IN_ONE_DISPATCH, REUSING, rounds } from "./rounds.js";

export const variants: Experiment = {
  ...rounds,
  id: "aging/variants",
  title: "Rates after many rounds: slots reused, and rounds in one dispatch",
  series: [...REUSING, ...IN_ONE_DISPATCH],
  from: [rounds.id],
  figure: { ...rounds.figure, only: "declared" },
};
