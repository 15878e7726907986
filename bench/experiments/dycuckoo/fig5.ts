import { type Experiment, WARPS_ON_SWIFTSHADER } from "../../experiment.js";
import { LOG_RATES, powers } from "../shared.js";

export const fig5: Experiment = {
  id: "dycuckoo/fig5",
  section: "5.2",
  title: "Atomic operations that meet at one address",
  setting: "2^24 operations, one a lane; so many neighbouring lanes go to one word",
  series: [
    { table: "cas", label: "atomicCompareExchange" },
    { table: "exchange", label: "atomicExchange" },
    { table: "sequential", label: "Coalesced read and write" },
  ].map((series) => ({ ...series, bench: "conflicts" })),
  axes: { n: [2 ** 24], op: ["update"], params: { conflicts: powers(0, 11) } },
  quick: { params: { conflicts: [1, 32, 1024] } },
  software: { n: [2 ** 18], params: { conflicts: [1, 32, 1024] } },
  swiftshader: WARPS_ON_SWIFTSHADER,
  figure: { ...LOG_RATES, x: { field: "params.conflicts", title: "Operations on one address", scale: "log2" } },
  notes:
    "The paper says neither how many operations there are nor which threads meet: neighbouring lanes do here, as lanes of a warp " +
    "that want one lock. Words lie 32 bytes apart, so that two of them never share a sector.",
};
