/**
 * Compiles the kernels of a device, each once: neither sizes, unless they are fixed, nor what a module does not declare make
 * another kernel.
 */

import type { LinkedWesl } from "wesl/core";
import { checkNames, wordsOf } from "../../kernels/device/bind.js";
import { GpuError, Unsupported } from "../../kernels/device/errors.js";
import type { Kernel, KernelSource, Resource } from "../../kernels/device/gpu.js";
import { lacking } from "../../kernels/device/requirements.js";
import { messageOf } from "../base/errors.js";
import { checkOffered, linkKernel, mapErrors } from "./link.js";
import { SIZES, WgslModule } from "./module.js";

/** A linked module and the kernels of it, by entry point and constants. */
interface Module {
  readonly text: WgslModule;
  readonly shader: GPUShaderModule;
  readonly kernels: Map<string, Promise<Compiled>>;
}

/** A file as its conditions link it. */
interface Linked {
  readonly linked: LinkedWesl;
  readonly text: WgslModule;
}

/** A kernel but for what it binds. */
interface Compiled {
  readonly kernel: Pick<Kernel, "pipeline" | "counted"> & { readonly resources: ReadonlyMap<string, Resource> };
  readonly sizes: Resource | undefined;
}

/** What a kernel is that was asked for, and its uniform of sizes. */
interface Asked extends Pick<Compiled, "kernel"> {
  readonly own?: NonNullable<Kernel["sizes"]>;
}

export class Kernels {
  /** By all that decides what is made: hosts ask for their kernels again with every step. */
  private readonly asked = new Map<string, Promise<Asked>>();
  /** Of these, by the same name, what is there. */
  private readonly there = new Set<string>();
  /** By file and conditions; fixed sizes come after that. */
  private readonly links = new Map<string, Promise<Linked>>();
  /** By file and conditions, and by text: conditions that a file does not ask for leave it as it is. */
  private readonly modules = new Map<string, Promise<Module>>();
  /** Uniforms by their words; some bytes each, kept as long as the kernels. */
  private readonly uniforms = new Map<string, GPUBuffer>();
  /** Around each wait for a kernel, but for counting variants, which are compiled while something else is done. */
  around = <T>(compiling: () => Promise<T>): Promise<T> => compiling();

  constructor(
    private readonly device: GPUDevice,
    private readonly uniform: (words: readonly number[]) => GPUBuffer,
    /** Whether sizes are compiled in where a kernel asks for it. */
    private readonly fixes: boolean,
  ) {}

  /**
   * Rejects with an Error that names file and line of what is wrong; with Unsupported, before the pipeline is made.
   * @param ahead nobody waits for it yet
   */
  async get(source: KernelSource, ahead = false): Promise<Kernel> {
    const { file, entry, conditions, constants, sizes, fixed, fresh } = source;
    const key = JSON.stringify([file, entry, conditions, constants, sizes, fixed, fresh]);
    const making = kept(this.asked, key, () => this.make(source));
    const waits = !ahead && !conditions?.COUNT && !this.there.has(key);
    const { kernel, own } = await (waits ? this.around(() => making) : making);
    this.there.add(key);
    checkNames(source, kernel.resources);
    const uniform = (words: readonly number[]) => this.constant(words);
    return { ...kernel, ...named(source), uniform, ...(own && { sizes: own }) };
  }

  private async make(source: KernelSource): Promise<Asked> {
    const { file, entry = "main", conditions, constants, sizes: values } = source;
    checkOffered(source);
    // Counting variants are not timed.
    const fixed = this.fixes && source.fixed === true && !conditions?.COUNT;
    const { fresh } = source;
    const key = JSON.stringify([file, conditions, ...(fixed ? [entry, values] : []), ...(fresh ? [entry, fresh] : [])]);
    const module = await kept(this.modules, key, () => this.module(source, fixed));
    const { text } = module;
    const given = text.declared(constants);
    const { kernel, sizes } = await kept(module.kernels, JSON.stringify([entry, given]), () =>
      naming(file, async () => {
        const lacks = lacking(text.requirements(entry, given), this.device.limits);
        if (lacks) throw new Unsupported(nameOf(source), lacks);
        const resources = text.resources(entry);
        const sizes = resources.get(SIZES);
        resources.delete(SIZES);
        const compute = { module: module.shader, entryPoint: entry, constants: given };
        const described = { label: file, layout: "auto", compute } as const;
        const pipeline = await this.device.createComputePipelineAsync(described);
        const counted = conditions?.COUNT && text.counts(entry) && { file, wgsl: text.wgsl, entry, constants: given };
        return { kernel: { pipeline, resources, ...(counted && { counted }) }, sizes };
      }),
    );
    if (!sizes) return { kernel };
    const words = await naming(file, () => wordsOf(SIZES, sizes.fields ?? [], values ?? {}));
    return { kernel, own: { binding: sizes.binding, buffer: this.constant(words) } };
  }

  private constant(words: readonly number[]): GPUBuffer {
    return kept(this.uniforms, words.join(), () => this.uniform(words));
  }

  private async module(source: KernelSource, fixed: boolean): Promise<Module> {
    const { linked, text } = await kept(this.links, JSON.stringify([source.file, source.conditions]), () =>
      this.link(source),
    );
    const { entry = "main", fresh } = source;
    const sized = fixed ? await naming(source.file, () => text.withSizes(entry, source.sizes)) : linked.dest;
    const code = fresh ? numbered(sized, entry, fresh) : sized;
    return kept(this.modules, code, async () => {
      this.device.pushErrorScope("validation");
      const shader = this.device.createShaderModule({ label: source.file, code });
      // Before anything is awaited: what is compiled at the same time has its own scope.
      const scope = this.device.popErrorScope();
      const { messages } = await shader.getCompilationInfo();
      const errors = messages.filter((m) => m.type === "error");
      const invalid = await scope;
      if (errors.length > 0) throw new GpuError(mapErrors(linked, errors));
      if (invalid) throw new GpuError(`${source.file}: ${invalid.message}`);
      return { text: fixed ? new WgslModule(code) : text, shader, kernels: new Map() };
    });
  }

  private async link(source: KernelSource): Promise<Linked> {
    const linked = await linkKernel(source);
    return { linked, text: new WgslModule(linked.dest) };
  }
}

/** What the map has for the key; made at the first time. */
function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** The text with a variable of that number, which nobody asks for, in the entry point. */
function numbered(text: string, entry: string, number: number): string {
  return text.replace(
    new RegExp(`\\bfn\\s+${entry}\\b[^{]*\\{`),
    (head) => `${head} var program = ${number}u; program += 1u;`,
  );
}

/** What a kernel has of what it was asked for as. */
const named = ({ file, bound = {}, takes }: KernelSource) => ({ file, bound, ...(takes && { takes }) });

/** The kernel as a reason names it, with its entry point where it has several. */
function nameOf({ file, entry = "main", conditions }: KernelSource): string {
  const name = file.replace(/^.*\//, "").replace(/\.\w+$/, "");
  return `${name}${entry === "main" ? "" : ` (${entry})`}${conditions?.COUNT ? ", counting," : ""}`;
}

/** What `work` comes to; its errors begin with the file. */
async function naming<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unsupported) throw error;
    throw new GpuError(`${file}: ${messageOf(error)}`);
  }
}
