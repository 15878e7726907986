/** Steps among a caller's own commands, and what became of them. */
import { fillStep } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import { recordCommands, recordSteps } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import type { Command, Gpu, Step } from "../device/gpu.js";
import type { Erasures, Pairs, Recordable } from "../table.js";
import { recordedCheck } from "./check.js";
import { counting } from "./counted.js";
import { recordPass, type UserDevice } from "./device.js";
import { kernel } from "./outcome.wgsl.js";
import type { TableState } from "./promises.js";
import { type DeviceCount, OUTCOME_BYTES, type OutcomePlace } from "./types.js";

export const outcomeKernel = kernel;

export type Commands = GPUCommandEncoder | GPUComputePassEncoder;

export const isPass = (commands: Commands): commands is GPUComputePassEncoder => "dispatchWorkgroups" in commands;

/** Of what was made of a table in whose place there is another. */
export const rehashed = (whose: string) => new UsageError(`${whose}: the table was rehashed; ask for this again`);

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

export type Recorder = Awaited<ReturnType<typeof recorder>>;

/** What records an operation among the caller's commands, and checks what it is given. */
export async function recorder(gpu: UserDevice, recordable: Recordable, { alive, check }: TableState) {
  const { label } = gpu;
  const commands = await commandRecorder(gpu, gpu, recordable.status);
  const onDevice = await counting(gpu);
  const { sized, outcome: checkPlace } = recordedCheck(check, label);
  /** The steps of an operation on these items; none for no items. @param given as the caller gave them */
  const stepsOf = <T extends { readonly n: number; readonly first: number }>(
    op: string,
    { n }: { readonly n: number | DeviceCount },
    items: T,
    make: (items: T) => readonly Step[],
  ) => {
    const steps = items.n > 0 ? make(items) : [];
    return typeof n === "number" ? steps : onDevice(`${label}.${op}`, steps, n, items.first);
  };
  const checkOutcome = (op: string, commands: Commands, read: Pairs | Erasures, outcome?: OutcomePlace) =>
    checkPlace(op, outcome, isPass(commands) ? "STORAGE" : "COPY_DST", read);
  /** @param of the status of the table of which the operation was made */
  const ready = (op: string, commands: Commands, of?: GPUBuffer) => {
    alive();
    checkCommands(`${label}.${op}`, commands);
    if (of && of !== recordable.status) throw rehashed(`${label}.${op}`);
  };
  return { ready, sized, stepsOf, checkOutcome, ...commands };
}
