import type { Experiment } from "../../base/experiment.js";
import { fig10 } from "../dycuckoo/fig7-10.js";
import { cudpp, dycuckoo, LIBRARIES, slab } from "../dycuckoo/settings.js";
import { defaults } from "../originals.js";

const { source: _, ...measured } = fig10;

export const dycuckooFig10: Experiment = {
  ...measured,
  id: "tables/dycuckoo-fig10",
  title: "Ports and their originals in CUDA, as in Fig. 10 of DyCuckoo",
  series: [cudpp, slab, dycuckoo, ...defaults(LIBRARIES)],
  from: [fig10.id],
  figure: { ...fig10.figure, only: "declared", beside: {} },
  notes: "Originals with their defaults; an original has its port's colour, and is hollow.",
};
