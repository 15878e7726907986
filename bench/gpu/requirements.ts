/**
 * What a kernel needs of a device's limits, read from its linked module: a pipeline that a device cannot have is refused before it is made,
 * and in words that say what is missing.
 */
import { WgslReflect } from "wgsl_reflect/wgsl_reflect.module.js";
import { namedFrom, textOf, wordsOf } from "./text.js";

export interface Requirements {
  /** Storage buffers that the entry point, or a function that it calls, names. */
  readonly storageBuffers: number;
  /** Of workgroup memory, each variable a multiple of 16, as WebGPU counts. */
  readonly workgroupBytes: number;
  /** Lanes of a workgroup, in x, y and z. */
  readonly lanes: readonly [number, number, number];
}

type Values = Readonly<Record<string, number>>;
type Limits = Pick<
  GPUSupportedLimits,
  | "maxStorageBuffersPerShaderStage"
  | "maxComputeWorkgroupStorageSize"
  | "maxComputeInvocationsPerWorkgroup"
  | "maxComputeWorkgroupSizeX"
  | "maxComputeWorkgroupSizeY"
  | "maxComputeWorkgroupSizeZ"
>;

/** `constants`: values of overrides; those that are left out have their defaults. */
export function requirementsOf(wgsl: string, entry: string, constants: Values = {}): Requirements {
  const { outside, functions } = textOf(wgsl);
  const named = namedFrom(entry, functions);
  const reached = (kind: RegExp) =>
    [...outside.matchAll(kind)].map(([, name = ""]) => name).filter((name) => named.has(name));
  const size = /@workgroup_size\s*\(([\s\S]*)\)/.exec(functions.get(entry)?.attributes ?? "")?.[1] ?? "1";
  const [lanes, bytes] = sizesIn(outside, size, reached(/\bvar<workgroup>\s+(\w+)/g), constants);
  return {
    storageBuffers: reached(/\bvar<storage[^>]*>\s+(\w+)/g).length,
    workgroupBytes: bytes.reduce((sum, one) => sum + Math.ceil(one / 16) * 16, 0),
    lanes,
  };
}

/** What the device lacks for the kernel: "11 storage buffers; this device has 8". "" if it lacks nothing. */
export function lacking({ storageBuffers, workgroupBytes, lanes }: Requirements, limits: Limits): string {
  const number = (value: number) => value.toLocaleString("en-US");
  const [x, y, z] = lanes;
  const wanted = [
    { needs: storageBuffers, has: limits.maxStorageBuffersPerShaderStage, what: "storage buffers" },
    { needs: workgroupBytes, has: limits.maxComputeWorkgroupStorageSize, what: "bytes of workgroup memory" },
    { needs: x * y * z, has: limits.maxComputeInvocationsPerWorkgroup, what: "lanes in a workgroup" },
    { needs: x, has: limits.maxComputeWorkgroupSizeX, what: "lanes in a row of a workgroup" },
    { needs: y, has: limits.maxComputeWorkgroupSizeY, what: "rows in a workgroup" },
    { needs: z, has: limits.maxComputeWorkgroupSizeZ, what: "layers in a workgroup" },
  ];
  const one = wanted.find(({ needs, has }) => needs > has);
  return one ? `${number(one.needs)} ${one.what}; this device has ${number(one.has)}` : "";
}

/**
 * Lanes of a workgroup of that `size`, and the bytes of some workgroup variables, of a module's declarations. Throws an Error on
 * what it cannot tell the size of.
 */
function sizesIn(outside: string, size: string, variables: readonly string[], constants: Values) {
  const needed = needing([...variables, ...wordsOf(size)], declarationsOf(outside)).map((text, i) => {
    // The parser knows the size of a storage variable, and of no other.
    if (text.startsWith("var")) return text.replace("var<workgroup>", `@group(0) @binding(${i}) var<storage>`);
    // Without its type, which the parser would check by a rule of its own.
    const [, name = "", value = "0"] = CONSTANT.exec(text) ?? [];
    const given = constants[name];
    return name === "" ? text : `const ${name} = ${given === undefined ? value : `${given}u`};`;
  });
  const parsed = new WgslReflect(`${needed.join("\n")}\n@compute @workgroup_size(${size}) fn main() {}`);
  const [x = 1, y = 1, z = 1] = parsed.getFunctionInfo("main")?.workgroupSize ?? [];
  const bytes = variables.map((variable) => {
    const known = parsed.storage.find(({ name }) => name === variable)?.size ?? 0;
    if (!(known > 0)) throw new Error(`the size of ${variable} is unknown`);
    return known;
  });
  return [[x, y, z], bytes] as const;
}

const CONSTANT = /^(?:const|override)\s+(\w+)\s*(?::\s*\w+)?\s*(?:=([^;]*))?;/;

/** The module's constants, types and workgroup variables, by name. */
function declarationsOf(outside: string): Map<string, string> {
  const all = /\b(?:const|override|alias|var<workgroup>)\s+(\w+)[^;]*;|\bstruct\s+(\w+)\s*\{[^}]*\}/g;
  return new Map([...outside.matchAll(all)].map((one) => [one[1] ?? one[2] ?? "", one[0]]));
}

/** The declarations of these names and of all that they name, each before what names it: the parser wants that order. */
function needing(names: readonly string[], declarations: ReadonlyMap<string, string>): string[] {
  const known = new Set<string>();
  const inOrder: string[] = [];
  const visit = (name: string): void => {
    const text = declarations.get(name);
    if (text === undefined || known.has(name)) return;
    known.add(name);
    for (const word of wordsOf(text)) visit(word);
    inOrder.push(text);
  };
  for (const name of names) visit(name);
  return inOrder;
}
