import { libcuckoo } from "./libcuckoo.js";
import { type CpuTableType, jsMap, typedArray } from "./tables.js";

/** All CPU tables. */
export const cpuTables: readonly CpuTableType[] = [jsMap, typedArray, libcuckoo];
