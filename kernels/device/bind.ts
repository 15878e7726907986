/** Host and kernel meet by names: those of the WGSL's variables and, of a uniform, of its members. */
import { GpuError } from "./errors.js";
import type {
  Binding,
  Bindings,
  Bound,
  Field,
  Kernel,
  KernelSource,
  Part,
  Resource,
  Step,
  UniformValue,
} from "./gpu.js";

/** Throws GpuError if the kernel uses a name that nobody binds, or its steps are to bind one that it has not. */
export function checkNames(
  { file, bound = {}, takes }: Pick<KernelSource, "file" | "bound" | "takes">,
  resources: ReadonlyMap<string, Resource>,
): void {
  if (!takes) return;
  const unknown = takes.find((name) => !resources.has(name));
  if (unknown !== undefined) throw new GpuError(`${file}: no variable ${unknown}; it uses ${namesOf(resources)}`);
  const missing = [...resources.keys()].find((name) => !takes.includes(name) && !(name in bound));
  if (missing !== undefined) throw new GpuError(`${file}: nothing is bound to ${missing}`);
}

/** A dispatch of so many workgroups. Throws GpuError as `checkNames` does, or for a value that does not fit its uniform. */
export function dispatch<Takes extends string>(
  kernel: Kernel<Takes>,
  groups: number,
  bindings: Bindings<NoInfer<Takes>>,
): Step {
  const { file, resources, bound } = kernel;
  const offered = Object.entries(bound).filter(([name]) => !resources || resources.has(name));
  const all = { ...Object.fromEntries(offered), ...(bindings as Bindings) };
  if (resources) checkNames({ file, takes: Object.keys(all) }, resources);
  const buffers = Object.entries(all).map(([name, value]) => [name, bufferOf(kernel, name, value)]);
  return { kernel, bindings: Object.fromEntries(buffers) as Step["bindings"], groups };
}

function bufferOf(
  { file, resources, uniform }: Pick<Kernel, "file" | "resources" | "uniform">,
  name: string,
  value: Binding,
): Bound {
  if (isBuffer(value) || isPart(value)) return value;
  if (!resources) return uniform([]);
  const { fields } = resources.get(name) ?? {};
  if (!fields) throw new GpuError(`${file}: ${name} is a buffer, and was given a value`);
  return uniform(wordsOf(`${file}: ${name}`, fields, value));
}

function isBuffer(value: unknown): value is GPUBuffer {
  return typeof value === "object" && value !== null && "destroy" in value && typeof value.destroy === "function";
}

function isPart(value: Binding): value is Part {
  return typeof value === "object" && "buffer" in value && isBuffer(value.buffer);
}

/**
 * The words of a uniform. Throws GpuError, which begins with `where`, for a value of no member, one that is not of as many words, none
 * for instance, or a word that is not a u32.
 */
export function wordsOf(where: string, fields: readonly Field[], value: UniformValue): number[] {
  const given: Readonly<Record<string, number | readonly number[]>> =
    typeof value === "object" && !Array.isArray(value) ? (value as Record<string, number>) : { "": value as number };
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw new GpuError(`${where} has no ${unknown || "value of its own"}; it has ${listOf(fields) || "no members"}`);
  const words = new Array<number>(Math.max(...fields.map(({ offset, words }) => offset + words))).fill(0);
  for (const { name, offset, words: wanted } of fields) {
    const list = [given[name] ?? []].flat();
    const said = name === "" ? where : `${where}.${name}`;
    if (list.length !== wanted) throw new GpuError(`${said} has ${list.length} words; it takes ${wanted}`);
    const wrong = list.find((word) => word >>> 0 !== word);
    if (wrong !== undefined) throw new GpuError(`${said} is ${wrong}; it takes a u32`);
    words.splice(offset, wanted, ...list);
  }
  return words;
}

const listOf = (fields: readonly Field[]) => fields.map(({ name }) => name).join(", ");
const namesOf = (resources: ReadonlyMap<string, Resource>) => [...resources.keys()].join(", ") || "none";
