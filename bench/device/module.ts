/**
 * What a linked module declares, read from its text: the variables that an entry point uses, with the members of uniforms; its constants;
 * what it needs of a device. Types and expressions are left to wgsl_reflect, which gets the declarations at hand and no functions: it knows
 * neither names that come before what they are made of nor sizes that a constant decides.
 */
import { WgslReflect } from "wgsl_reflect/wgsl_reflect.module.js";
import { wordsOf } from "../../kernels/device/bind.js";
import { GpuError } from "../../kernels/device/errors.js";
import type { Field, Resource } from "../../kernels/device/gpu.js";
import type { Requirements } from "../../kernels/device/requirements.js";

type Values = Readonly<Record<string, number>>;

/** The uniform whose members are sizes: a table of another size needs no other pipeline. Steps bind it by themselves. */
export const SIZES = "sizes";

export const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;
const FUNCTION = /(?:@\w+(?:\s*\((?:[^(){};]|\([^(){};]*\))*\))?\s*)*\bfn\s+(\w+)[^{]*\{/g;
/** Of a member, whatever else has its name. */
const MEMBER = /\.\s*[a-zA-Z_]\w*/g;
/** Names of parameters, and of what a body declares. */
const LOCAL = /\b(?:let|var|const)\s+(\w+)|[(,]\s*(?:@\w+(?:\([^)]*\))?\s*)*(\w+)\s*:/g;
const DECLARATION = /\b(?:const|override|alias|var<workgroup>)\s+(\w+)[^;]*;|\bstruct\s+(\w+)\s*\{[^}]*\}/g;
const VARIABLE = /@group\((\d+)\)\s*@binding\((\d+)\)\s*var<(uniform|storage)[^>]*>\s+(\w+)\s*:([^;]*);/g;
const WORKGROUP = /\bvar<workgroup>\s+(\w+)/g;
const CONSTANT = /^(?:const|override)\s+(\w+)\s*(?::\s*\w+)?\s*(?:=([^;]*))?;/;

const namesIn = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

interface Variable {
  readonly group: number;
  readonly binding: number;
  readonly kind: string;
  readonly name: string;
  readonly type: string;
}

/** A function: its attributes, and the names in it that are not its own. */
interface Body {
  readonly attributes: string;
  readonly names: ReadonlySet<string>;
}

export class WgslModule {
  private readonly functions = new Map<string, Body>();
  /** Constants, types and workgroup variables, by name. */
  private readonly declarations: ReadonlyMap<string, string>;
  private readonly variables: readonly Variable[];
  private readonly workgroup: readonly string[];
  private readonly overrides: ReadonlySet<string>;

  constructor(readonly wgsl: string) {
    const outside = this.cut(wgsl.replace(COMMENT, ""));
    this.declarations = new Map([...outside.matchAll(DECLARATION)].map((one) => [one[1] ?? one[2] ?? "", one[0]]));
    this.variables = [...outside.matchAll(VARIABLE)].map(([, group, binding, kind = "", name = "", type = ""]) => ({
      group: Number(group),
      binding: Number(binding),
      kind,
      name,
      type: type.trim(),
    }));
    this.workgroup = [...outside.matchAll(WORKGROUP)].map(([, name = ""]) => name);
    this.overrides = new Set([...outside.matchAll(/\boverride\s+(\w+)/g)].map(([, name = ""]) => name));
  }

  /** What stands outside of functions; notes these. */
  private cut(code: string): string {
    let outside = "";
    let end = 0;
    for (const match of code.matchAll(FUNCTION)) {
      const [head, name = ""] = match;
      outside += code.slice(end, match.index);
      end = endOfBlock(code, match.index + head.length);
      const attributes = head.slice(0, head.search(/\bfn\s/));
      const own = code.slice(match.index + attributes.length, end).replace(MEMBER, "");
      const names = new Set(namesIn(own));
      for (const [, local = "", parameter = ""] of own.matchAll(LOCAL)) names.delete(local || parameter);
      this.functions.set(name, { attributes, names });
    }
    return outside + code.slice(end);
  }

  /** The variables that the entry point, or a function that it calls, uses. */
  private used(entry: string): readonly Variable[] {
    const named = this.namedFrom(entry);
    return this.variables.filter(({ name }) => named.has(name));
  }

  private namedFrom(entry: string): ReadonlySet<string> {
    const named = new Set([entry]);
    for (const name of named) for (const other of this.functions.get(name)?.names ?? []) named.add(other);
    return named;
  }

  /** What the entry point uses of group 0, by name, with its sizes. Throws an Error for a uniform that it cannot read. */
  resources(entry: string): Map<string, Resource> {
    const used = this.used(entry).filter(({ group }) => group === 0);
    return new Map(
      used.map(({ name, binding, kind, type }) => [
        name,
        kind === "uniform" ? { binding, fields: this.fieldsOf(name, type) } : { binding },
      ]),
    );
  }

  /** Whether the entry point writes records of counters: group 1. */
  counts(entry: string): boolean {
    return this.used(entry).some(({ group }) => group === 1);
  }

  /** Of constants, those that are overrides here: a table gives all its kernels the same ones. */
  declared(constants: Values = {}): Values {
    return Object.fromEntries(Object.entries(constants).filter(([name]) => this.overrides.has(name)));
  }

  private fieldsOf(name: string, type: string): Field[] {
    const parsed = new WgslReflect(
      `${inOrder(this.declarations, namesIn(type)).join("\n")}\n@group(0) @binding(0) var<uniform> ${name}: ${type};`,
    );
    const [uniform] = parsed.uniforms;
    if (!uniform || !(uniform.size > 0)) throw new GpuError(`the uniform ${name} is of an unknown size`);
    const members = uniform.members ?? [];
    if (members.length === 0) return [{ name: "", offset: 0, words: uniform.size / 4 }];
    return members.map((one) => ({ name: one.name, offset: one.offset / 4, words: one.size / 4 }));
  }

  /** The module with its sizes as a constant; lines stay where they are. Throws as `wordsOf` does. */
  withSizes(entry: string, values: Values = {}): string {
    const fields = this.resources(entry).get(SIZES)?.fields;
    if (!fields) return this.wgsl;
    const words = wordsOf(SIZES, fields, values).map((word) => `${word}u`);
    const declared = new RegExp(`@group\\(0\\)\\s*@binding\\(\\d+\\)\\s*var<uniform>\\s+${SIZES}\\s*:\\s*(\\w+)\\s*;`);
    return this.wgsl.replace(declared, `const ${SIZES} = $1(${words.join(", ")});`);
  }

  /** `constants`: values of overrides; those that are left out have their defaults. Throws an Error on what it cannot tell the size of. */
  requirements(entry: string, constants: Values = {}): Requirements {
    const named = this.namedFrom(entry);
    const size = /@workgroup_size\s*\(([\s\S]*)\)/.exec(this.functions.get(entry)?.attributes ?? "")?.[1] ?? "1";
    const shared = this.workgroup.filter((name) => named.has(name));
    const [lanes, bytes] = this.sizesIn(size, shared, constants);
    return {
      storageBuffers: this.used(entry).filter(({ kind }) => kind === "storage").length,
      workgroupBytes: bytes.reduce((sum, one) => sum + Math.ceil(one / 16) * 16, 0),
      lanes,
    };
  }

  /** Lanes of a workgroup of that `size`, and the bytes of some workgroup variables. */
  private sizesIn(size: string, variables: readonly string[], constants: Values) {
    const needed = inOrder(this.declarations, [...variables, ...namesIn(size)]).map((text, i) => {
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
}

/** The declarations of these names and of all that they name, each before what names it: the parser wants that order. */
export function inOrder(declarations: ReadonlyMap<string, string>, names: Iterable<string>): string[] {
  const known = new Set<string>();
  const found: string[] = [];
  const visit = (name: string): void => {
    const text = declarations.get(name);
    if (text === undefined || known.has(name)) return;
    known.add(name);
    for (const word of namesIn(text)) visit(word);
    found.push(text);
  };
  for (const name of names) visit(name);
  return found;
}

/** Where the block ends that was opened before `from`. */
function endOfBlock(code: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < code.length; at++) {
    if (code[at] === "{") depth += 1;
    else if (code[at] === "}") depth -= 1;
  }
  return at;
}
