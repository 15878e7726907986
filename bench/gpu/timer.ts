/**
 * GPU timestamps: one begin and one end per timed pass, in nanoseconds. Dawn on Vulkan has a pass's begin written at the top of the
 * pipe, so that one behind others in the queue would be stamped while these still run, and its end once all before it has ended. So
 * the begin of a pass that has others before it is the end of an empty pass between them.
 */

import { AFTER_BYTES, copiesAfter, type ReadAfter, readAfter, recordCommands } from "../../kernels/device/commands.js";
import { GpuError } from "../../kernels/device/errors.js";
import type { CoarseClock, Pass } from "../../kernels/device/gpu.js";

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
interface Around extends ReadAfter {
  /** Others may still run. */
  readonly behind: boolean;
}

interface Stamped extends Omit<Pass, "ns"> {
  /** In nanoseconds. */
  readonly begin: bigint;
  readonly end: bigint;
}

/** A timed pass that is yet to be submitted. */
interface TimedPass {
  encode(encoder: GPUCommandEncoder): void;
  /** Waits for it; what is read travels back with the stamps. Once, after it was submitted. */
  read(): Promise<Stamped>;
}

/** What it took, and what it left. */
export function passOf({ begin, end, status, more }: Stamped): Pass {
  return { ns: Number(end - begin), status, more };
}

/** What times passes. */
export interface PassTimer {
  /** Whether a pass is to be submitted by itself, to an idle device: what is submitted with it would be in its time. */
  readonly alone: boolean;
  pass(record: (pass: GPUComputePassEncoder) => void, around: Around): TimedPass;
}

/** By the GPU's timestamps, or by the host's clock on a device without them. */
export function passTimer(device: GPUDevice): PassTimer {
  return device.features.has("timestamp-query") ? new Timer(device) : new WallTimer(device);
}

async function mapped(readback: GPUBuffer): Promise<ArrayBuffer> {
  await readback.mapAsync(GPUMapMode.READ);
  const bytes = readback.getMappedRange().slice(0);
  readback.unmap();
  return bytes;
}

class Timer implements PassTimer {
  readonly alone = false;
  /** Those that no pass uses. */
  private readonly slots: Slot[] = [];

  constructor(private readonly device: GPUDevice) {}

  pass(record: (pass: GPUComputePassEncoder) => void, around: Around): TimedPass {
    const { behind } = around;
    const slot = this.slots.pop() ?? this.slot();
    const { queries: querySet, resolved, readback } = slot;
    return {
      encode: (encoder) => {
        if (behind) encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 0 } }).end();
        const pass = encoder.beginComputePass({
          timestampWrites: { querySet, ...(!behind && { beginningOfPassWriteIndex: 0 }), endOfPassWriteIndex: 1 },
        });
        record(pass);
        pass.end();
        encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
        encoder.copyBufferToBuffer(resolved, 0, readback, 0, STAMP_BYTES);
        recordCommands(this.device, encoder, copiesAfter(around, readback, STAMP_BYTES));
      },
      read: async () => {
        const bytes = await mapped(readback);
        this.slots.push(slot);
        const [begin = 0n, end = 0n] = new BigUint64Array(bytes, 0, 2);
        return { begin, end, ...readAfter(around, bytes, STAMP_BYTES) };
      },
    };
  }

  private slot(): Slot {
    const { QUERY_RESOLVE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
    const size = STAMP_BYTES + AFTER_BYTES;
    return {
      queries: this.device.createQuerySet({ type: "timestamp", count: 2 }),
      resolved: this.device.createBuffer({ size: STAMP_BYTES, usage: QUERY_RESOLVE | COPY_SRC }),
      readback: this.device.createBuffer({ size, usage: COPY_DST | MAP_READ }),
    };
  }
}

/**
 * The host's clock, from when a pass is written down, which is when it is submitted, until the device says that it has ended: the way there
 * and back is in it, and a copy of a few bytes.
 */
class WallTimer implements PassTimer {
  readonly alone = true;
  private readonly readbacks: GPUBuffer[] = [];

  constructor(private readonly device: GPUDevice) {}

  pass(record: (pass: GPUComputePassEncoder) => void, around: Around): TimedPass {
    const readback = this.readbacks.pop() ?? this.readback();
    let begin = 0;
    return {
      encode: (encoder) => {
        const pass = encoder.beginComputePass();
        record(pass);
        pass.end();
        recordCommands(this.device, encoder, copiesAfter(around, readback, 0));
        begin = performance.now();
      },
      read: async () => {
        await this.device.queue.onSubmittedWorkDone();
        const end = performance.now();
        const bytes = await mapped(readback);
        this.readbacks.push(readback);
        const ns = (ms: number) => BigInt(Math.round(1e6 * ms));
        return { begin: ns(begin), end: ns(end), ...readAfter(around, bytes, 0) };
      },
    };
  }

  private readback(): GPUBuffer {
    const { COPY_DST, MAP_READ } = GPUBufferUsage;
    return this.device.createBuffer({ size: AFTER_BYTES, usage: COPY_DST | MAP_READ });
  }
}

/**
 * Times empty passes and looks at the stamps. "" if the clock can be trusted, else one line: all stamps are multiples of
 * Dawn's quantum (the toggle that switches the rounding off was not understood), or time runs backwards.
 */
export async function checkTimer(device: GPUDevice): Promise<string> {
  const stamps: bigint[] = [];
  for (const { begin, end } of await emptyPasses(device, new Timer(device), 8)) {
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

/** The two raw stamps of each of so many empty passes. */
async function emptyPasses(device: GPUDevice, timer: PassTimer, count: number): Promise<Stamped[]> {
  const stamps: Stamped[] = [];
  for (let i = 0; i < count; i++) {
    const encoder = device.createCommandEncoder();
    const pass = timer.pass(() => undefined, { behind: false });
    pass.encode(encoder);
    device.queue.submit([encoder.finish()]);
    stamps.push(await pass.read());
  }
  return stamps;
}

/** How coarse the clock is that times this device's passes, where it cannot be made finer. Throws GpuError if it tells nothing. */
export async function coarseClock(device: GPUDevice): Promise<CoarseClock> {
  const timer = passTimer(device);
  const passes = await emptyPasses(device, timer, EMPTY_PASSES);
  if (timer instanceof WallTimer) {
    const took = passes.map((pass) => passOf(pass).ns).sort((a, b) => a - b);
    // The first ones are slower.
    return { kind: "wall", resolutionNs: took[EMPTY_PASSES / 2] ?? 0 };
  }
  const first = passes[0]?.begin ?? 0n;
  const resolutionNs = tickOf(
    passes.flatMap(({ begin, end }) => [begin, end]).map((one) => Math.abs(Number(one - first))),
  );
  if (resolutionNs === 0) throw new GpuError("the GPU's timestamps stand still");
  return { kind: "timestamps", resolutionNs };
}
