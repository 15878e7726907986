/** A device of the user's, as tables see it (device/gpu.ts): untimed, and without a word to the device's own error handler. */
import {
  AFTER_BYTES,
  copiesAfter,
  createUniform,
  MAP_READ,
  maxBindingOf,
  readAfter,
  recordCommands,
  recordSteps,
  stagingDescriptor,
  storageDescriptor,
  tryBuffer,
} from "../device/commands.js";
import { DeviceLost, DoesNotFit, GpuError } from "../device/errors.js";
import type { Capabilities, Command, Gpu, Kernel, KernelSource, Pass, Step, Timed } from "../device/gpu.js";
import { subgroupSizes } from "../device/subgroups.js";
import type { KernelFile } from "./link.js";
import { makeKernel } from "./pipelines.js";

export class UserDevice implements Gpu {
  readonly info: Capabilities;
  readonly maxBinding: number;
  private lost: DeviceLost | null = null;
  /** Readback buffers that no pass uses. */
  private readonly readbacks: GPUBuffer[] = [];
  /** Uniforms, by their words. */
  private readonly constants = new Map<string, GPUBuffer>();
  private readonly held = new Set<GPUBuffer>();
  private ended = false;

  /** @param label what the table is called in captures of the device and in messages */
  constructor(
    readonly device: GPUDevice,
    readonly kernels: readonly KernelFile[],
    readonly label: string,
  ) {
    this.info = infoOf(device);
    this.maxBinding = maxBindingOf(device);
    void device.lost.then((info) => {
      this.lost = lostBy(info);
    });
  }

  async alloc(label: string, bytes: number): Promise<GPUBuffer> {
    return this.create(storageDescriptor(`${this.label}: ${label}`, bytes, this.maxBinding));
  }

  free(buffer: GPUBuffer): void {
    buffer.destroy();
  }

  uniform(words: readonly number[]): GPUBuffer {
    return createUniform(this.device, words);
  }

  staging(label: string, mode: "read" | "write", bytes: number): Promise<GPUBuffer> {
    return this.create(stagingDescriptor(label, mode, bytes));
  }

  write(buffer: GPUBuffer, offsetBytes: number, data: Uint32Array): void {
    this.device.queue.writeBuffer(buffer, offsetBytes, data as Uint32Array<ArrayBuffer>);
  }

  finished(): Promise<void> {
    return this.orLost(() => this.device.queue.onSubmittedWorkDone());
  }

  async read(buffer: GPUBuffer, words: number, offset = 0): Promise<Uint32Array> {
    const bytes = 4 * words;
    const staging = await this.staging("readback", "read", bytes);
    try {
      return await this.checked(async () => {
        this.send([{ from: buffer, fromOffset: 4 * offset, to: staging, bytes }]);
        await staging.mapAsync(MAP_READ);
        return new Uint32Array(staging.getMappedRange(0, bytes)).slice();
      });
    } finally {
      staging.destroy();
    }
  }

  kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    return this.orLost(async () => (await makeKernel(source, this)) as Kernel<Takes>);
  }

  /** Measures nothing: `ns` is 0. The steps are submitted before this returns. */
  async time(...[steps, status, more]: Parameters<Timed>): Promise<Pass> {
    if (!status && !more) {
      await this.checked(async () => this.send([], steps));
      await this.finished();
      return { ns: 0, status: new Uint32Array(), more: new Uint32Array() };
    }
    const after = { status, more };
    return this.checked(async () => {
      const readback =
        this.readbacks.pop() ?? this.device.createBuffer(stagingDescriptor("readback", "read", AFTER_BYTES));
      try {
        this.send(copiesAfter(after, readback, 0), steps);
        await readback.mapAsync(MAP_READ);
        return { ns: 0, ...readAfter(after, readback.getMappedRange().slice(0), 0) };
      } finally {
        readback.unmap();
        if (this.ended) readback.destroy();
        else this.readbacks.push(readback);
      }
    });
  }

  timeNext(...pass: Parameters<Timed>): Promise<Pass> {
    return this.time(...pass);
  }

  timeDeferred(...pass: Parameters<Timed>): Promise<Pass> {
    return this.time(...pass);
  }

  /** Nothing is deferred: each submission is the user's to order. */
  defer(commands: readonly Command[]): Promise<void> {
    return this.submit(commands);
  }

  flush(): void {}

  run(steps: readonly Step[]): Promise<void> {
    return this.submit(steps);
  }

  zero(buffer: GPUBuffer): Promise<void> {
    return this.submit([{ buffer, zero: buffer.size }]);
  }

  submit(commands: readonly Command[]): Promise<void> {
    return this.checked(async () => this.send(commands));
  }

  /** Frees what the device has beside its owners' buffers. */
  destroy(): void {
    this.ended = true;
    for (const buffer of [...this.readbacks.splice(0), ...this.held]) buffer.destroy();
    this.held.clear();
  }

  /** A uniform of these words, kept as long as the table. */
  constant(words: readonly number[]): GPUBuffer {
    const key = words.join();
    const made = this.constants.get(key) ?? this.hold(this.uniform(words));
    this.constants.set(key, made);
    return made;
  }

  /** What ends with the device. A kernel may be ready once the making of its table has failed, by another one. */
  hold(buffer: GPUBuffer): GPUBuffer {
    if (this.ended) buffer.destroy();
    else this.held.add(buffer);
    return buffer;
  }

  /** @param steps One pass, before the commands. */
  private send(commands: readonly Command[], steps: readonly Step[] = []): void {
    const encoder = this.device.createCommandEncoder();
    if (steps.length > 0) recordPass(this.device, encoder, this.label, steps);
    recordCommands(this.device, encoder, commands);
    this.device.queue.submit([encoder.finish()]);
  }

  private async create(descriptor: GPUBufferDescriptor & { readonly label: string }): Promise<GPUBuffer> {
    const buffer = await this.orLost(() => tryBuffer(this.device, () => this.device.createBuffer(descriptor)));
    if (buffer) return buffer;
    throw new DoesNotFit(`${descriptor.label}: out of device memory for ${descriptor.size} bytes`);
  }

  /** Runs `work`, which submits before it first waits: what WebGPU would only report becomes an exception, and the user's scopes see none of it. */
  private checked<T>(work: () => Promise<T>): Promise<T> {
    return this.orLost(async () => {
      this.device.pushErrorScope("out-of-memory");
      this.device.pushErrorScope("validation");
      const result = work();
      // It may never settle after an error, so the scopes are asked first.
      result.catch(() => undefined);
      const [invalid, memory] = await Promise.all([this.device.popErrorScope(), this.device.popErrorScope()]);
      const error = invalid ?? memory;
      if (error) throw new GpuError(error.message.split("\n")[0] ?? "unknown error");
      return result;
    });
  }

  /** The result of `work`; throws DeviceLost in place of any other error of a lost device. */
  private async orLost<T>(work: () => Promise<T>): Promise<T> {
    if (this.lost) throw this.lost;
    try {
      const value = await work();
      if (this.lost) throw this.lost;
      return value;
    } catch (error) {
      // The loss may be told after what it makes fail.
      const soon = new Promise<null>((resolve) => setTimeout(resolve, 0, null));
      throw this.lost ?? (await Promise.race([this.device.lost.then(lostBy), soon])) ?? error;
    }
  }
}

/** An error of the device, with what failed; any other as it is. */
export const failing = (whose: string, error: unknown): unknown =>
  error instanceof GpuError
    ? new (error.constructor as typeof GpuError)(`${whose}: ${error.message}`, { cause: error })
    : error;

/** An operation's steps as one pass. */
export function recordPass(device: GPUDevice, encoder: GPUCommandEncoder, label: string, steps: readonly Step[]): void {
  const pass = encoder.beginComputePass({ label });
  recordSteps(device, pass, steps);
  pass.end();
}

const lostBy = ({ message, reason }: GPUDeviceLostInfo) => new DeviceLost(`the device was lost: ${message || reason}`);

function infoOf({ adapterInfo, features, limits }: GPUDevice): Capabilities {
  // Browsers had devices before devices had this.
  const info: Partial<GPUAdapterInfo> = adapterInfo ?? {};
  return {
    software: info.isFallbackAdapter ?? false,
    ...subgroupSizes(features, info),
    features: [...features],
    limits: limits as unknown as Capabilities["limits"],
  };
}
