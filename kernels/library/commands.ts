/** Steps among a caller's own commands, and what became of them. */
import { fillStep } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { recordCommands, recordSteps } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import type { Command, Gpu, Step } from "../device/gpu.js";
import { recordPass, type UserDevice } from "./device.js";
import { kernel } from "./outcome.wgsl.js";
import { OUTCOME_BYTES, type OutcomePlace } from "./types.js";

export const outcomeKernel = kernel;

export type Commands = GPUCommandEncoder | GPUComputePassEncoder;

export const isPass = (commands: Commands): commands is GPUComputePassEncoder => "dispatchWorkgroups" in commands;

/** Throws a UsageError where a program without types has given something else. */
export function checkCommands(whose: string, commands: Commands): void {
  const { dispatchWorkgroups, beginComputePass } = Object(commands) as Partial<Record<string, unknown>>;
  if (typeof (dispatchWorkgroups ?? beginComputePass) !== "function")
    throw new UsageError(`${whose} takes a GPUCommandEncoder or a GPUComputePassEncoder first`);
}

/** @param of whose kernels have `outcomeKernel`, and that ends with what is recorded */
export async function commandRecorder({ device, label }: UserDevice, of: Gpu, status: GPUBuffer) {
  const file = "kernels/library/outcome.wgsl";
  const handOn = await of.kernel({ file, bound: { status }, takes: ["outcome", "place"] });
  const forget = await fillStep(of, status, 0);
  const record = (commands: Commands, steps: readonly Step[]) => {
    if (isPass(commands)) recordSteps(device, commands, steps);
    else recordPass(device, commands, label, steps);
  };
  return {
    record,
    /** Hands on the status that the steps leave, which is zero then. */
    recordCounted(commands: Commands, steps: readonly Step[], outcome?: OutcomePlace) {
      const { buffer, offset = 0 } = outcome ?? {};
      if (isPass(commands)) {
        const after = buffer ? dispatch(handOn, 1, { outcome: buffer, place: { word: offset / 4 } }) : forget;
        return recordSteps(device, commands, [...steps, after]);
      }
      record(commands, steps);
      const after: Command[] = [
        ...(buffer ? [{ from: status, to: buffer, toOffset: offset, bytes: OUTCOME_BYTES }] : []),
        { buffer: status, zero: status.size },
      ];
      recordCommands(device, commands, after);
    },
  };
}
