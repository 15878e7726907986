/**
 * Sizes of a kernel: what it takes from a uniform, so that a table of another size needs no other pipeline. A module
 * declares them as
 *
 *     struct Sizes { slots: u32, seed: u32 }
 *     @group(0) @binding(31) var<uniform> sizes: Sizes;
 *
 * and the host gives them by their names; steps bind the uniform by themselves.
 */
import { GpuError } from "../../kernels/device/errors.js";

/** The binding of `sizes` in group 0. */
export const SIZES_BINDING = 31;

const DECLARED = /@group\(0\)\s*@binding\((\d+)\)\s*var<uniform>\s+sizes\s*:\s*Sizes\s*;/;
const STRUCT = /\bstruct\s+Sizes\s*\{([^}]*)\}/;
export const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;

/**
 * Names of the sizes of a linked module, in the order of their words; none if neither the entry point nor a function that
 * it calls uses them: the layout of its bindings leaves them out then. Throws GpuError if they are not declared as above.
 */
export function sizesOf(wgsl: string, entry: string): string[] {
  const code = wgsl.replace(COMMENT, "");
  const declared = DECLARED.exec(code);
  if (!declared || !reaches(code.replace(DECLARED, ""), entry, "sizes")) return [];
  if (Number(declared[1]) !== SIZES_BINDING)
    throw new GpuError(`sizes are binding ${SIZES_BINDING}, not ${declared[1]}`);
  const members = (STRUCT.exec(code)?.[1] ?? "").split(",").filter((member) => member.trim() !== "");
  return members.map((member) => {
    const name = /^\s*(\w+)\s*:\s*u32\s*$/.exec(member)?.[1];
    if (name === undefined) throw new GpuError(`the size '${member.trim()}' is no u32`);
    return name;
  });
}

/** The module with its sizes as a constant; lines stay where they are. Throws as sizeWords does. */
export function withSizes(wgsl: string, entry: string, values: Readonly<Record<string, number>> = {}): string {
  const names = sizesOf(wgsl, entry);
  if (names.length === 0) return wgsl;
  const words = sizeWords(names, values).map((word) => `${word}u`);
  return wgsl.replace(DECLARED, `const sizes = Sizes(${words.join(", ")});`);
}

/** Whether the function, or one that it calls, names the variable. */
export function reaches(code: string, entry: string, variable: string): boolean {
  // Up to the next function: declarations between two of them name neither functions nor variables.
  const functions = new Map<string, Set<string>>();
  for (const [, name = "", text = ""] of code.matchAll(/\bfn\s+(\w+)([\s\S]*?)(?=\bfn\s|$)/g)) {
    functions.set(name, new Set(text.match(/\w+/g)));
  }
  const reached = new Set([entry]);
  for (const name of reached) {
    for (const word of functions.get(name) ?? []) if (functions.has(word) || word === variable) reached.add(word);
  }
  return reached.has(variable);
}

/** The words of the uniform. Throws GpuError if a size has no value, a value no size, or one is not a u32. */
export function sizeWords(names: readonly string[], values: Readonly<Record<string, number>> = {}): number[] {
  const unknown = Object.keys(values).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new GpuError(`no size ${unknown.join(", ")}; it has ${names.join(", ")}`);
  return names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new GpuError(`the size ${name} has no value`);
    if (value >>> 0 !== value) throw new GpuError(`the size ${name} is ${value}; it takes a u32`);
    return value;
  });
}
