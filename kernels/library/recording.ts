/** The operations of a table that are recorded among the caller's commands: what `webgpu-hash-table/recording` adds to a table. */
import { UsageError } from "../device/errors.js";
import type { Erasures, Lookups, Pairs, Recordable } from "../table.js";
import { type Commands, outcomeKernel, recorder } from "./commands.js";
import { countedKernel, countless } from "./counted.js";
import type { Having } from "./offers.js";
import type { Recorded as Given, OutcomePlace, RecordableErasableTable, RecordableTable, Table } from "./types.js";

type Recorded = Omit<RecordableTable, keyof Table> & Partial<Pick<RecordableErasableTable, "encodeErase">>;

function recorded({ gpu, recordable, recorder, begin, check, cleared }: Having): Partial<Recorded> {
  if (!recordable || !recorder) return {};
  const { label } = gpu;
  const { most = Number.POSITIVE_INFINITY } = recordable;
  const { ready, sized, stepsOf, checkOutcome } = recorder;
  return {
    encodeClear(commands) {
      ready("encodeClear", commands);
      cleared();
      recorder.record(commands, recordable.clear());
    },
    encodeInsert(commands, given: Given<Pairs>, outcome) {
      ready("encodeInsert", commands);
      const pairs = check.pairs("encodeInsert", sized("encodeInsert", given));
      checkOutcome("encodeInsert", commands, pairs, outcome);
      const { n } = pairs;
      if (typeof given.n !== "number" && most < Number.POSITIVE_INFINITY) throw countless(`${label}.encodeInsert`);
      if (n > most)
        throw new UsageError(`${label}: n is ${n}; an insertion that is recorded takes ${most} pairs at most`);
      if (n > 0) begin(pairs);
      recorder.recordCounted(commands, stepsOf("encodeInsert", given, pairs, recordable.insert), outcome);
    },
    encodeFind(commands, given: Given<Lookups>) {
      ready("encodeFind", commands);
      const lookups = check.lookups("encodeFind", sized("encodeFind", given));
      recorder.record(commands, stepsOf("encodeFind", given, lookups, recordable.find));
    },
    ...(recordable.erase && {
      encodeErase(commands: Commands, given: Given<Erasures>, outcome?: OutcomePlace) {
        ready("encodeErase", commands);
        const keys = check.erasures("encodeErase", sized("encodeErase", given));
        checkOutcome("encodeErase", commands, keys, outcome);
        const { erase } = recordable as Required<Recordable>;
        recorder.recordCounted(commands, stepsOf("encodeErase", given, keys, erase), outcome);
      },
    }),
  };
}

/** What the module of a table has not by itself, but needs to record its operations. */
export const recordingParts = { kernels: [outcomeKernel, countedKernel], offers: [recorded], recorder } as const;
