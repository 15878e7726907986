/** What programs with any of the tables use, from the module of each. */
export { DELETED, EMPTY } from "../common/steps.js";
export { DeviceLost, DoesNotFit, GpuError, Unsupported, UsageError } from "../device/errors.js";
export { OUTCOME_BYTES, readOutcome } from "./types.js";
