import type { Experiment } from "../../base/experiment.js";
import { rounds } from "./rounds.js";

export const probes: Experiment = {
  ...rounds,
  id: "aging/probes",
  title: "Probes of tables that have been in use for many rounds",
  from: [rounds.id],
  figure: { ...rounds.figure, metric: "probes", y: { title: "Probe steps per operation", scale: "log2" } },
};
