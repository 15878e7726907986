/** Compiles the kernels of a table before it is there: its operations on a device that does nothing but that. */
import { fillStep } from "../common/steps.js";
import { createTable } from "../create.js";
import { UsageError } from "../device/errors.js";
import type { Kernel, KernelSource } from "../device/gpu.js";
import { IdleGpu, idleBuffer } from "../device/idle.js";
import type { RunSteps, TableType } from "../table.js";
import type { UserDevice } from "./device.js";
import type { Operation } from "./promises.js";
import { recordingKernels } from "./recording.js";
import type { Warmed } from "./types.js";

/** All that a table may have. */
export const OPERATIONS: readonly Warmed[] = ["clear", "insert", "find", "erase", "mixed", "flush", "export", "rehash"];

/** A table, as its options ask for it. */
export type Asked = Parameters<typeof createTable>[2];

class Compiling extends IdleGpu {
  constructor(private readonly gpu: UserDevice) {
    super(gpu.info, gpu.maxBinding);
  }
  kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    return this.gpu.kernel(source);
  }
}

interface Warming {
  readonly type: TableType;
  readonly gpu: UserDevice;
  readonly making: Asked;
  /** Operations that run by the host's part, though they can be recorded. */
  readonly hosted: readonly Operation[];
  readonly operations: readonly Warmed[];
}

/** Rejects as the making of the table would. */
export async function warm({ type, gpu, making, hosted, operations }: Warming): Promise<void> {
  const unknown = operations.find((op) => !OPERATIONS.includes(op));
  if (unknown !== undefined)
    throw new UsageError(`${type.id}.warm: no operation ${unknown}; there are ${OPERATIONS.join(", ")}`);
  const idle = new Compiling(gpu);
  const table = await createTable(type, idle, making);
  const { n } = making;
  const [keys, values] = ["keys", "values"].map((label) => idleBuffer(label, 4 * n)) as [GPUBuffer, GPUBuffer];
  const run: RunSteps = (steps) => idle.time(steps);
  const lookups = { keys, results: values, n };
  const batch = { kinds: keys, keys, values, results: values, slices: [{ first: 0, count: n }] };
  await table.clear();
  const recordable = await table.recordable?.();
  const work: Readonly<Record<Warmed, () => Promise<unknown> | undefined>> = {
    clear: () => table.clear(),
    insert: () => table.insert(run, { keys, values, n }),
    find: () => table.find(run, lookups),
    erase: () => (type.ops.includes("erase") ? table.erase?.(run, lookups) : undefined),
    mixed: () => (type.ops.includes("mixed") && type.incremental ? table.mixed?.(run, batch) : undefined),
    flush: () => table.nodes?.flush?.(run),
    export: () => table.export?.(run, { keys, values, n }),
    // Its steps are those of the others.
    rehash: () => table.export?.(run, { keys, values, n }),
  };
  for (const op of operations) {
    const isRecorded = op === "insert" || op === "find" || op === "erase" || op === "clear";
    if (!(recordable && isRecorded && !hosted.includes(op))) await work[op]();
  }
  if (!recordable) return;
  await Promise.all([fillStep(gpu, keys, 0), ...recordingKernels.map(({ file }) => gpu.kernel({ file }))]);
}
