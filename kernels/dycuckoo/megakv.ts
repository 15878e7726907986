/**
 * A stand-in for MegaKV, with which Li et al. compare: DyCuckoo with two sub-tables, which are doubled or halved together, and rehashed;
 * lanes wait for the lock of one pair. See README.md.
 */

import { fixed } from "../declare.js";
import { cuckooTable } from "./dycuckoo.js";
import { orderingFor } from "./order.js";
import { parameters } from "./parameters.js";
import { Resizer } from "./resizer.js";

export const megakv = cuckooTable(
  {
    id: "megakv",
    title: "MegaKV (stand-in)",
    source:
      "Zhang et al., Mega-KV, PVLDB 8(11), 2015, as in Li et al., Dynamic Hash Tables on GPUs (manuscript; as DyCuckoo: ICDE 2021)",
    standsInFor: "MegaKV's own kernels: DyCuckoo's, with two sub-tables and without voters",
    parameters: fixed(parameters, {
      subTables: 2,
      alike: true,
      voter: false,
      swap: true,
      locks: true,
      bucketSlots: 32,
      pairs: "apart",
    }),
  },
  true,
  { Resizer, orderingFor },
);
