/**
 * The device as tables see it: buffers, kernels, steps. Nothing here knows who implements it (bench/device does, on any
 * WebGPU device), where kernel texts come from, or what measures the steps.
 */

/**
 * A value of a uniform: its words; or, of a struct, a word or words for each member, by their names. A word is a u32.
 */
export type UniformValue = number | readonly number[] | Readonly<Record<string, number | readonly number[]>>;

/** What is bound to a name of a kernel: a buffer or a part of one, or the value of a uniform. */
export type Binding = GPUBuffer | Part | UniformValue;

export type Bindings<Names extends string = string> = Readonly<Record<Names, Binding>>;

/** A variable of group 0 that an entry point uses. */
export interface Resource {
  readonly binding: number;
  /** Of a uniform: its members in the order of their words; of one that is no struct, itself, without a name. */
  readonly fields?: readonly Field[];
}

export interface Field {
  readonly name: string;
  /** From the beginning of the uniform, in words of 4 bytes. */
  readonly offset: number;
  readonly words: number;
}

/** A kernel, by its file and what specialises it. */
export interface KernelSource<Takes extends string = string> {
  /** Path from the package's root, such as `kernels/bucketed/find.wgsl`. */
  readonly file: string;
  readonly entry?: string;
  /** `@if(NAME)` conditions. */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** Values of `override` constants: what decides the code. */
  readonly constants?: Readonly<Record<string, number>>;
  /** Values of the members of `sizes`, a uniform: kernels that differ in nothing else are compiled once. */
  readonly sizes?: Readonly<Record<string, number>>;
  /**
   * Compile the sizes in: for tables that lie in a GPU's cache, where the arithmetic on sizes shows (`inCache` of
   * kernels/common/steps.ts). Not done on software adapters, which compile slower than they run.
   */
  readonly fixed?: boolean;
  /** Another number makes another program of the same instructions, which is compiled whatever was compiled and kept before. */
  readonly fresh?: number;
  /** What all steps bind, by the names in the WGSL. Names that the kernel does not use are left out: a table offers all it has. */
  readonly bound?: Bindings;
  /** Names that each step binds. With `bound` these are all that the kernel uses. Left out: not checked before the first step. */
  readonly takes?: readonly Takes[];
}

/** The text of a counting variant, linked, and what specialises it. */
export interface CountedKernel {
  readonly file: string;
  readonly wgsl: string;
  readonly entry: string;
  readonly constants: Readonly<Record<string, number>>;
}

/** A compiled kernel; its steps bind the names `Takes`. */
export interface Kernel<Takes extends string = string> {
  /** As messages name it. */
  readonly file: string;
  readonly pipeline: GPUComputePipeline;
  /** What it uses of group 0, by name, but for its sizes. Of a device without kernels: undefined. */
  readonly resources?: ReadonlyMap<string, Resource>;
  /** What all of its steps bind, where it uses it. */
  readonly bound: Bindings;
  readonly takes?: readonly Takes[];
  /** A uniform of these words, which nobody writes to. */
  uniform(words: readonly number[]): Bound;
  /** The uniform of its sizes, of a kernel that uses them; its steps bind it by themselves. */
  readonly sizes?: { readonly binding: number; readonly buffer: GPUBuffer };
  /** Of a counting variant: what it was made of. Its steps want a counters buffer. */
  readonly counted?: CountedKernel;
}

/** Part of a buffer; the offset is a multiple of 256 bytes. */
export interface Part {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

/** What a step binds: all of a buffer, or a part of one. */
export type Bound = GPUBuffer | Part;

/** One dispatch: kernel, buffers by their names in the WGSL, and how many workgroups (split over x and y). */
export interface Step {
  readonly kernel: Kernel;
  readonly bindings: Readonly<Record<string, Bound>>;
  readonly groups: number;
  /** Where the device has their numbers in x, y and z, in place of `groups`. */
  readonly indirect?: { readonly buffer: GPUBuffer; readonly offset: number };
  /** Where the workgroups of a counting variant write their records, bound as group 1 (kernels/common/count.wgsl). */
  readonly counters?: Part;
}

/** Bytes from one buffer to another; offsets are 0 where they are left out. */
export interface Copy {
  readonly from: GPUBuffer;
  readonly fromOffset?: number;
  readonly to: GPUBuffer;
  readonly toOffset?: number;
  readonly bytes: number;
}

/** Zeroes `zero` bytes of a buffer, from `offset` on (0 where it is left out). */
interface Zero {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
  readonly zero: number;
}

export type Command = Step | Copy | Zero;

/** What a pass took, and what it left. */
export interface Pass {
  readonly ns: number;
  /** First STATUS_WORDS words of the status buffer after the pass, which then becomes zero; empty if none was given. */
  readonly status: Uint32Array;
  /** First words of the other buffer that was to be read after the pass, up to MORE_WORDS; empty if there was none. */
  readonly more: Uint32Array;
}

/** Of {@link Pass.more}. */
export const MORE_WORDS = 512;

/** Runs steps in one timed pass, and reads what two buffers begin with after it. */
export type Timed = (steps: readonly Step[], status?: GPUBuffer, more?: GPUBuffer) => Promise<Pass>;

/** What those go by who run steps. */
export interface Capabilities {
  readonly software: boolean;
  /** Where buffers lie that do not say where. Default: the device's memory. */
  readonly memory?: MemoryKind;
  readonly subgroupMin: number;
  readonly subgroupMax: number;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  /** What times passes, where that is coarse. Left out: timestamps of about a nanosecond. */
  readonly clock?: CoarseClock;
}

/** What a result row and `hashbench device` say about the device. */
export interface DeviceInfo extends Capabilities {
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly driver: string;
  /** Toggles in force, as asked for: `+name` switched on, `-name` switched off. */
  readonly toggles: string;
  /** What runs WebGPU, and its version. Left out: Dawn of the package `webgpu`. */
  readonly implementation?: string;
}

/** A clock that cannot time every pass. */
export interface CoarseClock {
  /** The GPU's timestamps, rounded, or the host's clock around a submission. */
  readonly kind: "timestamps" | "wall";
  /** Smallest difference that it tells, in ns; of the host's clock, what a pass takes in which nothing is done. */
  readonly resolutionNs: number;
}

/**
 * Where a buffer lies. `device`: the device's memory. `plain`: there too, as WebGPU allocates it, on a device whose large buffers have large
 * pages otherwise. `host`: the host's memory, which kernels read and write across the bus; for 4 MiB and more, with the Vulkan layer
 * of bench/device/buffer-memory alone.
 */
export type MemoryKind = "device" | "plain" | "host";

/** A device that is open. Every method that waits for it rejects with GpuError where WebGPU would only report. */
export interface Gpu {
  readonly info: Capabilities;
  /** Bytes of the largest storage buffer a kernel can bind, a multiple of 16. */
  readonly maxBinding: number;
  /**
   * A storage buffer of `bytes`, zeroed. Rejects with DoesNotFit beyond the binding limit or the memory that there is.
   * @param memory Where it is left out: `device`, but on a device that was opened for host memory.
   */
  alloc(label: string, bytes: number, memory?: MemoryKind): Promise<GPUBuffer>;
  /** Gives a buffer of `alloc` back, which nothing may use any more. */
  free(buffer: GPUBuffer): void;
  /**
   * So many bytes of the device's memory are another API's until what this resolves to is called: where freed buffers are kept for later
   * allocations, as many fewer are.
   */
  elsewhere?(bytes: number): Promise<() => void>;
  /** Waits until the driver has cleared what was freed, which slows down what runs meanwhile: for measurements. */
  cleared?(): Promise<void>;
  /** A uniform buffer that holds `words`, padded to 16 bytes. */
  uniform(words: readonly number[]): GPUBuffer;
  /**
   * A buffer that the host can map: for reading, and then copies may go to it, or for writing, and then they may come from
   * it and it is mapped at first. Rejects with DoesNotFit.
   */
  staging(label: string, mode: "read" | "write", bytes: number): Promise<GPUBuffer>;
  write(buffer: GPUBuffer, offsetBytes: number, data: Uint32Array): void;
  /** Resolves once all that was written and submitted has ended. */
  finished(): Promise<void>;
  /** Reads `words` u32 from the start of the buffer (or from `offset` words). */
  read(buffer: GPUBuffer, words: number, offset?: number): Promise<Uint32Array>;
  /**
   * The kernel, linked, compiled and kept. Errors name file and line of the source, or a name that is missing or unknown. Rejects with
   * Unsupported if it needs more storage buffers, workgroup memory or lanes than the device has.
   */
  kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>>;
  /** Runs the steps in one timed pass, once all that was submitted before has ended. */
  readonly time: Timed;
  /**
   * The same without that wait: the pass is submitted before this returns, and its time begins when what was submitted before it has ended.
   * For runs of many passes, which would mostly wait for the host.
   */
  readonly timeNext: Timed;
  /** The same, but submitted with what is submitted next, before it. Rejects with GpuError if that cannot be submitted. */
  readonly timeDeferred: Timed;
  /**
   * Runs the commands, untimed, with what is submitted next, before it; resolves once they are submitted, or cannot be. `write` does not
   * wait for that: it is not for buffers that the commands use.
   */
  defer(commands: readonly Command[]): Promise<void>;
  /** Submits what was deferred. */
  flush(): void;
  /** Runs the steps, untimed, in one pass; resolves as `submit`. */
  run(steps: readonly Step[]): Promise<void>;
  /** Fills the buffer with zero bytes, in order with the steps around it; resolves as `submit`. */
  zero(buffer: GPUBuffer): Promise<void>;
  /** Submits the commands, which run one after another; resolves once they are known to be valid, not at their end. */
  submit(commands: readonly Command[]): Promise<void>;
}

const MAX_GROUPS = 65535;

/** The grid of at least so many workgroups: x, y. It may have a few more, which have no items but do reach every barrier. */
export function gridOf(groups: number): [x: number, y: number] {
  const y = Math.max(1, Math.ceil(groups / MAX_GROUPS));
  return [Math.ceil(groups / y), y];
}
