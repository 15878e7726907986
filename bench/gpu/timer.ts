/**
 * GPU timestamps: one begin and one end per timed pass, in nanoseconds. Dawn on Vulkan has a pass's begin written at the top of the
 * pipe, so that one behind others in the queue would be stamped while these still run, and its end once all before it has ended. So
 * the begin of a pass that has others before it is the end of an empty pass between them.
 */

import { MORE_WORDS, type Pass, type Timed } from "../../kernels/device/gpu.js";
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
  readonly status?: Parameters<Timed>[1];
  readonly more?: Parameters<Timed>[2];
}

interface Stamped extends Omit<Pass, "ns"> {
  /** In nanoseconds. */
  readonly begin: bigint;
  readonly end: bigint;
}

/** A timed pass that is yet to be submitted. */
export interface TimedPass {
  encode(encoder: GPUCommandEncoder): void;
  /** Waits for it; what is read travels back with the stamps. Once, after it was submitted. */
  read(): Promise<Stamped>;
}

/** What it took, and what it left. */
export function passOf({ begin, end, status, more }: Stamped): Pass {
  return { ns: Number(end - begin), status, more };
}

export class Timer {
  /** Those that no pass uses. */
  private readonly slots: Slot[] = [];

  constructor(private readonly device: GPUDevice) {}

  pass(record: (pass: GPUComputePassEncoder) => void, { behind, status, more }: Around): TimedPass {
    const slot = this.slots.pop() ?? this.slot();
    const { queries: querySet, resolved, readback } = slot;
    const statusBytes = Math.min(status?.size ?? 0, STATUS_BYTES);
    const moreBytes = Math.min(more?.size ?? 0, 4 * MORE_WORDS);
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
        if (status) {
          encoder.copyBufferToBuffer(status, 0, readback, STAMP_BYTES, statusBytes);
          encoder.clearBuffer(status);
        }
        if (more) encoder.copyBufferToBuffer(more, 0, readback, STAMP_BYTES + STATUS_BYTES, moreBytes);
      },
      read: async () => {
        await readback.mapAsync(GPUMapMode.READ);
        const bytes = readback.getMappedRange().slice(0);
        readback.unmap();
        this.slots.push(slot);
        const [begin = 0n, end = 0n] = new BigUint64Array(bytes, 0, 2);
        return {
          begin,
          end,
          status: new Uint32Array(bytes, STAMP_BYTES, statusBytes / 4),
          more: new Uint32Array(bytes, STAMP_BYTES + STATUS_BYTES, moreBytes / 4),
        };
      },
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
 * Times empty passes and looks at the stamps. "" if the clock can be trusted, else one line: all stamps are multiples of
 * Dawn's quantum (the toggle that switches the rounding off was not understood), or time runs backwards.
 */
export async function checkTimer(device: GPUDevice): Promise<string> {
  const timer = new Timer(device);
  const stamps: bigint[] = [];
  for (let i = 0; i < 8; i++) {
    const pass = timer.pass(() => undefined, { behind: false });
    const encoder = device.createCommandEncoder();
    pass.encode(encoder);
    device.queue.submit([encoder.finish()]);
    const { begin, end } = await pass.read();
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
