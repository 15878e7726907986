import type { Experiment } from "../../base/experiment.js";
import { defaults, librarySeries } from "../originals.js";
import { TABLES } from "../shared.js";
import { loadFactor } from "./load-factor.js";

const { cuckoo, dycuckooPairs, slabHash, warpcore } = TABLES;

export const ports: Experiment = {
  ...loadFactor,
  id: "tables/ports",
  title: "Ports and their originals in CUDA, by load factor",
  setting:
    "100 M unique random pairs, 200 M lookups; DyCuckoo with the buckets of its program, programs with their defaults; in one run",
  series: [
    cuckoo,
    slabHash,
    dycuckooPairs,
    warpcore,
    ...defaults(librarySeries(["cudpp", "slabHash", "dycuckoo", "warpcore"])),
  ],
  from: [loadFactor.id],
  figure: { ...loadFactor.figure, only: "declared" },
  notes: "An original has its port's colour, and is hollow. tables/originals has the ratios.",
};
