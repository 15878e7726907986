/**
 * GPU timestamps: one begin and one end per timed pass, in nanoseconds. Dawn on Vulkan has a pass's begin written at the top of the
 * pipe. One behind others in the queue would be stamped while these still run. Its end is written once all before it has ended. So
 * the begin of a pass that has others before it is the end of an empty pass between them, where empty passes have stamps.
 *
 * Stamps may be wrong: the specification lets them jump back, and such passes be ignored. What cannot be is no time, but NaN.
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
  /** Of the host's clock around it; left out where that is what times it. */
  readonly wallNs?: number;
}

/** A timed pass that is yet to be submitted. */
interface TimedPass {
  encode(encoder: GPUCommandEncoder): void;
  /** Waits for it; what is read travels back with the stamps. Once, after it was submitted. */
  read(): Promise<Stamped>;
}

/** By how much a pass may be longer than the host saw it under way: the two clocks are not one, and the GPU's may be coarse. */
const BEYOND_WALL = { share: 0.05, ns: 1e6 };

/** Why stamps tell no time; "" if they do. */
export function wrongStamps({ begin, end, wallNs = Number.POSITIVE_INFINITY }: Stamped): string {
  if (begin === 0n || end === 0n) return "a timestamp is 0";
  const ns = Number(end - begin);
  if (ns < 0) return `a pass ended ${-ns} ns before it began`;
  const most = wallNs * (1 + BEYOND_WALL.share) + BEYOND_WALL.ns;
  return ns > most ? `a pass of ${ns} ns was under way for ${Math.round(wallNs)} ns` : "";
}

/** Of the last pass that has no time. */
let wrong = "its passes have no time";

/** Why the last pass of this process that has no time has none. */
export function whyUntimed(): string {
  return wrong;
}

/** What it took, and what it left; NaN where its stamps are wrong. */
export function passOf(stamped: Stamped): Pass {
  const { begin, end, status, more } = stamped;
  const why = wrongStamps(stamped);
  if (why !== "") wrong = why;
  return { ns: why === "" ? Number(end - begin) : Number.NaN, status, more };
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

/** So many empty passes in a row without a stamp mean that none has: Metal is reported to write 0 for them. One is a bad stamp. */
const UNSTAMPED = 3;

class Timer implements PassTimer {
  readonly alone = false;
  /** Those that no pass uses. */
  private readonly slots: Slot[] = [];
  /** Empty passes without a stamp, one after another. */
  private unstamped = 0;

  constructor(private readonly device: GPUDevice) {}

  pass(record: (pass: GPUComputePassEncoder) => void, around: Around): TimedPass {
    const behind = around.behind && this.unstamped < UNSTAMPED;
    const slot = this.slots.pop() ?? this.slot();
    const { queries: querySet, resolved, readback } = slot;
    let began = 0;
    return {
      encode: (encoder) => {
        began = performance.now();
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
        if (behind && end > 0n) this.unstamped = begin === 0n ? this.unstamped + 1 : 0;
        return { begin, end, wallNs: 1e6 * (performance.now() - began), ...readAfter(around, bytes, STAMP_BYTES) };
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
 * The host's clock, from when a pass is written down, which is when it is submitted, until the device says that it has ended. The way there
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
 * Times short passes and looks at the stamps. "" if the clock can be trusted, else one line: all stamps are multiples of
 * Dawn's quantum (the toggle that switches the rounding off was not understood), or most are wrong.
 */
export async function checkTimer(device: GPUDevice): Promise<string> {
  const passes = await shortPasses(device, new Timer(device), CHECKED);
  const wrong = passes.map(wrongStamps).filter((why) => why !== "");
  if (wrong.length > CHECKED / 2) return `the GPU's timestamps cannot be used: ${wrong[0]}`;
  const stamps = passes.flatMap(({ begin, end }) => [begin, end]);
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

/** Short passes that tell whether a clock can be used, and how coarse it is. */
const CHECKED = 8;
const SHORT_PASSES = 16;
/** Does something: of a pass that is empty some devices have no stamps. */
const SHORT =
  "@group(0) @binding(0) var<storage, read_write> word: u32; @compute @workgroup_size(1) fn main() { word += 1u; }";

/** The two raw stamps of each of so many short passes. */
async function shortPasses(device: GPUDevice, timer: PassTimer, count: number): Promise<Stamped[]> {
  const compute = { module: device.createShaderModule({ code: SHORT }) };
  const pipeline = device.createComputePipeline({ layout: "auto", compute });
  const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE });
  const entries = [{ binding: 0, resource: { buffer } }];
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  const stamps: Stamped[] = [];
  for (let i = 0; i < count; i++) {
    const encoder = device.createCommandEncoder();
    const record = (pass: GPUComputePassEncoder) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
    };
    const pass = timer.pass(record, { behind: false });
    pass.encode(encoder);
    device.queue.submit([encoder.finish()]);
    stamps.push(await pass.read());
  }
  buffer.destroy();
  return stamps;
}

/** How coarse the clock is that times this device's passes, where it cannot be made finer. Throws GpuError if it tells nothing. */
export async function coarseClock(device: GPUDevice): Promise<CoarseClock> {
  const timer = passTimer(device);
  const passes = (await shortPasses(device, timer, SHORT_PASSES)).filter((pass) => wrongStamps(pass) === "");
  if (passes.length === 0) throw new GpuError("the GPU's timestamps are wrong");
  if (timer instanceof WallTimer) {
    const took = passes.map((pass) => passOf(pass).ns).sort((a, b) => a - b);
    // The first ones are slower.
    return { kind: "wall", resolutionNs: took[Math.floor(took.length / 2)] ?? 0 };
  }
  const first = passes[0]?.begin ?? 0n;
  const resolutionNs = tickOf(
    passes.flatMap(({ begin, end }) => [begin, end]).map((one) => Math.abs(Number(one - first))),
  );
  if (resolutionNs === 0) throw new GpuError("the GPU's timestamps stand still");
  return { kind: "timestamps", resolutionNs };
}
