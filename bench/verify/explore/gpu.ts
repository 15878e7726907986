/** The device as tables see it, interpreted: kernels run lane after lane, or as `dispatched` says. It has no adapter. */
import { checkNames, wordsOf } from "../../../kernels/device/bind.js";
import { GpuError } from "../../../kernels/device/errors.js";
import {
  type Bound,
  type Command,
  gridOf,
  type Kernel,
  type KernelSource,
  MORE_WORDS,
  type Pass,
  type Step,
  type Timed,
} from "../../../kernels/device/gpu.js";
import { IdleGpu, idleBuffer } from "../../../kernels/device/idle.js";
import { STATUS_WORDS } from "../../../kernels/device/status.js";
import { messageOf } from "../../base/errors.js";
import { checkOffered, linkKernel, mapErrors } from "../../device/link.js";
import { SIZES, WgslModule } from "../../device/module.js";
import { compile, type Program } from "./compile.js";
import { addMeeting } from "./functions.js";
import { Machine } from "./machine.js";
import { Memory } from "./memory.js";
import type { Word } from "./watched.js";

/** A kernel as it was linked. */
interface Linked {
  readonly program: Program;
  readonly resources: ReturnType<WgslModule["resources"]>;
  /** File and line of a line of the linked module. */
  place(line: number): string;
  /** What dispatches in order changed, by the memory before. */
  readonly done: Map<string, readonly Word[]>;
}

/** Of a kernel; then those that come are kept in place of all before. */
const MOST_DONE = 128;

/** By their sources. */
const linkedKernels = new Map<string, Promise<Linked>>();

const NAME = "interpreter";

export class InterpretedGpu extends IdleGpu {
  private readonly words = new WeakMap<GPUBuffer, Uint32Array>();
  private readonly programs = new WeakMap<Kernel["pipeline"], Linked>();
  /** Runs a dispatch; null: in order. */
  dispatched: ((machine: Machine) => void) | null = null;
  /** Of the kernels of files with this name; the others run in order. "": of all. */
  only = "";
  relaxed = false;
  /** Of the dispatches so far, the most lanes that go on together. */
  together = 1;

  /** @param subgroup lanes of its subgroups */
  constructor(readonly subgroup: number) {
    super(
      {
        name: NAME,
        vendor: "",
        architecture: "",
        driver: "",
        software: true,
        subgroupMin: subgroup,
        subgroupMax: subgroup,
        features: ["subgroups"],
        limits: {},
        toggles: "",
      },
      2 ** 28,
    );
  }

  /** Another one that has no buffers yet. */
  another(): InterpretedGpu {
    const other = new InterpretedGpu(this.subgroup);
    other.relaxed = this.relaxed;
    return other;
  }

  async kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    const { file, entry, conditions, constants, sizes: values, bound = {}, takes } = source;
    const key = JSON.stringify([file, entry, conditions, constants]);
    const linking = linkedKernels.get(key) ?? link(source);
    linkedKernels.set(key, linking);
    const linked = await linking;
    const resources = new Map(linked.resources);
    const sizes = resources.get(SIZES);
    resources.delete(SIZES);
    checkNames(source, resources);
    const pipeline = {} as GPUComputePipeline;
    this.programs.set(pipeline, linked);
    const buffer = sizes && this.uniform(wordsOf(SIZES, sizes.fields ?? [], values ?? {}));
    return {
      file,
      pipeline,
      resources,
      bound,
      ...(takes && { takes }),
      uniform: (words) => this.uniform(words),
      ...(sizes && buffer && { sizes: { binding: sizes.binding, buffer } }),
    };
  }

  override uniform(words: readonly number[]): GPUBuffer {
    const buffer = super.uniform(words);
    this.of(buffer).set(words);
    return buffer;
  }

  protected override make(label: string, bytes: number): GPUBuffer {
    const buffer = idleBuffer(label, bytes);
    this.words.set(buffer, new Uint32Array(buffer.size / 4));
    return buffer;
  }

  private of(bound: Bound): Uint32Array {
    const [buffer, first, size] =
      "buffer" in bound ? [bound.buffer, bound.offset / 4, bound.size / 4] : [bound, 0, bound.size / 4];
    const words = this.words.get(buffer);
    if (!words) throw new GpuError(`${buffer.label} is of another device`);
    return words.subarray(first, first + size);
  }

  override write(buffer: GPUBuffer, offset: number, data: Uint32Array): void {
    this.of(buffer).set(data, offset / 4);
  }

  override async read(buffer: GPUBuffer, words: number, offset = 0): Promise<Uint32Array> {
    return this.of(buffer).slice(offset, offset + words);
  }

  override async time(...[steps, status, more]: Parameters<Timed>): Promise<Pass> {
    this.execute(steps);
    const taken = (buffer: GPUBuffer | undefined, most: number) =>
      buffer ? this.of(buffer).slice(0, most) : new Uint32Array();
    const pass = { ns: 1000, status: taken(status, STATUS_WORDS.length), more: taken(more, MORE_WORDS) };
    if (status) this.of(status).fill(0);
    return pass;
  }

  override timeNext(...timed: Parameters<Timed>): Promise<Pass> {
    return this.time(...timed);
  }

  override timeDeferred(...timed: Parameters<Timed>): Promise<Pass> {
    return this.time(...timed);
  }

  override async defer(commands: readonly Command[]): Promise<void> {
    this.execute(commands);
  }

  override async run(steps: readonly Step[]): Promise<void> {
    this.execute(steps);
  }

  override async zero(buffer: GPUBuffer): Promise<void> {
    this.of(buffer).fill(0);
  }

  override async submit(commands: readonly Command[]): Promise<void> {
    this.execute(commands);
  }

  private execute(commands: readonly Command[]): void {
    for (const command of commands) {
      if ("kernel" in command) {
        this.dispatch(command);
      } else if ("zero" in command) {
        const { buffer, offset = 0, zero } = command;
        this.of(buffer).fill(0, offset / 4, (offset + zero) / 4);
      } else {
        const { from, fromOffset = 0, to, toOffset = 0, bytes } = command;
        this.of(to).set(this.of(from).subarray(fromOffset / 4, (fromOffset + bytes) / 4), toOffset / 4);
      }
    }
  }

  private dispatch({ kernel, bindings, groups }: Step): void {
    const { file } = kernel;
    const linked = this.programs.get(kernel.pipeline);
    if (!linked) throw new GpuError(`${file} is of another device`);
    const { program, place, done } = linked;
    const all = { ...bindings, ...(kernel.sizes && { [SIZES]: kernel.sizes.buffer }) };
    const bound = Object.fromEntries(
      Object.entries(all).map(([name, one], i) => [name, new Memory(i, name, this.of(one))] as const),
    );
    const { subgroup, relaxed } = this;
    const machine = new Machine({ program, groups: gridOf(groups), bound, subgroup, relaxed, place });
    this.together = Math.max(this.together, machine.together);
    try {
      if (this.dispatched && file.endsWith(this.only)) this.dispatched(machine);
      else inOrder(machine, done);
    } catch (error) {
      if (error instanceof Error && !error.message.startsWith(file)) error.message = `${file}: ${error.message}`;
      throw error;
    }
  }
}

/** It comes to the same where the memory is the same, and so it is in most runs of a case. */
function inOrder(machine: Machine, done: Linked["done"]): void {
  const before = machine.memory();
  const known = done.get(before);
  if (known) machine.apply(known);
  else {
    machine.runInOrder();
    if (done.size >= MOST_DONE) done.clear();
    done.set(before, machine.changed());
  }
}

async function link(source: KernelSource): Promise<Linked> {
  addMeeting(source.file);
  checkOffered(source);
  const { file, entry = "main", constants } = source;
  const linked = await linkKernel(source);
  const module = new WgslModule(linked.dest);
  const lines = [0];
  for (const { index } of linked.dest.matchAll(/\n/g)) lines.push(index + 1);
  const place = (line: number) => {
    const begin = lines[line - 1] ?? 0;
    const offset = begin + linked.dest.slice(begin).search(/\S/);
    return mapErrors(linked, [{ offset, message: "" }]).replace(/:\d+ $/, "");
  };
  try {
    return {
      program: compile(linked.dest, entry, module.declared(constants)),
      resources: module.resources(entry),
      place,
      done: new Map(),
    };
  } catch (error) {
    throw new GpuError(`${file}: ${messageOf(error).replace(/^line (\d+)/, (_, line: string) => place(Number(line)))}`);
  }
}
