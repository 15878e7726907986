/**
 * Host rounds: the GPU writes requests, the host answers them from its memory, the GPU goes on, until no request is left. The
 * device's side of the protocol is kernels/common/requests.wgsl.
 */

import { type Gpu, GpuError } from "../../bench/gpu/gpu.js";
import { groupsFor } from "../common/steps.js";

/** Words of a job; its first one is a slot of the table. */
export const JOB_WORDS = 4;
const HEADER_WORDS = 4;
const MAX_GROUPS = 65535;

/** Number of jobs, then the kernel's tallies. */
export type Header = readonly [jobs: number, number, number, number];

/** Buffers of a part in flight, for a kernel's bindings. */
export interface Buffers {
  /** Uniform: first item of the part, and the one after its last. */
  readonly range: GPUBuffer;
  /** Jobs that the host has answered. */
  readonly waiting: GPUBuffer;
  /** Where jobs are requested; its header, zeroed before the dispatch, also serves as a status buffer. */
  readonly asked: GPUBuffer;
  /** The host's answers. */
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
}

/** A dispatch of a part. */
export interface Kernel {
  readonly pipeline: GPUComputePipeline;
  bindings(buffers: Buffers): Readonly<Record<number, GPUBuffer>>;
  /** Items a workgroup takes, where it is not an item a lane. */
  readonly itemsPerGroup?: number;
}

/** Pairs that the first dispatch books slots for: they come to the host with their slots, by item. */
export interface Booking {
  readonly booked: GPUBuffer;
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  store(slots: Uint32Array, keys: Uint32Array, values: Uint32Array): void;
}

/** Requests: `resume` goes on with what `answer` wrote for the jobs. */
export interface Requests {
  readonly resume: Kernel;
  answer(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array): void;
  /** Rounds that no job exceeds. */
  readonly bound: number;
  /** Only keys are sent, no values. */
  readonly keysOnly?: boolean;
}

/** A bulk operation. */
export interface Work {
  readonly ask: Kernel;
  readonly booking?: Booking;
  readonly requests?: Requests;
  /** Sees the header of every dispatch. */
  tally(header: Header): void;
}

/** The buffers and staging memory of one part at a time, of at most `capacity` items. Kept between operations. */
class Lane {
  private readonly range: GPUBuffer;
  private readonly asked: readonly [GPUBuffer, GPUBuffer];
  private readonly keys: GPUBuffer;
  private readonly values: GPUBuffer;
  /** Mapped whenever the host has it. */
  private readonly toHost: GPUBuffer;
  private readonly toGpu: GPUBuffer;
  /** The mapped words of `toGpu`. */
  private answers: Uint32Array;

  private constructor(
    private readonly gpu: Gpu,
    private readonly capacity: number,
    private readonly keyBytes: number,
    private readonly valueBytes: number,
    storage: readonly [GPUBuffer, GPUBuffer, GPUBuffer, GPUBuffer],
  ) {
    const [a, b, keys, values] = storage;
    this.asked = [a, b];
    this.keys = keys;
    this.values = values;
    this.range = gpu.uniform([0, 0]);
    const read = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const write = GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC;
    const pair = keyBytes + valueBytes;
    const requestBytes = HEADER_WORDS * 4 + capacity * (JOB_WORDS * 4 + 4 + pair);
    this.toHost = gpu.device.createBuffer({ label: "to the host", size: requestBytes, usage: read });
    const size = Math.max(16, capacity * pair);
    this.toGpu = gpu.device.createBuffer({ label: "to the GPU", size, usage: write, mappedAtCreation: true });
    this.answers = new Uint32Array(this.toGpu.getMappedRange());
  }

  static async make(gpu: Gpu, capacity: number, keyBytes: number, valueBytes: number): Promise<Lane> {
    const jobs = () => gpu.alloc("requests", (HEADER_WORDS + capacity * JOB_WORDS) * 4);
    const [a, b] = [await jobs(), await jobs()];
    const [keys, values] = [
      await gpu.alloc("answered keys", capacity * keyBytes),
      await gpu.alloc("answered values", capacity * valueBytes),
    ];
    return new Lane(gpu, capacity, keyBytes, valueBytes, [a, b, keys, values]);
  }

  /** Items first … first + count - 1. How many trips to the host it took. */
  async part(work: Work, first: number, count: number): Promise<number> {
    const { gpu } = this;
    gpu.write(this.range, 0, Uint32Array.of(first, first + count));
    const perGroup = work.ask.itemsPerGroup;
    this.submit(work, 0, work.ask, perGroup ? Math.ceil(count / perGroup) : groupsFor(count), { first, count });
    await this.toHost.mapAsync(GPUMapMode.READ);
    let jobs = this.receive(work, count, true);
    let trips = work.booking || jobs > 0 ? 1 : 0;
    if (!work.requests) return trips;
    // Dispatches take turns with the two lists of requests.
    for (let turn = 1; jobs > 0; turn++) {
      if (turn > work.requests.bound) throw new Error(`${jobs} requests are left after ${work.requests.bound} rounds`);
      this.submit(work, turn, work.requests.resume, groupsFor(jobs), { first: 0, count: jobs });
      await Promise.all([this.toHost.mapAsync(GPUMapMode.READ), this.toGpu.mapAsync(GPUMapMode.WRITE)]);
      this.answers = new Uint32Array(this.toGpu.getMappedRange());
      jobs = this.receive(work, jobs, false);
      if (jobs > 0) trips++;
    }
    return trips;
  }

  /** Sends answers, if it is not the first turn, dispatches, and lets the requests and booked pairs come back. */
  private submit(
    work: Work,
    turn: number,
    kernel: Kernel,
    groups: number,
    { first, count }: { first: number; count: number },
  ): void {
    const { device } = this.gpu;
    const [asked, waiting] = turn % 2 === 0 ? this.asked : [this.asked[1], this.asked[0]];
    const encoder = device.createCommandEncoder();
    if (turn > 0) this.sendAnswers(encoder, count, work.requests?.keysOnly === true);
    encoder.clearBuffer(asked, 0, HEADER_WORDS * 4);
    const { range, keys, values } = this;
    const bindings = kernel.bindings({ range, waiting, asked, keys, values });
    const entries = Object.entries(bindings).map(([binding, buffer]) => ({
      binding: Number(binding),
      resource: { buffer },
    }));
    const pass = encoder.beginComputePass();
    pass.setPipeline(kernel.pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: kernel.pipeline.getBindGroupLayout(0), entries }));
    const x = Math.min(groups, MAX_GROUPS);
    pass.dispatchWorkgroups(x, Math.ceil(groups / x));
    pass.end();
    const jobBytes = (HEADER_WORDS + (work.requests ? count * JOB_WORDS : 0)) * 4;
    encoder.copyBufferToBuffer(asked, 0, this.toHost, 0, jobBytes);
    if (turn === 0 && work.booking) {
      const { booked, keys: pairKeys, values: pairValues } = work.booking;
      let at = jobBytes;
      const copy = (from: GPUBuffer, bytes: number): void => {
        encoder.copyBufferToBuffer(from, first * bytes, this.toHost, at, count * bytes);
        at += count * bytes;
      };
      copy(booked, 4);
      copy(pairKeys, this.keyBytes);
      copy(pairValues, this.valueBytes);
    }
    device.queue.submit([encoder.finish()]);
  }

  private sendAnswers(encoder: GPUCommandEncoder, count: number, keysOnly: boolean): void {
    const { toGpu, keys, values, keyBytes, valueBytes } = this;
    toGpu.unmap();
    encoder.copyBufferToBuffer(toGpu, 0, keys, 0, count * keyBytes);
    if (!keysOnly) encoder.copyBufferToBuffer(toGpu, this.capacity * keyBytes, values, 0, count * valueBytes);
  }

  /** The host's part of a trip. Returns the number of jobs. */
  private receive(work: Work, count: number, booking: boolean): number {
    const words = new Uint32Array(this.toHost.getMappedRange());
    const header: Header = [words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0];
    work.tally(header);
    const [jobs] = work.requests ? header : [0];
    const [keyWords, valueWords] = [this.keyBytes / 4, this.valueBytes / 4];
    if (booking && work.booking) {
      let at = HEADER_WORDS + (work.requests ? count * JOB_WORDS : 0);
      const next = (length: number): Uint32Array => {
        at += length;
        return words.subarray(at - length, at);
      };
      work.booking.store(next(count), next(count * keyWords), next(count * valueWords));
    }
    if (work.requests && jobs > 0) {
      const { answers } = this;
      const keys = answers.subarray(0, jobs * keyWords);
      const at = this.capacity * keyWords;
      const values = answers.subarray(at, work.requests.keysOnly ? at : at + jobs * valueWords);
      work.requests.answer(words.subarray(HEADER_WORDS, HEADER_WORDS + jobs * JOB_WORDS), keys, values);
    }
    this.toHost.unmap();
    return jobs;
  }

  destroy(): void {
    const { range, asked, keys, values, toHost, toGpu } = this;
    for (const buffer of [range, ...asked, keys, values, toHost, toGpu]) buffer.destroy();
  }
}

/** Parts in flight at a time: while the host serves one, the GPU works on the others. */
const LANES = 3;
/** Items of a part, at most. */
const MAX_PART = 2 ** 18;
/** Parts of an operation, at least, so that host and GPU work at the same time. */
const MIN_PARTS = 4;

function capacityFor(n: number): number {
  return Math.min(MAX_PART, Math.ceil(n / MIN_PARTS));
}

/** Bytes of buffers and staging memory for operations of about `n` items, with pairs of so many bytes; for planning. */
export function roundsBytes(n: number, pairBytes: number): number {
  return LANES * capacityFor(n) * (3 * JOB_WORDS * 4 + 4 + 3 * pairBytes);
}

/** Performs bulk operations in parts. Not reentrant. */
export class Rounds {
  private constructor(
    private readonly gpu: Gpu,
    private readonly capacity: number,
    private readonly lanes: readonly Lane[],
  ) {}

  /** For operations of about `n` items; a key and a value have the given bytes. Throws DoesNotFit. */
  static async make(gpu: Gpu, n: number, keyBytes: number, valueBytes: number): Promise<Rounds> {
    const capacity = capacityFor(n);
    const lanes: Lane[] = [];
    try {
      for (let i = 0; i < LANES; i++) lanes.push(await Lane.make(gpu, capacity, keyBytes, valueBytes));
    } catch (error) {
      for (const lane of lanes) lane.destroy();
      throw error;
    }
    return new Rounds(gpu, capacity, lanes);
  }

  /**
   * Items first … first + n - 1 in parts, several at a time. Returns the most trips that a part took.
   * Throws GpuError on any error of the device, or an Error if requests do not end.
   */
  run(work: Work, first: number, n: number): Promise<number> {
    return this.checked(async () => {
      const end = first + n;
      let next = first;
      let most = 0;
      const lane = async (one: Lane): Promise<void> => {
        while (next < end) {
          const at = next;
          next += this.capacity;
          most = Math.max(most, await one.part(work, at, Math.min(this.capacity, end - at)));
        }
      };
      await Promise.all(this.lanes.map(lane));
      return most;
    });
  }

  /** What WebGPU would only report becomes an exception. */
  private async checked<T>(work: () => Promise<T>): Promise<T> {
    const { device } = this.gpu;
    const filters = ["internal", "out-of-memory", "validation"] as const;
    for (const filter of filters) device.pushErrorScope(filter);
    const outcome = await work().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const errors: (GPUError | null)[] = [];
    for (const _ of filters) errors.push(await device.popErrorScope());
    const error = errors.find((one) => one !== null);
    if (error) throw new GpuError(error.message.split("\n")[0] ?? "unknown error");
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  destroy(): void {
    for (const lane of this.lanes) lane.destroy();
  }
}

/** Wall time in nanoseconds. */
export async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return Math.max(1, (performance.now() - begin) * 1e6);
}
