/** The device that tables are written against, on a WebGPU device: buffers, error scopes, running and timing steps. */
import {
  createUniform,
  keptGroups,
  MAP_READ,
  maxBindingOf,
  recordCommands,
  recordSteps,
  stagingDescriptor,
  storageDescriptor,
  tryBuffer,
} from "../../kernels/device/commands.js";
import { DoesNotFit, GpuError } from "../../kernels/device/errors.js";
import type {
  Command,
  DeviceInfo,
  Gpu,
  Kernel,
  KernelSource,
  MemoryKind,
  Pass,
  Step,
  Timed,
} from "../../kernels/device/gpu.js";
import { Clearing } from "./clearing.js";
import { Kernels } from "./kernels.js";
import { waitAnew } from "./polling.js";
import { Spares } from "./spares.js";
import { type PassTimer, passOf, passTimer } from "./timer.js";

const sources = new WeakMap<Kernel, KernelSource>();

/** What a kernel was asked for as, of any device here. */
export function sourceOf(kernel: Kernel): KernelSource | undefined {
  return sources.get(kernel);
}

/** What goes with the next submission. */
interface Deferred {
  encode(encoder: GPUCommandEncoder): void;
  submitted(): void;
  givenUp(): void;
}

/** Where a buffer can lie that is not in the device's memory with large pages. */
interface Place {
  /** Does what makes a buffer, so that it lies there. */
  around<T>(make: () => T): T;
  /** Why no buffer of so many bytes is to be tried now; "" if one may be. */
  lacks?(bytes: number): string;
}

export type Places = Partial<Readonly<Record<Exclude<MemoryKind, "device">, Place>>>;

const NO_HOST_MEMORY =
  "memory of the host takes Dawn in Node on Linux, and the Vulkan layer of bench/device/buffer-memory";

/** What is read back in so few bytes needs no new buffer for it: making one is a wait of its own. */
const SHORT_READ = 4096;

export class WebGpu implements Gpu {
  /** The newest device error outside any scope; checked after every submission. */
  private stray: string | null = null;
  private readonly kernels: Kernels;
  private readonly timer: PassTimer;
  private spares: Spares | null = null;
  private readonly clearing = new Clearing();
  /** For short reads; those that are not in use. */
  private readonly readbacks: GPUBuffer[] = [];
  /** Is told of every kernel in a timed pass. */
  onTimed: ((kernel: Kernel) => void) | null = null;
  /** Frees memory that can be made again, when there is none left; whether there was any to free. */
  onFull: (() => Promise<boolean>) | null = null;
  /** Buffers that are no spares of others. */
  private readonly apart = new WeakSet<GPUBuffer>();
  /** The passes so far that wait for an idle device. */
  private timed: Promise<unknown> = Promise.resolve();
  /** Submissions so far, and how many of them have ended for sure. */
  private submitted = 0;
  private ended = 0;
  private deferred: Deferred[] = [];
  private readonly groupOf: ReturnType<typeof keptGroups>;

  constructor(
    readonly device: GPUDevice,
    readonly info: DeviceInfo,
    private readonly places: Places = {},
  ) {
    this.timer = passTimer(device);
    this.groupOf = keptGroups(device);
    this.kernels = new Kernels(device, (words) => this.uniform(words), !info.software);
    device.onuncapturederror = (event) => {
      this.stray = event.error.message;
    };
  }

  get maxBinding(): number {
    return maxBindingOf(this.device);
  }

  /** What is done around each wait for a kernel, but for counting variants. */
  set compiling(around: <T>(work: () => Promise<T>) => Promise<T>) {
    this.kernels.around = around;
  }

  async alloc(label: string, bytes: number, memory: MemoryKind = this.info.memory ?? "device"): Promise<GPUBuffer> {
    const descriptor = storageDescriptor(label, bytes, this.maxBinding);
    const { size } = descriptor;
    if (memory !== "device") {
      const buffer = await this.create(descriptor, { memory, how: await this.placed(label, size, memory) });
      this.apart.add(buffer);
      return buffer;
    }
    const spare = this.spares?.take(size);
    if (spare) {
      spare.label = label;
      await this.submit([{ buffer: spare, zero: size }]);
      return spare;
    }
    try {
      return await this.create(descriptor);
    } catch (error) {
      this.spares?.refused(size);
      throw error;
    }
  }

  /** What makes a buffer there. Throws DoesNotFit before anything is tried. */
  private async placed(label: string, size: number, memory: Exclude<MemoryKind, "device">) {
    const place = this.places[memory];
    if (memory === "host" && !place) throw new DoesNotFit(`${label}: ${NO_HOST_MEMORY}`);
    // What was freed may not be back yet.
    if (place?.lacks?.(size)) await this.settle();
    const lacks = place?.lacks?.(size);
    if (lacks) throw new DoesNotFit(`${label}: ${lacks}`);
    return <T>(make: () => T): T => place?.around(make) ?? make();
  }

  free(buffer: GPUBuffer): void {
    this.flush();
    if (this.spares && !this.apart.has(buffer)) this.spares.put(buffer);
    else this.discard(buffer);
  }

  private discard(buffer: GPUBuffer): void {
    buffer.destroy();
    this.clearing.free(buffer.size);
  }

  /** From now on keeps what is freed, as far as it fits with what is in use into so many bytes. */
  keepSpares(bytes: number): void {
    this.spares = new Spares(bytes, (buffer) => this.discard(buffer));
  }

  async elsewhere(bytes: number): Promise<() => void> {
    const { spares } = this;
    if (spares?.reserve(bytes)) await this.settle();
    return () => {
      spares?.unreserve(bytes);
      this.clearing.free(bytes);
    };
  }

  uniform(words: readonly number[]): GPUBuffer {
    return createUniform(this.device, words);
  }

  staging(label: string, mode: "read" | "write", bytes: number): Promise<GPUBuffer> {
    return this.create(stagingDescriptor(label, mode, bytes));
  }

  /**
   * @param how does what makes the buffer
   * @param waited whether what had been destroyed by then is gone
   */
  private async create(
    descriptor: GPUBufferDescriptor & { readonly label: string },
    { memory = "device" as MemoryKind, how = <T>(create: () => T): T => create(), waited = false } = {},
  ): Promise<GPUBuffer> {
    const { label, size } = descriptor;
    waitAnew();
    const buffer = await tryBuffer(this.device, () => how(() => this.device.createBuffer(descriptor)));
    if (buffer) return buffer;
    // What is freed there may become a spare first.
    const freed = this.spares?.flush() || (await this.onFull?.());
    if (freed || !waited) {
      await this.settle();
      return this.create(descriptor, { memory, how, waited: true });
    }
    const where = memory === "host" ? "host memory, or the driver gives buffers none," : "device memory";
    throw new DoesNotFit(`${label}: out of ${where} for ${size} bytes`);
  }

  /** Dawn gives the memory of destroyed buffers back once work that is submitted after that has ended. */
  private async settle(): Promise<void> {
    this.enqueue(() => undefined);
    await this.finished();
  }

  async cleared(): Promise<void> {
    if (this.info.software) return;
    if (this.clearing.waits) await this.settle();
    const left = this.clearing.leftMs();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
  }

  write(buffer: GPUBuffer, offsetBytes: number, data: Uint32Array): void {
    // wgpu in Deno ends the process on no data.
    if (data.length > 0) this.device.queue.writeBuffer(buffer, offsetBytes, data as Uint32Array<ArrayBuffer>);
  }

  async finished(): Promise<void> {
    this.flush();
    const { submitted } = this;
    await this.device.queue.onSubmittedWorkDone();
    this.noteEnd(submitted);
  }

  private noteEnd(submission: number): void {
    this.ended = Math.max(this.ended, submission);
    this.clearing.ended(submission);
  }

  private get idle(): boolean {
    return this.ended === this.submitted && this.deferred.length === 0;
  }

  async read(buffer: GPUBuffer, words: number, offset = 0): Promise<Uint32Array> {
    const bytes = words * 4;
    const short = bytes <= SHORT_READ;
    const known = short ? this.readbacks.pop() : undefined;
    const staging = known ?? (await this.staging("readback", "read", short ? SHORT_READ : bytes));
    let kept = false;
    try {
      await this.checked(async () => {
        const submission = this.send([{ from: buffer, fromOffset: offset * 4, to: staging, bytes }]);
        await staging.mapAsync(MAP_READ);
        this.noteEnd(submission);
      });
      kept = short;
      return new Uint32Array(staging.getMappedRange(0, bytes)).slice();
    } finally {
      if (kept) {
        staging.unmap();
        this.readbacks.push(staging);
      } else staging.destroy();
    }
  }

  /** @param ahead nobody waits for it yet */
  async kernel<const Takes extends string>(source: KernelSource<Takes>, ahead = false): Promise<Kernel<Takes>> {
    // One object a request: equal kernels may have been asked for in different ways.
    const kernel = { ...(await this.kernels.get(source, ahead)) } as Kernel<Takes>;
    sources.set(kernel, source);
    return kernel;
  }

  time(...timed: Parameters<Timed>): Promise<Pass> {
    const pass = this.timed.then(async () => {
      if (!this.idle) await this.finished();
      return this.timeNext(...timed);
    });
    this.timed = pass.catch(() => undefined);
    return pass;
  }

  timeNext(...timed: Parameters<Timed>): Promise<Pass> {
    if (this.timer.alone && !this.idle) return this.time(...timed);
    const pass = this.timedPass(...timed);
    return this.checked(async () => {
      const submission = this.enqueue(pass.encode);
      const stamped = await pass.read();
      this.noteEnd(submission);
      return passOf(stamped);
    });
  }

  async timeDeferred(...timed: Parameters<Timed>): Promise<Pass> {
    if (this.timer.alone) return this.time(...timed);
    const { encode, read } = this.timedPass(...timed);
    await new Promise<void>((submitted, reject) => {
      const givenUp = () => reject(new GpuError("what a pass was to be submitted with was not submitted"));
      this.deferred.push({ encode, submitted, givenUp });
    });
    return passOf(await read());
  }

  /** To be encoded before anything else is. */
  private timedPass(...[steps, status, more]: Parameters<Timed>) {
    if (this.onTimed) for (const { kernel } of steps) this.onTimed(kernel);
    return this.timer.pass((pass) => recordSteps(this.device, pass, steps, this.groupOf), {
      behind: !this.idle,
      status,
      more,
    });
  }

  defer(commands: readonly Command[]): Promise<void> {
    return new Promise((done) => {
      const encode = (encoder: GPUCommandEncoder) => recordCommands(this.device, encoder, commands, this.groupOf);
      this.deferred.push({ encode, submitted: done, givenUp: done });
    });
  }

  flush(): void {
    if (this.deferred.length > 0) this.enqueue(() => undefined);
  }

  async run(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0) return;
    await this.checked(async () => {
      this.enqueue((encoder) => {
        const pass = encoder.beginComputePass();
        recordSteps(this.device, pass, steps, this.groupOf);
        pass.end();
      });
    });
  }

  zero(buffer: GPUBuffer): Promise<void> {
    return this.submit([{ buffer, zero: buffer.size }]);
  }

  submit(commands: readonly Command[]): Promise<void> {
    return this.checked(async () => {
      this.send(commands);
    });
  }

  destroy(): void {
    this.device.destroy();
  }

  /** The number of the submission. */
  private send(commands: readonly Command[]): number {
    return this.enqueue((encoder) => recordCommands(this.device, encoder, commands));
  }

  /** Submits what was deferred and then what `encode` writes; the number of the submission. */
  private enqueue(encode: (encoder: GPUCommandEncoder) => void): number {
    const { deferred } = this;
    this.deferred = [];
    waitAnew();
    try {
      const encoder = this.device.createCommandEncoder();
      for (const before of deferred) before.encode(encoder);
      encode(encoder);
      this.device.queue.submit([encoder.finish()]);
    } catch (error) {
      for (const { givenUp } of deferred) givenUp();
      throw error;
    }
    this.submitted += 1;
    this.clearing.submitted(this.submitted);
    for (const { submitted } of deferred) submitted();
    return this.submitted;
  }

  /**
   * Runs `work`, which submits before it first waits, inside an error scope: what WebGPU would only report becomes an exception. What
   * is no error of validation is found as a stray one: a scope more for each takes a sixth of the time of a short pass.
   */
  private async checked<T>(work: () => Promise<T>): Promise<T> {
    const { device } = this;
    device.pushErrorScope("validation");
    waitAnew();
    // The work's own promise may never settle after an error, so the scope is asked first.
    const result = work();
    result.catch(() => undefined);
    const error = await device.popErrorScope();
    if (error) throw new GpuError(error.message.split("\n")[0] ?? "unknown error");
    const value = await result;
    const { stray } = this;
    this.stray = null;
    if (stray !== null) throw new GpuError(stray.split("\n")[0] ?? stray);
    return value;
  }
}
