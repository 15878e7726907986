import type { Experiment } from "../../base/experiment.js";
import { each, plain } from "../helpers.js";
import { LOG_RATES, OPERATION_AND_RATIO, PAIRS, TABLES } from "../shared.js";

const { bucketed, cuckoo, doubleHashing, dycuckoo, quotient, slabHash, stash, stashPassed, warpcore } = TABLES;

const tables = [quotient, bucketed, cuckoo, doubleHashing, warpcore, stash, stashPassed, slabHash, dycuckoo];
/** Insertions beyond that take seconds. */
export const quotientPlain = each(plain([quotient]), { only: { n: { to: 2 ** 29 - 4 } } });

export const table: Experiment = {
  id: "limit/table",
  title: "Tables by size, beside the device's limit",
  setting: "Unique random pairs, load factor 0.8, 2^26 lookups",
  series: [...tables, ...quotientPlain],
  axes: {
    // On an H200 tables of up to about 2^22 pairs are in the cache, those from 2^28 on are larger than a binding of 2 GiB and in banks.
    // More than 2^29 - 4 keys are larger than a binding themselves, and are inserted in parts.
    n: [2 ** 20, 2 ** 22, 2 ** 23, 2 ** 24, 2 ** 26, 2 ** 27, 2 ** 28, 2 ** 29 - 4, 2 ** 30, 2 ** 31],
    op: ["insert", "find"],
    dataset: ["random"],
    loadFactor: [0.8],
    positiveRatio: [1, 0.5, 0],
    // As many as the accesses of device/limits, so that starting a dispatch costs the same share of both.
    lookups: 2 ** 26,
  },
  quick: { n: [2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26] },
  software: { n: [2 ** 15, 2 ** 18], positiveRatio: [1, 0], lookups: 2 ** 17 },
  figure: { ...LOG_RATES, x: PAIRS, facet: OPERATION_AND_RATIO, beside: { limit: true, references: true } },
  notes:
    "Ours. The limit is that of a table of the same bytes: up to the cache's size it is the cache's. The load factor is 0.8, of the slab hash " +
    "as memory utilisation; other load factors, and GPH, which reaches 0.55, are in tables/load-factor and limit/load-factor. Beyond 2^28 " +
    "pairs a table is larger than the largest binding, 2 GiB, and lies in up to 13; what does not fit is skipped and says why. More keys " +
    "than can be bound are inserted in several parts, one after another. Plain allocations are what WebGPU makes of a buffer, without large pages.",
};
