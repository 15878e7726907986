/** The device: opening it, buffers, error scopes, running and timing steps. The only file that talks to Dawn directly. */
import { create, globals } from "webgpu";
import { type KernelSource, linkKernel, mapErrors } from "./link.js";
import { type Pass, Timer } from "./timer.js";

/** A Dawn or WebGPU error: validation, out of memory, or a lost device. The cell that caused it is a failed row. */
export class GpuError extends Error {}

/** A buffer of the workload is larger than the device can bind or allocate. The cell is skipped, with this reason. */
export class DoesNotFit extends Error {}

/** One dispatch: pipeline, buffers by binding number in group 0, and how many workgroups (split over x and y). */
export interface Step {
  readonly pipeline: GPUComputePipeline;
  readonly bindings: Readonly<Record<number, GPUBuffer>>;
  readonly groups: number;
  /** Per-workgroup counters of a counting variant, bound as group 1 (kernels/common/count.wgsl). */
  readonly counters?: GPUBuffer;
}

/** The text of a counting variant, linked, and what specialises it. */
export interface CountedKernel {
  readonly file: string;
  readonly wgsl: string;
  readonly entry: string;
  readonly constants: Readonly<Record<string, number>>;
}

export interface OpenOptions {
  /** Dawn's `adapter=` option: (part of) the adapter's name; "" takes the first. */
  readonly adapter: string;
  /** Keep Dawn's robustness (bounds clamps). Off for timed runs unless asked for. */
  readonly robust: boolean;
  /** More Dawn toggles: `name` or `+name` to switch on, `-name` to switch off. */
  readonly toggles: readonly string[];
}

/** What a result row and `hashbench device` say about the device. */
export interface DeviceInfo {
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly driver: string;
  readonly software: boolean;
  readonly subgroupMin: number;
  readonly subgroupMax: number;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  /** Toggles in force, as asked for: `+name` switched on, `-name` switched off. */
  readonly toggles: string;
}

const MAX_GROUPS = 65535;

/** The grid of at least so many workgroups: x, y. It may have a few more, which have no items but do reach every barrier. */
export function gridOf(groups: number): [x: number, y: number] {
  const y = Math.max(1, Math.ceil(groups / MAX_GROUPS));
  return [Math.ceil(groups / y), y];
}

const QUANTISATION = "timestamp_quantization";

export class Gpu {
  /** The newest device error outside any scope; checked after every submission. */
  private stray: string | null = null;
  private readonly pipelines = new Map<string, Promise<GPUComputePipeline>>();
  private readonly counting = new WeakMap<GPUComputePipeline, CountedKernel>();
  private readonly timer: Timer;

  private constructor(
    /** Dawn ends, and with it the process, when this is garbage collected before the device. */
    readonly instance: GPU,
    readonly device: GPUDevice,
    readonly info: DeviceInfo,
  ) {
    this.timer = new Timer(device);
    device.onuncapturederror = (event) => {
      this.stray = event.error.message;
    };
  }

  /** Opens the adapter with all its features and limits. Throws GpuError when there is none or no timestamps. */
  static async open(options: OpenOptions): Promise<Gpu> {
    Object.assign(globalThis, globals);
    const asked = (sign: string) => options.toggles.filter((t) => t.startsWith("-") === (sign === "-")).map(bare);
    const on = ["allow_unsafe_apis", ...(options.robust ? [] : ["disable_robustness"]), ...asked("+")];
    const off = [QUANTISATION, ...asked("-")];
    const flags = [`disable-dawn-features=${off.join(",")}`, `enable-dawn-features=${on.join(",")}`];
    if (options.adapter) flags.push(`adapter=${options.adapter}`);
    const instance = create(flags);
    const adapter = await instance.requestAdapter({ powerPreference: "high-performance" });
    if (!adapter) throw new GpuError("no WebGPU adapter");
    if (!adapter.features.has("timestamp-query")) throw new GpuError(`${adapter.info.device}: no timestamp queries`);
    const limits: Record<string, number> = {};
    for (const name in adapter.limits) {
      const value: unknown = adapter.limits[name as keyof GPUSupportedLimits];
      if (typeof value === "number") limits[name] = value;
    }
    const features = [...adapter.features].filter((f) => !f.startsWith("chromium-experimental")).sort();
    const device = await adapter.requestDevice({
      requiredFeatures: features as GPUFeatureName[],
      requiredLimits: limits,
    });
    const { info } = adapter;
    return new Gpu(instance, device, {
      name: adapterName(info),
      vendor: info.vendor,
      architecture: info.architecture,
      driver: info.description,
      software: info.isFallbackAdapter,
      subgroupMin: info.subgroupMinSize ?? 0,
      subgroupMax: info.subgroupMaxSize ?? 0,
      features,
      limits,
      toggles: [...on.map((t) => `+${t}`), ...off.map((t) => `-${t}`)].join(" "),
    });
  }

  /** Bytes of the largest storage buffer a kernel can bind, a multiple of 16. */
  get maxBinding(): number {
    const { maxStorageBufferBindingSize: bind, maxBufferSize: size } = this.device.limits;
    return Math.floor(Math.min(bind, size) / 16) * 16;
  }

  /** A storage buffer of `bytes`, zeroed. Throws DoesNotFit beyond the binding limit or the device's memory. */
  async alloc(label: string, bytes: number): Promise<GPUBuffer> {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    if (size > this.maxBinding) {
      throw new DoesNotFit(`${label}: ${size} bytes, but the device binds at most ${this.maxBinding}`);
    }
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.device.pushErrorScope("out-of-memory");
    this.device.pushErrorScope("validation");
    const buffer = this.device.createBuffer({ label, size, usage });
    const invalid = await this.device.popErrorScope();
    const memory = await this.device.popErrorScope();
    if (memory) throw new DoesNotFit(`${label}: out of device memory for ${size} bytes`);
    if (invalid) throw new GpuError(invalid.message);
    return buffer;
  }

  /** A uniform buffer that holds `words`, padded to 16 bytes. */
  uniform(words: readonly number[]): GPUBuffer {
    const size = Math.max(16, Math.ceil(words.length / 4) * 16);
    const buffer = this.device.createBuffer({
      label: "parameters",
      size,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    const data = new Uint32Array(size / 4);
    data.set(words);
    this.device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  write(buffer: GPUBuffer, offsetBytes: number, data: Uint32Array): void {
    this.device.queue.writeBuffer(buffer, offsetBytes, data as Uint32Array<ArrayBuffer>);
  }

  /** Reads `words` u32 from the start of the buffer (or from `offset` words). */
  async read(buffer: GPUBuffer, words: number, offset = 0): Promise<Uint32Array> {
    const size = words * 4;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const staging = this.device.createBuffer({ label: "readback", size, usage });
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, offset * 4, staging, 0, size);
    await this.checked(async () => {
      this.device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
    });
    const data = new Uint32Array(staging.getMappedRange()).slice();
    staging.destroy();
    return data;
  }

  /** The pipeline of a kernel file, linked, compiled and kept. Errors name file and line of the source. */
  pipeline(source: KernelSource): Promise<GPUComputePipeline> {
    const key = JSON.stringify(source);
    const known = this.pipelines.get(key);
    if (known) return known;
    const made = this.compile(source);
    this.pipelines.set(key, made);
    return made;
  }

  /** What a counting variant was made of; undefined for others. Its steps want a counters buffer. */
  counted(pipeline: GPUComputePipeline): CountedKernel | undefined {
    return this.counting.get(pipeline);
  }

  private async compile(source: KernelSource): Promise<GPUComputePipeline> {
    const linked = await linkKernel(source);
    this.device.pushErrorScope("validation");
    const module = this.device.createShaderModule({ label: source.file, code: linked.dest });
    const { messages } = await module.getCompilationInfo();
    const invalid = await this.device.popErrorScope();
    const errors = messages.filter((m) => m.type === "error");
    if (errors.length > 0) throw new GpuError(mapErrors(linked, errors));
    if (invalid) throw new GpuError(`${source.file}: ${invalid.message}`);
    try {
      const [entry, constants] = [source.entry ?? "main", declared(source.constants, linked.dest)];
      const compute = { module, entryPoint: entry, constants };
      const pipeline = await this.device.createComputePipelineAsync({ label: source.file, layout: "auto", compute });
      if (source.conditions?.COUNT)
        this.counting.set(pipeline, { file: source.file, wgsl: linked.dest, entry, constants });
      return pipeline;
    } catch (error) {
      throw new GpuError(`${source.file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Runs the steps in one compute pass and returns the pass's nanoseconds. Rejects with GpuError on any error. */
  async time(steps: readonly Step[], status?: GPUBuffer): Promise<Pass> {
    return this.checked(() => this.timer.run((pass) => this.encode(pass, steps), status));
  }

  /** Runs the steps, untimed, and waits for their end. */
  async run(steps: readonly Step[]): Promise<void> {
    if (steps.length === 0) return;
    await this.checked(async () => {
      const encoder = this.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      this.encode(pass, steps);
      pass.end();
      this.device.queue.submit([encoder.finish()]);
      await this.device.queue.onSubmittedWorkDone();
    });
  }

  /** Fills the buffer with zero bytes, in order with the steps around it. */
  async zero(buffer: GPUBuffer): Promise<void> {
    await this.checked(async () => {
      const encoder = this.device.createCommandEncoder();
      encoder.clearBuffer(buffer);
      this.device.queue.submit([encoder.finish()]);
      await this.device.queue.onSubmittedWorkDone();
    });
  }

  destroy(): void {
    this.device.destroy();
  }

  private encode(pass: GPUComputePassEncoder, steps: readonly Step[]): void {
    for (const step of steps) {
      pass.setPipeline(step.pipeline);
      const entries = Object.entries(step.bindings).map(([binding, buffer]) => ({
        binding: Number(binding),
        resource: { buffer },
      }));
      pass.setBindGroup(0, this.device.createBindGroup({ layout: step.pipeline.getBindGroupLayout(0), entries }));
      if (step.counters) {
        const counters = [{ binding: 0, resource: { buffer: step.counters } }];
        pass.setBindGroup(
          1,
          this.device.createBindGroup({ layout: step.pipeline.getBindGroupLayout(1), entries: counters }),
        );
      }
      pass.dispatchWorkgroups(...gridOf(step.groups));
    }
  }

  /** Runs `work` inside error scopes: what WebGPU would only report becomes an exception. */
  private async checked<T>(work: () => Promise<T>): Promise<T> {
    const { device } = this;
    for (const filter of ["internal", "out-of-memory", "validation"] as const) device.pushErrorScope(filter);
    // The work's own promise may never settle after an error, so the scopes are asked first.
    const result = work();
    result.catch(() => undefined);
    for (let i = 0; i < 3; i++) {
      const error = await device.popErrorScope();
      if (error) {
        for (i++; i < 3; i++) await device.popErrorScope();
        throw new GpuError(error.message.split("\n")[0] ?? "unknown error");
      }
    }
    const value = await result;
    const { stray } = this;
    this.stray = null;
    if (stray !== null) throw new GpuError(stray.split("\n")[0] ?? stray);
    return value;
  }
}

/** The constants that the linked module declares: a table gives all its kernels the same ones. */
function declared(constants: Readonly<Record<string, number>> = {}, wgsl: string): Record<string, number> {
  return Object.fromEntries(Object.entries(constants).filter(([name]) => new RegExp(`override ${name}\\b`).test(wgsl)));
}

/** A toggle without its sign. */
function bare(toggle: string): string {
  return toggle.replace(/^[+-]/, "");
}

/** A name a person recognises: Vulkan's device name is in `device` or `description`, depending on the driver. */
function adapterName(info: GPUAdapterInfo): string {
  return info.device || info.architecture || info.vendor || "unknown adapter";
}
