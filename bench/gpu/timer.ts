/**
 * GPU timestamps: one begin and one end per timed pass, in nanoseconds. Dawn on Vulkan has a pass's begin written at the top of the
 * pipe, so that one behind others in the queue would be stamped while these still run, and its end once all before it has ended. So
 * the begin of a pass that has others before it is the end of an empty pass between them.
 */

import { GpuError } from "../../kernels/device/errors.js";
import { type CoarseClock, MORE_WORDS, type Pass, type Timed } from "../../kernels/device/gpu.js";
import { STATUS_BYTES } from "../../kernels/device/status.js";

/** Dawn rounds timestamps to this many nanoseconds unless told not to. */
const QUANTUM_NS = 65536n;

const STAMP_BYTES = 16;

/** What one timed pass needs while it is under way. */
interface Slot {
  readonly queries: GPUQuerySet;
  readonly resolved: GPUBuffer;
  readonly readback: GPUBuffer;
}

/** What a pass is timed behind, and read after it. */
interface Around {
  /** Others may still run. */
  readonly behind: boolean;
  readonly status: Parameters<Timed>[1];
  readonly more: Parameters<Timed>[2];
}

const ALONE: Around = { behind: false, status: undefined, more: undefined };

/** What times a pass. */
export interface PassTimer {
  /** Records one pass, submits it before this returns, waits for it; what is read comes with its time. */
  run(record: (pass: GPUComputePassEncoder) => void, around: Around): Promise<Pass>;
}

/** By the GPU's timestamps, or by the host's clock on a device without them. */
export function passTimer(device: GPUDevice): PassTimer {
  return device.features.has("timestamp-query") ? new Timer(device) : new WallTimer(device);
}

/** Copies what is read after a pass behind the first `at` bytes of a buffer; how many bytes of each. */
function copyAround(encoder: GPUCommandEncoder, { status, more }: Around, to: GPUBuffer, at: number) {
  const bytes = {
    status: Math.min(status?.size ?? 0, STATUS_BYTES),
    more: Math.min(more?.size ?? 0, 4 * MORE_WORDS),
  };
  if (status) {
    encoder.copyBufferToBuffer(status, 0, to, at, bytes.status);
    encoder.clearBuffer(status);
  }
  if (more) encoder.copyBufferToBuffer(more, 0, to, at + STATUS_BYTES, bytes.more);
  return bytes;
}

export class Timer implements PassTimer {
  /** Those that no pass uses. */
  private readonly slots: Slot[] = [];

  constructor(private readonly device: GPUDevice) {}

  async run(record: (pass: GPUComputePassEncoder) => void, around: Around): Promise<Pass> {
    const { begin, end, status, more } = await this.stamps(record, around);
    return { ns: Number(end - begin), status, more };
  }

  /** The two raw stamps of a pass. */
  async stamps(
    record: (pass: GPUComputePassEncoder) => void,
    around: Around = ALONE,
  ): Promise<{ begin: bigint; end: bigint; status: Uint32Array; more: Uint32Array }> {
    const { behind } = around;
    const slot = this.slots.pop() ?? this.slot();
    const { queries: querySet, resolved, readback } = slot;
    const encoder = this.device.createCommandEncoder();
    if (behind) encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 0 } }).end();
    const pass = encoder.beginComputePass({
      timestampWrites: { querySet, ...(!behind && { beginningOfPassWriteIndex: 0 }), endOfPassWriteIndex: 1 },
    });
    record(pass);
    pass.end();
    encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
    encoder.copyBufferToBuffer(resolved, 0, readback, 0, STAMP_BYTES);
    const copied = copyAround(encoder, around, readback, STAMP_BYTES);
    this.device.queue.submit([encoder.finish()]);
    await readback.mapAsync(GPUMapMode.READ);
    const bytes = readback.getMappedRange().slice(0);
    readback.unmap();
    this.slots.push(slot);
    const [begin = 0n, end = 0n] = new BigUint64Array(bytes, 0, 2);
    return {
      begin,
      end,
      status: new Uint32Array(bytes, STAMP_BYTES, copied.status / 4),
      more: new Uint32Array(bytes, STAMP_BYTES + STATUS_BYTES, copied.more / 4),
    };
  }

  private slot(): Slot {
    const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const size = STAMP_BYTES + STATUS_BYTES + 4 * MORE_WORDS;
    return {
      queries: this.device.createQuerySet({ type: "timestamp", count: 2 }),
      resolved: this.device.createBuffer({ size: STAMP_BYTES, usage: QUERY_RESOLVE | COPY_SRC }),
      readback: this.device.createBuffer({ size, usage: COPY_DST | MAP_READ }),
    };
  }
}

/**
 * The host's clock, from the submission of a pass until the device says that it has ended: the way there and back is in it.
 * What is read comes in a submission of its own.
 */
class WallTimer implements PassTimer {
  private readonly readbacks: GPUBuffer[] = [];

  constructor(private readonly device: GPUDevice) {}

  async run(record: (pass: GPUComputePassEncoder) => void, around: Around): Promise<Pass> {
    const { device } = this;
    if (around.behind) await device.queue.onSubmittedWorkDone();
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    record(pass);
    pass.end();
    const commands = encoder.finish();
    const begin = performance.now();
    device.queue.submit([commands]);
    await device.queue.onSubmittedWorkDone();
    const ns = 1e6 * (performance.now() - begin);
    if (!around.status && !around.more) return { ns, status: new Uint32Array(), more: new Uint32Array() };
    const readback = this.readbacks.pop() ?? this.readback();
    const copies = device.createCommandEncoder();
    const copied = copyAround(copies, around, readback, 0);
    device.queue.submit([copies.finish()]);
    await readback.mapAsync(GPUMapMode.READ);
    const bytes = readback.getMappedRange().slice(0);
    readback.unmap();
    this.readbacks.push(readback);
    return {
      ns,
      status: new Uint32Array(bytes, 0, copied.status / 4),
      more: new Uint32Array(bytes, STATUS_BYTES, copied.more / 4),
    };
  }

  private readback(): GPUBuffer {
    const { COPY_DST, MAP_READ } = GPUBufferUsage;
    return this.device.createBuffer({ size: STATUS_BYTES + 4 * MORE_WORDS, usage: COPY_DST | MAP_READ });
  }
}

/**
 * Times empty passes and looks at the stamps. "" if the clock can be trusted, else one line: all stamps are multiples of
 * Dawn's quantum (the toggle that switches the rounding off was not understood), or time runs backwards.
 */
export async function checkTimer(device: GPUDevice): Promise<string> {
  const timer = new Timer(device);
  const stamps: bigint[] = [];
  for (let i = 0; i < 8; i++) {
    const { begin, end } = await timer.stamps(() => undefined);
    if (end < begin) return `the GPU's clock runs backwards: a pass began at ${begin} ns and ended at ${end} ns`;
    stamps.push(begin, end);
  }
  if (stamps.every((stamp) => stamp === 0n)) return "the GPU's timestamps are all zero";
  if (stamps.every((stamp) => stamp % QUANTUM_NS === 0n)) {
    return `the GPU's timestamps are rounded to ${QUANTUM_NS} ns, too coarse to time a kernel`;
  }
  return "";
}

/** The clock's tick: the largest number of nanoseconds that divides all durations; 0 if all are 0. */
export function tickOf(durations: readonly number[]): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  return durations.reduce((tick, ns) => divisor(tick, ns), 0);
}

/** Empty passes that tell how coarse a clock is. */
const EMPTY_PASSES = 16;

/** How coarse the clock is that times this device's passes, where it cannot be made finer. Throws GpuError if it tells nothing. */
export async function coarseClock(device: GPUDevice): Promise<CoarseClock> {
  if (!device.features.has("timestamp-query")) {
    const timer = new WallTimer(device);
    const took: number[] = [];
    for (let i = 0; i < EMPTY_PASSES; i++) took.push((await timer.run(() => undefined, ALONE)).ns);
    // The first ones are slower.
    return { kind: "wall", resolutionNs: took.toSorted((a, b) => a - b)[EMPTY_PASSES / 2] ?? 0 };
  }
  const timer = new Timer(device);
  const stamps: bigint[] = [];
  for (let i = 0; i < EMPTY_PASSES; i++) {
    const { begin, end } = await timer.stamps(() => undefined);
    stamps.push(begin, end);
  }
  const resolutionNs = tickOf(stamps.map((stamp) => Number(stamp - (stamps[0] ?? 0n))).map(Math.abs));
  if (resolutionNs === 0) throw new GpuError("the GPU's timestamps stand still");
  return { kind: "timestamps", resolutionNs };
}
