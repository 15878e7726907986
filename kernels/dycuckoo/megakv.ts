/**
 * MegaKV's table, as Li et al. compare with it: two sub-tables, which are doubled or halved together, and rehashed; lanes wait for the lock
 * of one pair. See README.md.
 */
import { cuckooTable } from "./dycuckoo.js";
import { parameters } from "./parameters.js";

export const megakv = cuckooTable(
  {
    id: "megakv",
    title: "MegaKV",
    source: "Zhang et al., Mega-KV, PVLDB 8(11), 2015, as in Li et al., Dynamic Hash Tables on GPUs, ICDE 2021",
    parameters: parameters.fixed({
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
);
