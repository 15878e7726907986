/**
 * GPU timestamps: one begin and one end per timed pass, in nanoseconds. One timed pass a submission, and the device waits
 * before it: Dawn on Vulkan has the begin written at the top of the pipe, so that a pass behind another one in the queue
 * would be stamped while that one still runs.
 */

import type { Pass } from "../../kernels/device/gpu.js";
import { STATUS_BYTES } from "../../kernels/device/status.js";

/** Dawn rounds timestamps to this many nanoseconds unless told not to. */
const QUANTUM_NS = 65536n;

export class Timer {
  private readonly queries: GPUQuerySet;
  private readonly resolved: GPUBuffer;
  private readonly readback: GPUBuffer;

  constructor(private readonly device: GPUDevice) {
    this.queries = device.createQuerySet({ type: "timestamp", count: 2 });
    this.resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
    this.readback = device.createBuffer({
      size: 16 + STATUS_BYTES,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
  }

  /** Records one pass, submits it, waits for it; the status buffer's first words travel back with the stamps. */
  async run(record: (pass: GPUComputePassEncoder) => void, status?: GPUBuffer): Promise<Pass> {
    const { begin, end, status: words } = await this.stamps(record, status);
    return { ns: Number(end - begin), status: words };
  }

  /** The two raw stamps of a pass. */
  async stamps(
    record: (pass: GPUComputePassEncoder) => void,
    status?: GPUBuffer,
  ): Promise<{ begin: bigint; end: bigint; status: Uint32Array }> {
    const encoder = this.device.createCommandEncoder();
    const timestampWrites = { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
    const pass = encoder.beginComputePass({ timestampWrites });
    record(pass);
    pass.end();
    encoder.resolveQuerySet(this.queries, 0, 2, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.readback, 0, 16);
    const said = Math.min(status?.size ?? 0, STATUS_BYTES);
    if (status) encoder.copyBufferToBuffer(status, 0, this.readback, 16, said);
    this.device.queue.submit([encoder.finish()]);
    await this.readback.mapAsync(GPUMapMode.READ);
    const bytes = this.readback.getMappedRange().slice(0);
    this.readback.unmap();
    const [begin = 0n, end = 0n] = new BigUint64Array(bytes, 0, 2);
    return { begin, end, status: new Uint32Array(bytes, 16, said / 4).slice() };
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
