import type { Experiment } from "../../base/experiment.js";
import { fig10 } from "../gph/fig10.js";
import { COMPARED, LIBRARIES } from "../gph/settings.js";
import { defaults } from "../originals.js";

const { source: _, ...measured } = fig10;

export const gphFig10: Experiment = {
  ...measured,
  id: "tables/gph-fig10",
  title: "Ports and their originals in CUDA, as in Fig. 10 of GPH",
  series: [...COMPARED, ...defaults(LIBRARIES)],
  from: [fig10.id],
  figure: { ...fig10.figure, only: "declared", beside: {}, paper: [] },
  notes: "Originals with their defaults; an original has its port's colour, and is hollow.",
};
