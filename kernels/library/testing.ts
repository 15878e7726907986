/** For the library's GPU tests: buffers on a device, and which of them are left; commands of one submission. */
import * as library from "./index.js";
import {
  type DeviceFunctions,
  type FunctionName,
  OUTCOME_BYTES,
  type Outcome,
  type OutcomePlace,
  readOutcome,
} from "./index.js";

/** The library's, with a seed: no test depends on one that is drawn. */
export const createTable: typeof library.createTable = (device, name, options) =>
  library.createTable(device, name, options && { seed: 1, ...options });

/** Buffers on the device that is there when they are made. */
export function buffersOn(device: () => GPUDevice) {
  /** A buffer of these words, or of that number of words. */
  const bufferOf = (words: Uint32Array | number): GPUBuffer => {
    const length = typeof words === "number" ? words : words.length;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device().createBuffer({ size: 4 * Math.max(4, length), usage });
    if (typeof words !== "number") device().queue.writeBuffer(buffer, 0, words as Uint32Array<ArrayBuffer>);
    return buffer;
  };
  const wordsOf = async (buffer: GPUBuffer, count = buffer.size / 4): Promise<Uint32Array> => {
    const to = device().createBuffer({ size: 4 * count, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device().createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, to, 0, 4 * count);
    device().queue.submit([encoder.finish()]);
    await to.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(to.getMappedRange()).slice();
    to.destroy();
    return words;
  };
  /** Work with buffers that are destroyed after it. */
  async function using<T>(arrays: readonly (Uint32Array | number)[], work: (...buffers: GPUBuffer[]) => Promise<T>) {
    const buffers = arrays.map(bufferOf);
    try {
      return await work(...buffers);
    } finally {
      for (const buffer of buffers) buffer.destroy();
    }
  }
  return { bufferOf, wordsOf, using };
}

/** Keys number first … first + count - 1 of all. */
export function keysFrom(first: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, i) => Math.imul(first + i + 1, 0x85ebca6b) >>> 0);
}

export type Commands = GPUCommandEncoder | GPUComputePassEncoder;

/** Commands on the device that is there when they are recorded, and what became of them. */
export function commandsOn(device: () => GPUDevice) {
  const { bufferOf, wordsOf } = buffersOn(device);
  return {
    /** Commands of one submission, in an encoder or in a pass in it. */
    submit(where: "encoder" | "pass", record: (commands: Commands) => void): void {
      const encoder = device().createCommandEncoder();
      if (where === "encoder") record(encoder);
      else {
        const pass = encoder.beginComputePass();
        record(pass);
        pass.end();
      }
      device().queue.submit([encoder.finish()]);
    },
    /** Places for outcomes, at most this number. */
    Outcomes: class {
      private readonly buffer: GPUBuffer;
      private used = 0;
      constructor(most: number) {
        this.buffer = bufferOf((most * OUTCOME_BYTES) / 4);
      }
      next(): OutcomePlace {
        return { buffer: this.buffer, offset: OUTCOME_BYTES * this.used++ };
      }
      async read(): Promise<Outcome[]> {
        const words = await wordsOf(this.buffer);
        const at = (i: number) => readOutcome(words.subarray((i * OUTCOME_BYTES) / 4, ((i + 1) * OUTCOME_BYTES) / 4));
        return Array.from({ length: this.used }, (_, i) => at(i));
      }
      destroy(): void {
        this.buffer.destroy();
      }
    },
  };
}

/** Functions of a table in group 1, whose names begin with seen_. */
export const functionsOf = (table: { device(options: object): DeviceFunctions }, functions: readonly FunctionName[]) =>
  table.device({ group: 1, prefix: "seen_", functions });

/** Of a dispatch. */
export const LANES = 4096;

interface Shader extends Pick<DeviceFunctions, "code" | "layout" | "bindGroup"> {
  readonly constants?: Readonly<Record<string, number>>;
}

/** Dispatches of a program's shader on the device that is there when they run. */
export function dispatchesOn(device: () => GPUDevice) {
  const { wordsOf } = buffersOn(device);
  /** Runs `body` in a lane each of LANES, with `key` of the buffer and room for two words. @param edited of the whole text */
  return async (
    { code, layout, bindGroup, constants = {} }: Shader,
    keys: GPUBuffer,
    told: GPUBuffer,
    body: string,
    edited: (text: string) => string | Promise<string> = (text) => text,
  ): Promise<Uint32Array> => {
    const text = `${code}
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> told: array<vec2u>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let lane = id.x;
  let key = keys[lane];
  ${body}
}`;
    const module = device().createShaderModule({ code: await edited(text) });
    const own = device().createBindGroupLayout({
      entries: (["read-only-storage", "storage"] as const).map((type, binding) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type },
      })),
    });
    const pipeline = await device().createComputePipelineAsync({
      layout: device().createPipelineLayout({ bindGroupLayouts: [own, layout] }),
      compute: { module, entryPoint: "main", constants },
    });
    const entries = [keys, told].map((buffer, binding) => ({ binding, resource: { buffer } }));
    const encoder = device().createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device().createBindGroup({ layout: own, entries }));
    pass.setBindGroup(1, bindGroup());
    pass.dispatchWorkgroups(LANES / 64);
    pass.end();
    device().queue.submit([encoder.finish()]);
    return wordsOf(told, 2 * LANES);
  };
}

interface Watched {
  readonly device: GPUDevice;
  readonly live: Set<GPUBuffer>;
  /** Pipelines that are being made. */
  readonly compiling: ReadonlySet<Promise<GPUComputePipeline>>;
}

/** The device, with a list of the buffers that were made and not destroyed. */
export function watched(device: GPUDevice): Watched {
  const live = new Set<GPUBuffer>();
  const compiling = new Set<Promise<GPUComputePipeline>>();
  const createBuffer = (descriptor: GPUBufferDescriptor) => {
    const buffer = device.createBuffer(descriptor);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      live.delete(buffer);
      return destroy();
    };
    live.add(buffer);
    return buffer;
  };
  const createComputePipelineAsync = (descriptor: GPUComputePipelineDescriptor) => {
    const pipeline = device.createComputePipelineAsync(descriptor);
    compiling.add(pipeline);
    const ended = () => compiling.delete(pipeline);
    pipeline.then(ended, ended);
    return pipeline;
  };
  return { device: having(device, { createBuffer, createComputePipelineAsync }), live, compiling };
}

/** An object of WebGPU's that has other members in place of some of its own. */
export function having<T extends object>(object: T, others: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (name in others) return others[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The device, as one that was asked for no limits. */
export function withDefaultLimits(device: GPUDevice): GPUDevice {
  const usual = { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupStorageSize: 2 ** 14 };
  return having(device, { limits: having(device.limits, usual) });
}
