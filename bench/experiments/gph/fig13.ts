import type { Experiment, Series } from "../../base/experiment.js";
import { RATES } from "../shared.js";
import { cached, HALF_PRESENT, HALF_PRESENT_SMALL, IN_WORKGROUPS } from "./settings.js";

const table = "gph";
const perfect = { perfect: true, refusals: true, ...IN_WORKGROUPS };

/** The paper's BR-ON PH-ON, BR-OFF PH-ON and BR-OFF PH-OFF. */
const series: readonly Series[] = [
  { table, variant: "on/on", label: "Bucket requester, perfect hashing", params: { requester: true, ...perfect } },
  { table, variant: "off/on", label: "No requester, perfect hashing", params: { requester: false, ...perfect } },
  { table, variant: "off/off", label: "Neither", params: { requester: false, perfect: false, refusals: true } },
];

/** Finds that bring queries to the workgroup that has loaded their part of the cell index, and such that read it through the cache. */
const others: readonly Series[] = [
  {
    table,
    variant: "routed",
    label: "Requester, perfect hashing, with the time of routing",
    params: { index: "workgroup", refusals: true },
  },
  { ...cached, label: "Requester, perfect hashing, cell index in the cache" },
  {
    table,
    variant: "off/on, cache",
    label: "No requester, perfect hashing, cell index in the cache",
    params: { requester: false, refusals: true },
  },
];

const shared = { source: { section: "7.4" }, series } as const;
const figure = { ...RATES, y: { title: "Lookup throughput" } };
const notes =
  "Without bucket requester a lane reads its slots one by one, each after it has looked at the last; all else is the same. Without perfect " +
  "hashing a key has two buckets, of which the second is taken where the first is full, and there is no cell index. The " +
  "cell index lies in the memory of workgroups, to which queries are brought before the lookup, untimed, as the paper's are mapped; answers stand in that order.";

export const fig13a: Experiment = {
  ...shared,
  series: [...series, ...others],
  id: "gph/fig13a",
  title: "Bucket requester and perfect hashing by lanes of a lookup group",
  setting: "1.5 GB table, 100 M random pairs, buckets of 16 slots; 200 M lookups, half of them of present keys",
  axes: { ...HALF_PRESENT, params: { g: [1, 2, 4, 8, 16] } },
  software: { ...HALF_PRESENT_SMALL, params: { g: [1, 4, 16] } },
  figure: { ...figure, x: { field: "params.g", title: "Lanes of a lookup group", scale: "log2" } },
  notes: `${notes} Three more series are ours: finds with the time in which queries are brought to workgroups, and the cell index read through the cache, with the requester and without.`,
};

export const fig13b: Experiment = {
  ...shared,
  id: "gph/fig13b",
  title: "Bucket requester and perfect hashing by slots of a bucket",
  setting: "1.5 GB table, 100 M random pairs, lookup groups of 4 lanes; 200 M lookups, half of them of present keys",
  axes: { ...HALF_PRESENT, params: { M: [4, 8, 16, 32], h: [4] } },
  software: { ...HALF_PRESENT_SMALL, params: { M: [4, 16], h: [4] } },
  figure: { ...figure, x: { field: "params.M", title: "Slots of a bucket", scale: "log2" } },
  notes: `${notes} Tables with buckets of 4 slots refuse a few pairs (refused_share).`,
};
