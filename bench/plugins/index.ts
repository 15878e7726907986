/** The types that a plug-in is written against: see kernels/README.md. */

export type { DatasetDescription } from "../../datasets/made.js";
export type { DeviceInfo, Gpu, Kernel, KernelSource, Pass, Step } from "../../kernels/device/gpu.js";
export type { Owner } from "../../kernels/device/owned.js";
export type {
  Description,
  Erasures,
  GpuTable,
  Lookups,
  Making,
  MixedBatch,
  OpResult,
  Pairs,
  Params,
  RunSteps,
  TableParameter,
  TableType,
  Traits,
} from "../../kernels/table.js";
export type { Experiment } from "../base/experiment.js";
export type { CounterDescription } from "../measure/counting/own.js";
export type { Plugin, PluginHelpers } from "./plugin.js";
