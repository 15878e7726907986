/** Kernels that kernels/partitioned/build.ts runs. */
import { kernel as scan } from "../common/scan.wgsl.js";
import { kernel as build } from "../partitioned/build.wgsl.js";
import { kernel as rest } from "../partitioned/rest.wgsl.js";
import { kernel as scatter } from "../partitioned/scatter.wgsl.js";

export const kernels = [scan, build, rest, scatter];
