/**
 * Host rounds: the GPU writes requests, the host answers them from its memory, the GPU goes on, until no request is left. The
 * device's side of the protocol is kernels/common/requests.wgsl.
 */

import { groupsFor } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Binding, Bindings, Command, Gpu, Kernel } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { STATUS_WORDS, type StatusWords, statusOf } from "../device/status.js";

/** Words of a job; its first one is a slot of the table. */
export const JOB_WORDS = 4;
/** The status, the number of jobs, and what aligns the jobs. */
const HEADER_WORDS = STATUS_WORDS.length + 4;

/** What kernels bind of a part in flight, by the names that they have for it. */
interface PartBindings {
  /** The first item of the part, and the one after its last. */
  readonly range: Binding;
  /** Where jobs are requested; its header is zeroed before the dispatch. */
  readonly asked: GPUBuffer;
  /** The same, of which a kernel without requests takes the status. */
  readonly status: GPUBuffer;
  /** Jobs that the host has answered. */
  readonly waiting: GPUBuffer;
  /** The host's answers. */
  readonly found_keys: GPUBuffer;
  readonly found_values: GPUBuffer;
}

export type PartName = keyof PartBindings;

/** A dispatch of a part. */
export interface Dispatch {
  /** Its `takes` are names of `PartBindings` and of `own`. */
  readonly kernel: Kernel;
  /** What else each dispatch binds. Default: nothing. */
  own?(): Bindings;
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
interface Requests {
  readonly resume: Dispatch;
  answer(jobs: Uint32Array, keys: Uint32Array, values: Uint32Array): void;
  /** Rounds that no job exceeds. */
  readonly bound: number;
  /** Only keys are sent, no values. */
  readonly keysOnly?: boolean;
}

/** A bulk operation. */
export interface Work {
  readonly ask: Dispatch;
  readonly booking?: Booking;
  readonly requests?: Requests;
  /** Sees the status of every dispatch. Left out: it is not looked at. */
  tally?(status: StatusWords): void;
}

/** Staging memory and buffers of a part. */
interface Room {
  /** Uniform: see `PartBindings`. */
  readonly range: GPUBuffer;
  readonly asked: readonly [GPUBuffer, GPUBuffer];
  readonly keys: GPUBuffer;
  readonly values: GPUBuffer;
  /** Mapped whenever the host has it. */
  readonly toHost: GPUBuffer;
  readonly toGpu: GPUBuffer;
}

async function roomFor(gpu: Owner, capacity: number, keyBytes: number, valueBytes: number): Promise<Room> {
  const pair = keyBytes + valueBytes;
  const jobBytes = (HEADER_WORDS + capacity * JOB_WORDS) * 4;
  return {
    range: gpu.uniform([0, 0]),
    asked: [await gpu.alloc("requests", jobBytes), await gpu.alloc("requests", jobBytes)],
    keys: await gpu.alloc("answered keys", capacity * keyBytes),
    values: await gpu.alloc("answered values", capacity * valueBytes),
    toHost: await gpu.staging("to the host", "read", jobBytes + capacity * (4 + pair)),
    toGpu: await gpu.staging("to the GPU", "write", capacity * pair),
  };
}

function taken({ takes = [] }: Kernel, part: PartBindings): Bindings {
  return Object.fromEntries(Object.entries(part).filter(([name]) => takes.includes(name)));
}

/** One part in flight at a time, of at most `capacity` items. Its memory is kept between operations. */
class Flight {
  /** The mapped words of `toGpu`. */
  private answers: Uint32Array;

  private constructor(
    private readonly gpu: Gpu,
    private readonly capacity: number,
    private readonly keyBytes: number,
    private readonly valueBytes: number,
    private readonly room: Room,
  ) {
    this.answers = new Uint32Array(room.toGpu.getMappedRange());
  }

  static async make(gpu: Owner, capacity: number, keyBytes: number, valueBytes: number): Promise<Flight> {
    return new Flight(gpu, capacity, keyBytes, valueBytes, await roomFor(gpu, capacity, keyBytes, valueBytes));
  }

  /** Items first … first + count - 1. How many trips to the host it took. */
  async part(work: Work, first: number, count: number): Promise<number> {
    const { gpu } = this;
    const { range, toHost, toGpu } = this.room;
    gpu.write(range, 0, Uint32Array.of(first, first + count));
    const perGroup = work.ask.itemsPerGroup;
    const groups = perGroup ? Math.ceil(count / perGroup) : groupsFor(count);
    await Promise.all([this.submit(work, 0, work.ask, groups, { first, count }), toHost.mapAsync(GPUMapMode.READ)]);
    let jobs = this.receive(work, count, true);
    let trips = work.booking || jobs > 0 ? 1 : 0;
    if (!work.requests) return trips;
    // Dispatches take turns with the two lists of requests.
    for (let turn = 1; jobs > 0; turn++) {
      if (turn > work.requests.bound) throw new Error(`${jobs} requests are left after ${work.requests.bound} rounds`);
      const submitted = this.submit(work, turn, work.requests.resume, groupsFor(jobs), { first: 0, count: jobs });
      await Promise.all([submitted, toHost.mapAsync(GPUMapMode.READ), toGpu.mapAsync(GPUMapMode.WRITE)]);
      this.answers = new Uint32Array(toGpu.getMappedRange());
      jobs = this.receive(work, jobs, false);
      if (jobs > 0) trips++;
    }
    return trips;
  }

  /** Sends answers, if it is not the first turn, dispatches, and lets the requests and booked pairs come back. */
  private submit(
    work: Work,
    turn: number,
    { kernel, own }: Dispatch,
    groups: number,
    { first, count }: { first: number; count: number },
  ): Promise<void> {
    const { range, keys, values, toHost } = this.room;
    const [asked, waiting] = turn % 2 === 0 ? this.room.asked : [this.room.asked[1], this.room.asked[0]];
    const part = { range, waiting, asked, status: asked, found_keys: keys, found_values: values };
    const jobBytes = (HEADER_WORDS + (work.requests ? count * JOB_WORDS : 0)) * 4;
    const commands: Command[] = [
      ...(turn > 0 ? this.answered(count, work.requests?.keysOnly === true) : []),
      { buffer: asked, zero: HEADER_WORDS * 4 },
      dispatch(kernel, groups, { ...taken(kernel, part), ...own?.() }),
      { from: asked, to: toHost, bytes: jobBytes },
    ];
    if (turn === 0 && work.booking) {
      const { booked, keys: pairKeys, values: pairValues } = work.booking;
      let at = jobBytes;
      const copy = (from: GPUBuffer, bytes: number): void => {
        commands.push({ from, fromOffset: first * bytes, to: toHost, toOffset: at, bytes: count * bytes });
        at += count * bytes;
      };
      copy(booked, 4);
      copy(pairKeys, this.keyBytes);
      copy(pairValues, this.valueBytes);
    }
    return this.gpu.submit(commands);
  }

  /** The copies that bring the host's answers to the device. */
  private answered(count: number, keysOnly: boolean): Command[] {
    const { toGpu, keys, values } = this.room;
    const { keyBytes, valueBytes } = this;
    toGpu.unmap();
    const first = { from: toGpu, to: keys, bytes: count * keyBytes };
    const fromOffset = this.capacity * keyBytes;
    return keysOnly ? [first] : [first, { from: toGpu, fromOffset, to: values, bytes: count * valueBytes }];
  }

  /** The host's part of a trip. Returns the number of jobs. */
  private receive(work: Work, count: number, booking: boolean): number {
    const words = new Uint32Array(this.room.toHost.getMappedRange());
    work.tally?.(statusOf(words));
    const jobs = work.requests ? (words[STATUS_WORDS.length] ?? 0) : 0;
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
    this.room.toHost.unmap();
    return jobs;
  }
}

/** Parts in flight at a time: while the host serves one, the GPU works on the others. */
const FLIGHTS = 3;
/** Items of a part, at most; and at least, also of tables that were made for none. */
const MAX_PART = 2 ** 18;
const LEAST_PART = 2 ** 6;
/** Parts of an operation, at least, so that host and GPU work at the same time. */
const MIN_PARTS = 4;

function capacityFor(n: number): number {
  return Math.min(MAX_PART, Math.max(LEAST_PART, Math.ceil(n / MIN_PARTS)));
}

/** Bytes of buffers and staging memory for operations of about `n` items, with pairs of so many bytes; for planning. */
export function roundsBytes(n: number, pairBytes: number): number {
  return FLIGHTS * capacityFor(n) * (3 * JOB_WORDS * 4 + 4 + 3 * pairBytes);
}

/** Performs bulk operations in parts. Not reentrant. */
export class Rounds {
  private constructor(
    private readonly capacity: number,
    private readonly flights: readonly Flight[],
  ) {}

  /** For operations of about `n` items; a key and a value have the given bytes. Throws DoesNotFit. */
  static async make(gpu: Owner, n: number, keyBytes: number, valueBytes: number): Promise<Rounds> {
    const capacity = capacityFor(n);
    const flights: Flight[] = [];
    for (let i = 0; i < FLIGHTS; i++) flights.push(await Flight.make(gpu, capacity, keyBytes, valueBytes));
    return new Rounds(capacity, flights);
  }

  /**
   * Items first … first + n - 1 in parts, several at a time. Returns the most trips that a part took.
   * Throws GpuError on any error of the device, or an Error if requests do not end.
   */
  async run(work: Work, first: number, n: number): Promise<number> {
    const end = first + n;
    let next = first;
    let most = 0;
    const serve = async (flight: Flight): Promise<void> => {
      while (next < end) {
        const at = next;
        next += this.capacity;
        const trips = await flight.part(work, at, Math.min(this.capacity, end - at));
        most = Math.max(most, trips);
      }
    };
    await Promise.all(this.flights.map(serve));
    return most;
  }
}

/** Wall time in nanoseconds, from when the device is idle. */
export async function timed(gpu: Gpu, work: () => Promise<void>): Promise<number> {
  await gpu.finished();
  const begin = performance.now();
  await work();
  return Math.max(1, (performance.now() - begin) * 1e6);
}
