import { type CpuBaseline, jsMap, typedArray } from "./tables.js";

/** All CPU baselines. */
export const baselines: readonly CpuBaseline[] = [jsMap, typedArray];
