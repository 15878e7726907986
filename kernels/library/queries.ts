/** What group-bys and joins share: a device for one of them, and checks of what it is given. */
import { DoesNotFit, UsageError } from "../device/errors.js";
import { Owner, scoped } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { bufferCheck, recordedCheck } from "./check.js";
import { type Commands, checkCommands, commandRecorder, isPass } from "./commands.js";
import { failing, UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";
import { seedOf } from "./seed.js";
import type { OutcomePlace } from "./types.js";

/** What every query takes beside its rows. */
export interface QueryOptions {
  /** Decides the hash function; a u32. Default: drawn anew for each query, so that nobody can make keys that all meet. */
  readonly seed?: number;
  /** Begins messages, and the labels of what the query has on the device. Default: the function's name. */
  readonly label?: string;
}

/** The commands of a query, which are recorded as often as is wanted. */
export interface RecordedQuery<Given> {
  /**
   * Records the query into an encoder, or into a compute pass that the caller has begun and ends; it waits for nothing. One that is recorded
   * later uses the same memory, after it.
   *
   * @param outcome Where OUTCOME_BYTES are written once the commands run: usage COPY_DST; in a pass of the caller's, STORAGE.
   * @throws UsageError
   */
  encode(commands: Commands, given: Given, outcome?: OutcomePlace): void;
  /** Frees its memory. Commands in which it was recorded cannot be submitted any more. */
  destroy(): void;
  /** The same, at the end of a block. */
  [Symbol.dispose](): void;
}

const WORD = 4;

/** Checks that throw a UsageError. They are made at the call, before anything is awaited. */
export function queryCheck(device: GPUDevice, name: string, { seed, label = name }: QueryOptions) {
  // A program without types may have given the adapter, say.
  if (typeof device?.createBuffer !== "function") throw new UsageError(`${label}: the first argument is no GPUDevice`);
  const check = bufferCheck(device.limits, label);
  return {
    ...check,
    label,
    seed: seedOf(label, seed),
    /** A column of n rows, which kernels read by fours. */
    column(whose: string, name: string, buffer: GPUBuffer, n: number) {
      check.holds(whose, { name, buffer, first: 0, end: n });
      // Nothing of no bytes can be bound.
      const bytes = 4 * WORD * Math.max(1, Math.ceil(n / 4));
      if (buffer.size < bytes)
        throw new UsageError(
          `${whose}: ${name}: the buffer has ${buffer.size} bytes; ${n} rows take ${bytes}, as they are read by fours`,
        );
    },
  };
}

/** Runs a query with memory that is freed at its end. */
export async function inQuery<T>(
  device: GPUDevice,
  kernels: readonly KernelFile[],
  label: string,
  work: (own: Owner, run: RunSteps) => Promise<T>,
): Promise<T> {
  const gpu = new UserDevice(device, kernels, label);
  try {
    return await scoped(gpu, (own) => work(own, (...pass) => gpu.time(...pass)));
  } catch (error) {
    throw named(error, label);
  } finally {
    gpu.destroy();
  }
}

interface Making<Given> {
  readonly device: GPUDevice;
  readonly kernels: readonly KernelFile[];
  readonly check: ReturnType<typeof queryCheck>;
  /** Its status, and what makes the steps of what is given, which throws a UsageError. */
  make(own: Owner): Promise<{
    readonly status: GPUBuffer;
    stepsOf(whose: string, given: Given): Parameters<RunSteps>[0];
  }>;
}

export async function recordQuery<Given>({
  device,
  kernels,
  check,
  make,
}: Making<Given>): Promise<RecordedQuery<Given>> {
  const { label } = check;
  const { outcome: checkOutcome } = recordedCheck(check, label);
  const gpu = new UserDevice(device, kernels, label);
  const own = new Owner(gpu);
  const free = () => {
    own.destroy();
    gpu.destroy();
  };
  try {
    const { status, stepsOf } = await make(own);
    const { recordCounted } = await commandRecorder(gpu, own, status);
    let destroyed = false;
    const destroy = () => {
      if (!destroyed) free();
      destroyed = true;
    };
    return {
      encode(commands, given, outcome) {
        const whose = `${label}.encode`;
        if (destroyed) throw new UsageError(`${whose}: it was destroyed`);
        checkCommands(whose, commands);
        const steps = stepsOf(whose, given);
        checkOutcome("encode", outcome, isPass(commands) ? "STORAGE" : "COPY_DST");
        recordCounted(commands, steps, outcome);
      },
      destroy,
      // Where the runtime has no such symbol, nobody looks for the member that it names then.
      [Symbol.dispose]: destroy,
    };
  } catch (error) {
    free();
    throw named(error, label);
  }
}

/** The error with the query's label, in place of the name that the kernels' folder has. */
function named(error: unknown, label: string): unknown {
  if (!(error instanceof DoesNotFit)) return failing(label, error);
  return new DoesNotFit(error.message.replace(/^(group-by|join)(?=:)/, label));
}
