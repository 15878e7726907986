/** Compiles the kernels of a table before it is there: its operations on a device that does nothing but that. */
import { fillStep } from "../common/steps.js";
import { createTable } from "../create.js";
import { storageDescriptor } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import { MORE_WORDS, type Pass } from "../device/gpu.js";
import { idleBuffer } from "../device/idle.js";
import type { RunSteps } from "../table.js";
import { UserDevice } from "./device.js";
import type { Prepare } from "./table.js";
import type { TableModule, TableOptions, Warmed } from "./types.js";

/** All that a table may have. */
const OPERATIONS: readonly Warmed[] = ["clear", "insert", "find", "erase", "mixed", "flush", "export", "rehash"];

/** Its buffers are no memory, and its steps do nothing: what is read is zero. */
class Compiling extends UserDevice {
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

/**
 * Compiles the kernels of a table with these options, for the operations named, or all that it has. The device keeps them, so that neither
 * `create` nor the operations wait for its compiler then. Makes no table. Rejects as `create`.
 */
export async function warm(
  module: TableModule,
  device: GPUDevice,
  options: TableOptions,
  operations: readonly Warmed[] = OPERATIONS,
): Promise<void> {
  const prepared = (module.prepare as Prepare)(device, options, Compiling);
  try {
    await compile(prepared, operations);
  } finally {
    prepared.gpu.destroy();
  }
}

async function compile(
  { own: type, gpu, making, about, hosted }: ReturnType<Prepare>,
  operations: readonly Warmed[],
): Promise<void> {
  const unknown = operations.find((op) => !OPERATIONS.includes(op));
  if (unknown !== undefined)
    throw new UsageError(`${type.id}.warm: no operation ${unknown}; there are ${OPERATIONS.join(", ")}`);
  const table = await createTable(type, gpu, making);
  const { n } = making;
  const { promised = [] } = about;
  const [keys, values] = ["keys", "values"].map((label) => idleBuffer(label, 4 * n)) as [GPUBuffer, GPUBuffer];
  const run: RunSteps = (...pass) => gpu.time(...pass);
  const lookups = { keys, results: values, n };
  const batch = { kinds: keys, keys, values, results: values, slices: [{ first: 0, count: n }] };
  await table.clear();
  const recordable = await table.recordable?.();
  const work: Readonly<Record<Warmed, () => Promise<unknown> | undefined>> = {
    clear: () => table.clear(),
    insert: () => table.insert(run, { keys, values, n }),
    find: () => table.find(run, lookups),
    erase: () => (type.ops.includes("erase") ? table.erase?.(run, lookups) : undefined),
    mixed: () => (promised.includes("mixed") && type.ops.includes("mixed") ? table.mixed?.(run, batch) : undefined),
    flush: () => (promised.includes("flush") ? table.nodes?.flush?.(run) : undefined),
    export: () => Promise.all([null, { keys, values, n }].map((room) => table.export?.(run, room))),
    rehash: () => recordable?.moving?.pieces(n),
  };
  for (const op of operations) {
    const isRecorded = op === "insert" || op === "find" || op === "erase" || op === "clear";
    if (!(recordable && isRecorded && !hosted.includes(op))) await work[op]();
  }
  if (!recordable) return;
  // Recording has kernels of the library's.
  const recording = about.kernels.filter(({ file }) => file.startsWith("kernels/library/"));
  await Promise.all([fillStep(gpu, keys, 0), ...recording.map(({ file }) => gpu.kernel({ file }))]);
}
