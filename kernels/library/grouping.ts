/** What group-bys and searches for different keys share. */
import { kernel as fill } from "../common/fill.wgsl.js";
import { kernel as bins } from "../group-by/bins.wgsl.js";
import { kernel as clear } from "../group-by/clear.wgsl.js";
import { kernel as compact } from "../group-by/compact.wgsl.js";
import { kernel as few } from "../group-by/few.wgsl.js";
import { kernel as local } from "../group-by/local.wgsl.js";
import { kernel as runs } from "../group-by/runs.wgsl.js";
import { kernel as sample } from "../group-by/sample.wgsl.js";
import { kernel as scatter } from "../partitioned/scatter.wgsl.js";
import { kernel as histogram } from "../radix-sort/histogram.wgsl.js";
import { kernel as sortScatter } from "../radix-sort/scatter.wgsl.js";
import { kernel as starts } from "../radix-sort/starts.wgsl.js";
import { outcomeKernel } from "./commands.js";

/** The kernels of a group-by. */
export const GROUPING = [
  bins,
  clear,
  compact,
  few,
  fill,
  histogram,
  local,
  outcomeKernel,
  runs,
  sample,
  scatter,
  sortScatter,
  starts,
];
