/** `webgpu-hash-table/recording`: operations of a table among a program's own commands. */
import { recordingParts } from "../recording.js";
import type { Recording } from "../types.js";

/** For `quotient.with(recording)`, or another table. */
export const recording: Recording = recordingParts;
