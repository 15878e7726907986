/** Compiles the kernels of a table before it is there: its operations on a device that does nothing but that. */
import { fillStep } from "../common/steps.js";
import { createTable } from "../create.js";
import { storageDescriptor } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import { MORE_WORDS, type Pass } from "../device/gpu.js";
import { idleBuffer } from "../device/idle.js";
import type { RunSteps, TableType } from "../table.js";
import { UserDevice } from "./device.js";
import type { Operation } from "./promises.js";
import { recordingKernels } from "./recording.js";
import type { Warmed } from "./types.js";

/** All that a table may have. */
export const OPERATIONS: readonly Warmed[] = ["clear", "insert", "find", "erase", "mixed", "flush", "export", "rehash"];

/** A table, as its options ask for it. */
export type Asked = Parameters<typeof createTable>[2];

/** Its buffers are no memory, and its steps do nothing: what is read is zero. */
export class Compiling extends UserDevice {
  override async alloc(label: string, bytes: number): Promise<GPUBuffer> {
    storageDescriptor(label, bytes, this.maxBinding);
    return idleBuffer(label, bytes);
  }
  override async staging(label: string, _mode: "read" | "write", bytes: number): Promise<GPUBuffer> {
    return idleBuffer(label, bytes);
  }
  override uniform(words: readonly number[]): GPUBuffer {
    return idleBuffer("uniform", 4 * words.length);
  }
  override write(): void {}
  override async finished(): Promise<void> {}
  override async read(_: GPUBuffer, words: number): Promise<Uint32Array> {
    return new Uint32Array(words);
  }
  override async time(): Promise<Pass> {
    return { ns: 0, status: new Uint32Array(MORE_WORDS), more: new Uint32Array(MORE_WORDS) };
  }
  override async submit(): Promise<void> {}
}

interface Warming {
  readonly type: TableType;
  readonly gpu: Compiling;
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
  const table = await createTable(type, gpu, making);
  const { n } = making;
  const [keys, values] = ["keys", "values"].map((label) => idleBuffer(label, 4 * n)) as [GPUBuffer, GPUBuffer];
  const run: RunSteps = () => gpu.time();
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
    export: () => Promise.all([null, { keys, values, n }].map((room) => table.export?.(run, room))),
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
