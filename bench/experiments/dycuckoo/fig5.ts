import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../base/experiment.js";
import { each, powers } from "../helpers.js";
import { LOG_RATES } from "../shared.js";

/** As many as lanes that an H200 runs at a time; with 1,024 conflicts all of them have a turn. */
const WORDS = 2 ** 18;
const FEW = [1, 32, 1024];

export const fig5: Experiment = {
  id: "dycuckoo/fig5",
  source: { section: "5.2" },
  title: "Atomic operations that meet at one address",
  setting: "2^28 operations, one per lane; so many neighbouring lanes go to one of 2^18 words, which all take turns",
  series: each(
    [
      { table: "cas", label: "atomicCompareExchange" },
      { table: "exchange", label: "atomicExchange" },
      { table: "sequential", label: "Coalesced read and write" },
    ],
    { bench: "conflicts" },
  ),
  axes: { n: [1024 * WORDS], op: ["update"], params: { conflicts: powers(0, 11), words: [WORDS] } },
  quick: { params: { conflicts: FEW, words: [WORDS] } },
  software: { n: [2 ** 18], params: { conflicts: FEW, words: [2 ** 8] }, swiftshader: WARPS_ON_SWIFTSHADER },
  figure: { ...LOG_RATES, x: { field: "params.conflicts", title: "Operations on one address", scale: "log2" } },
  notes:
    "The paper says neither how many operations there are nor which threads meet: neighbouring lanes do here, as lanes of a warp " +
    "that want one lock. Words lie 32 bytes apart, so that two of them never share a sector. Whatever the conflicts, the same 8 MiB are " +
    "touched: as many words as a large GPU has lanes at a time, so that without conflicts hardly any two meet.",
};
