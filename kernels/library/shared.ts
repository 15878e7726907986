/** Exports that the module of each table shares. */
export { DELETED, EMPTY } from "../common/steps.js";
export { DeviceLost, DoesNotFit, GpuError, Unsupported, UsageError } from "../device/errors.js";
export { RULES, STATES } from "../table.js";
export { OUTCOME_BYTES, readOutcome, SIZE_OFFSET } from "./types.js";
