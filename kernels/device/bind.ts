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
  const all: Record<string, Bound> = {};
  const offered = Object.entries(kernel.bound).filter(([name]) => !kernel.resources || kernel.resources.has(name));
  for (const [name, value] of [...offered, ...Object.entries<Binding>(bindings)])
    all[name] = bufferOf(kernel, name, value);
  if (kernel.resources) checkNames({ file: kernel.file, takes: Object.keys(all) }, kernel.resources);
  return { kernel, bindings: all, groups };
}

function bufferOf(
  { file, resources, uniform }: Pick<Kernel, "file" | "resources" | "uniform">,
  name: string,
  value: Binding,
): Bound {
  if (isBuffer(value) || isPart(value)) return value;
  if (!resources) return uniform([]);
  const resource = resources.get(name);
  if (!resource) throw new GpuError(`${file}: no variable ${name}; it uses ${namesOf(resources)}`);
  if (!resource.fields) throw new GpuError(`${file}: ${name} is a buffer, and was given a value`);
  return uniform(wordsOf(`${file}: ${name}`, resource.fields, value));
}

function isBuffer(value: unknown): value is GPUBuffer {
  return typeof value === "object" && value !== null && "destroy" in value && typeof value.destroy === "function";
}

function isPart(value: Binding): value is Part {
  return typeof value === "object" && "buffer" in value && isBuffer(value.buffer);
}

/**
 * The words of a uniform. Throws GpuError, which begins with `where`, for a member that has no value, a value of no member, one that is
 * not of as many words, or a word that is not a u32.
 */
export function wordsOf(where: string, fields: readonly Field[], value: UniformValue): number[] {
  const struct = !(fields.length === 1 && fields[0]?.name === "");
  const given: Readonly<Record<string, number | readonly number[]>> =
    typeof value === "object" && !Array.isArray(value) ? (value as Record<string, number>) : { "": value as number };
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw new GpuError(
      struct ? `${where} has no ${unknown || "value of its own"}; it has ${listOf(fields)}` : `${where} is no struct`,
    );
  const words = new Array<number>(Math.max(...fields.map(({ offset, words }) => offset + words))).fill(0);
  for (const { name, offset, words: wanted } of fields) {
    const own = given[name];
    const said = name === "" ? where : `${where}.${name}`;
    if (own === undefined) throw new GpuError(`${said} has no value`);
    const list = typeof own === "number" ? [own] : own;
    if (list.length !== wanted) throw new GpuError(`${said} has ${list.length} words; it takes ${wanted}`);
    const wrong = list.find((word) => word >>> 0 !== word);
    if (wrong !== undefined) throw new GpuError(`${said} is ${wrong}; it takes a u32`);
    words.splice(offset, wanted, ...list);
  }
  return words;
}

const listOf = (fields: readonly Field[]) => fields.map(({ name }) => name).join(", ");
const namesOf = (resources: ReadonlyMap<string, Resource>) => [...resources.keys()].join(", ") || "none";
