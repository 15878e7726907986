/** What every implementation of the device does alike: buffers made without an uncaught error, steps and copies recorded. */
import { BINDING_LIMITS, DoesNotFit, GpuError } from "./errors.js";
import { type Bound, type Command, gridOf, MORE_WORDS, type Pass, type Step, type Timed } from "./gpu.js";
import { STATUS_BYTES } from "./status.js";

/** WebGPU's numbers: its globals are there in browsers, and in Node only where a program makes them so. */
export const USAGE = {
  MAP_READ: 0x1,
  MAP_WRITE: 0x2,
  COPY_SRC: 0x4,
  COPY_DST: 0x8,
  UNIFORM: 0x40,
  STORAGE: 0x80,
  INDIRECT: 0x100,
} as const;
export const MAP_READ = 0x1;

/** Of a buffer of vec4s that holds so many bytes. */
function wholeVectors(bytes: number): number {
  return Math.max(16, Math.ceil(bytes / 16) * 16);
}

/** Bytes of the largest storage buffer that a kernel can bind, a multiple of 16. */
export function maxBindingOf({ limits }: Pick<GPUDevice, "limits">): number {
  const { maxStorageBufferBindingSize: bind, maxBufferSize: size } = limits;
  return Math.floor(Math.min(bind, size) / 16) * 16;
}

/** What `Gpu.staging` makes. */
export function stagingDescriptor(label: string, mode: "read" | "write", bytes: number) {
  const usage = mode === "read" ? USAGE.MAP_READ | USAGE.COPY_DST : USAGE.MAP_WRITE | USAGE.COPY_SRC;
  return { label, size: wholeVectors(bytes), usage, mappedAtCreation: mode === "write" };
}

/** What `Gpu.alloc` makes. Throws DoesNotFit for more than the device binds. */
export function storageDescriptor(label: string, bytes: number, maxBinding: number) {
  const size = wholeVectors(bytes);
  if (size > maxBinding)
    throw new DoesNotFit(`${label}: ${size} bytes, but the device binds at most ${maxBinding}: ${BINDING_LIMITS}`);
  return { label, size, usage: USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST };
}

/**
 * The buffer that `make` makes; null if there is no memory for it. Rejects with GpuError if the device does not take what was asked for.
 */
export async function tryBuffer(device: GPUDevice, make: () => GPUBuffer): Promise<GPUBuffer | null> {
  device.pushErrorScope("out-of-memory");
  device.pushErrorScope("validation");
  let buffer: GPUBuffer | null = null;
  try {
    buffer = make();
  } catch {
    // Memory that is mapped at creation may be refused at once.
  }
  // Asked for together: each wait takes its time.
  const [invalid, memory] = await Promise.all([device.popErrorScope(), device.popErrorScope()]);
  if (buffer && !memory && !invalid) return buffer;
  buffer?.destroy();
  if (invalid) throw new GpuError(invalid.message);
  return null;
}

/** A uniform buffer that holds `words`, padded to 16 bytes. */
export function createUniform(device: GPUDevice, words: readonly number[]): GPUBuffer {
  const size = wholeVectors(4 * words.length);
  const buffer = device.createBuffer({ label: "parameters", size, usage: USAGE.UNIFORM | USAGE.COPY_DST });
  const data = new Uint32Array(size / 4);
  data.set(words);
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}

/** Makes what a step binds in group 0. */
type GroupOf = (step: Step) => GPUBindGroup;

/** @param groupOf Default: one that makes a group for each step. */
export function recordSteps(
  device: GPUDevice,
  pass: GPUComputePassEncoder,
  steps: readonly Step[],
  groupOf: GroupOf = (step) => groupFor(device, step),
): void {
  // A pass may repeat a step hundreds of times. Groups are not kept for longer: a software adapter maps memory for each that lives, until a
  // collection of old objects, and Linux lets a process have 65,530 mappings.
  const bound = new Map<Step, GPUBindGroup>();
  for (const step of steps) {
    const { kernel, counters, groups, indirect } = step;
    const { pipeline } = kernel;
    pass.setPipeline(pipeline);
    const group = bound.get(step) ?? groupOf(step);
    bound.set(step, group);
    pass.setBindGroup(0, group);
    if (counters) {
      const layout = pipeline.getBindGroupLayout(1);
      const entries = [{ binding: 0, resource: counters }];
      pass.setBindGroup(1, device.createBindGroup({ layout, entries }));
    }
    if (indirect) pass.dispatchWorkgroupsIndirect(indirect.buffer, indirect.offset);
    else pass.dispatchWorkgroups(...gridOf(groups));
  }
}

/** Of each pipeline; batches of a history bind the same buffers again. */
const KEPT_GROUPS = 4;

/** Keeps the last groups of each pipeline: making one takes the host as long as all else of a dispatch. For devices whose buffers are destroyed, not left to be collected. */
export function keptGroups(device: GPUDevice): GroupOf {
  const kept = new WeakMap<GPUComputePipeline, { readonly step: Step; readonly group: GPUBindGroup }[]>();
  return (step) => {
    const { pipeline } = step.kernel;
    const known = kept.get(pipeline) ?? [];
    const same = known.find((one) => bindsAlike(one.step, step));
    if (same) return same.group;
    const group = groupFor(device, step);
    kept.set(pipeline, [{ step, group }, ...known.slice(0, KEPT_GROUPS - 1)]);
    return group;
  };
}

/** Whether steps of one pipeline bind the same. */
function bindsAlike(a: Step, b: Step): boolean {
  if (a.kernel.sizes?.buffer !== b.kernel.sizes?.buffer) return false;
  const names = Object.keys(a.bindings);
  return (
    names.length === Object.keys(b.bindings).length && names.every((name) => a.bindings[name] === b.bindings[name])
  );
}

/** What the step binds in group 0. */
function groupFor(device: GPUDevice, { kernel, bindings }: Step): GPUBindGroup {
  const { file, pipeline, resources, sizes } = kernel;
  const entries = Object.entries(bindings).map(([name, buffer]) => {
    const binding = resources?.get(name)?.binding ?? Number(name);
    if (Number.isNaN(binding)) throw new GpuError(`${file}: no variable ${name}`);
    return { binding, resource: boundBy(device, buffer) };
  });
  if (sizes) entries.push({ binding: sizes.binding, resource: { buffer: sizes.buffer, size: sizes.buffer.size } });
  return device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
}

function boundBy({ limits }: GPUDevice, bound: Bound): GPUBufferBinding {
  if ("buffer" in bound) return bound;
  // What is bound has whole words; a buffer of the caller's may end in the middle of one, or be larger than a binding.
  const size = Math.min(bound.size, limits.maxStorageBufferBindingSize);
  return { buffer: bound, size: size - (size % 4) };
}

/** What is read after a pass. */
export interface ReadAfter {
  readonly status?: Parameters<Timed>[1];
  readonly more?: Parameters<Timed>[2];
}

/** Of what is read after a pass, at most. */
export const AFTER_BYTES = STATUS_BYTES + 4 * MORE_WORDS;

function bytesAfter({ status, more }: ReadAfter) {
  return { status: Math.min(status?.size ?? 0, STATUS_BYTES), more: Math.min(more?.size ?? 0, 4 * MORE_WORDS) };
}

/** Copies what is read after a pass behind the first `at` bytes of a buffer; the status becomes zero. */
export function copiesAfter(after: ReadAfter, to: GPUBuffer, at: number): Command[] {
  const { status, more } = after;
  const bytes = bytesAfter(after);
  return [
    ...(status ? [{ from: status, to, toOffset: at, bytes: bytes.status }] : []),
    ...(status ? [{ buffer: status, zero: status.size }] : []),
    ...(more ? [{ from: more, to, toOffset: at + STATUS_BYTES, bytes: bytes.more }] : []),
  ];
}

/** What `copiesAfter` has copied, of the mapped buffer. */
export function readAfter(after: ReadAfter, from: ArrayBuffer, at: number): Pick<Pass, "status" | "more"> {
  const bytes = bytesAfter(after);
  return {
    status: new Uint32Array(from, at, bytes.status / 4),
    more: new Uint32Array(from, at + STATUS_BYTES, bytes.more / 4),
  };
}

/** Steps that follow one another share a pass. */
export function recordCommands(
  device: GPUDevice,
  encoder: GPUCommandEncoder,
  commands: readonly Command[],
  groupOf?: GroupOf,
): void {
  let pass: GPUComputePassEncoder | null = null;
  const end = () => {
    pass?.end();
    pass = null;
  };
  for (const command of commands) {
    if ("kernel" in command) {
      pass ??= encoder.beginComputePass();
      recordSteps(device, pass, [command], groupOf);
      continue;
    }
    end();
    if ("zero" in command) {
      encoder.clearBuffer(command.buffer, command.offset ?? 0, command.zero);
    } else {
      const { from, fromOffset = 0, to, toOffset = 0, bytes } = command;
      encoder.copyBufferToBuffer(from, fromOffset, to, toOffset, bytes);
    }
  }
  end();
}
