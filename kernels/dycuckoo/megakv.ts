/** MegaKV's table, as Li et al. compare with it: two sub-tables, which are doubled or halved together, and rehashed. See README.md. */
import { cuckooTables } from "./dycuckoo.js";

export const megakv = cuckooTables(true, {
  id: "megakv",
  title: "MegaKV",
  source: "Zhang et al., Mega-KV, PVLDB 8(11), 2015, as in Li et al., Dynamic Hash Tables on GPUs, ICDE 2021",
});
