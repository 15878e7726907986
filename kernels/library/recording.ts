/** The operations of a table that are recorded among the caller's commands. */
import { UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import type { Erasures, Lookups, Pairs, Recordable } from "../table.js";
import { type Commands, checkCommands, commandRecorder, isPass, outcomeKernel } from "./commands.js";
import { countedKernel, counting, countless } from "./counted.js";
import type { UserDevice } from "./device.js";
import type { TableState } from "./promises.js";
import type {
  DeviceCount,
  Recorded as Given,
  OutcomePlace,
  RecordableErasableTable,
  RecordableTable,
  Table,
} from "./types.js";

/** Kernels of all tables that can be recorded. */
export const recordingKernels = [outcomeKernel, countedKernel];

type Recorded = Omit<RecordableTable, keyof Table> & Partial<Pick<RecordableErasableTable, "encodeErase">>;

export type Recorder = Awaited<ReturnType<typeof recorder>>;

/** What records an operation among the caller's commands, and checks what it is given. */
export async function recorder(gpu: UserDevice, { status }: Recordable, { alive, check }: TableState) {
  const { label } = gpu;
  const { record, recordCounted } = await commandRecorder(gpu, gpu, status);
  const onDevice = await counting(gpu);
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
    check.outcome(op, outcome, isPass(commands) ? "STORAGE" : "COPY_DST", read);
  const ready = (op: string, commands: Commands) => {
    alive();
    checkCommands(`${label}.${op}`, commands);
  };
  return { ready, record, recordCounted, stepsOf, checkOutcome };
}

export function recording(
  { label }: UserDevice,
  { most = Number.POSITIVE_INFINITY, clear, insert, find, erase }: Recordable,
  { begin, check, cleared }: TableState,
  { ready, record, recordCounted, stepsOf, checkOutcome }: Recorder,
): Recorded {
  return {
    encodeClear(commands) {
      ready("encodeClear", commands);
      cleared();
      record(commands, clear());
    },
    encodeInsert(commands, given: Given<Pairs>, outcome) {
      ready("encodeInsert", commands);
      const pairs = check.pairs("encodeInsert", check.sized("encodeInsert", given));
      checkOutcome("encodeInsert", commands, pairs, outcome);
      const { n } = pairs;
      if (typeof given.n !== "number" && most < Number.POSITIVE_INFINITY) throw countless(`${label}.encodeInsert`);
      if (n > most)
        throw new UsageError(`${label}: n is ${n}; an insertion that is recorded takes ${most} pairs at most`);
      if (n > 0) begin(pairs);
      recordCounted(commands, stepsOf("encodeInsert", given, pairs, insert), outcome);
    },
    encodeFind(commands, given: Given<Lookups>) {
      ready("encodeFind", commands);
      const lookups = check.lookups("encodeFind", check.sized("encodeFind", given));
      record(commands, stepsOf("encodeFind", given, lookups, find));
    },
    ...(erase && {
      encodeErase(commands: Commands, given: Given<Erasures>, outcome?: OutcomePlace) {
        ready("encodeErase", commands);
        const keys = check.erasures("encodeErase", check.sized("encodeErase", given));
        checkOutcome("encodeErase", commands, keys, outcome);
        recordCounted(commands, stepsOf("encodeErase", given, keys, erase), outcome);
      },
    }),
  };
}
