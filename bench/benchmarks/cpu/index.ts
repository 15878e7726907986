import { type CpuTableType, jsMap, typedArray } from "./tables.js";

/** All CPU cpuTables. */
export const cpuTables: readonly CpuTableType[] = [jsMap, typedArray];
