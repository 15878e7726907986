/** WGSL of kernels whose declarations were parsed when the package was built (scripts/wgsl-modules.ts). */
import { allBanks, type Bank, choosingBank } from "../common/each-bank.js";
import { wordsOf } from "../device/bind.js";
import { GpuError } from "../device/errors.js";
import type { Field, KernelSource, Resource } from "../device/gpu.js";

type Conditions = NonNullable<KernelSource["conditions"]>;
type Values = Readonly<Record<string, number>>;

/** A declaration of a kernel file: its name, and its variants, of which the conditions of a link choose one. */
export type Declaration = readonly [name: string, ...variants: (Variant | Text)[]];

/** A tag of templates: names the declarations in one. */
type Naming = (texts: TemplateStringsArray, ...parts: readonly (Declaration | string)[]) => string;

/**
 * Text that is equal under all conditions and names no other declaration, or a function that makes it. Where it begins with the sign
 * behind the name of what it declares, `HEADS` has the word before.
 */
type Text = string | ((of: Naming, on: Conditions) => string);

/** Words that many kernels have, each written as @ and its place in this list, in base 36. They may have those before them. */
export const FREQUENT = [
  "@compute @workgroup_size(",
  "@builtin(workgroup_id)",
  "@builtin(num_workgroups)",
  "@builtin(local_invocation_index)",
  "(@1a:vec3u,@2b:vec3u,@3c:u32){let d=",
  "@0256u)fn ",
  "enable subgroups;diagnostic(off,subgroup_uniformity);",
  "return ",
  ")->u32{",
  ")->bool{",
  ":u32",
  "(a@A,b@A",
  "let ",
  "for(var ",
  "var ",
  "var<workgroup>",
  "atomic<u32>",
  "array<",
  "vec4u",
  "vec2u",
  "atomicLoad(&",
  "atomicStore(&",
  "atomicAdd(&",
  "workgroupBarrier();",
  "select(",
  ";if(",
  "0xffffffffu",
  "=0u;",
];
const HEADS: Readonly<Record<string, string>> = { "(": "fn ", "{": "struct ", "=": "const ", ":": "override " };

interface Variant {
  /** The type of a variable in group 0, by default that struct, or an array of words; of anything else the whole declaration. */
  readonly text?: Text;
  /** Left out: there is no other. */
  when?(on: Conditions): boolean | undefined;
  readonly override?: boolean;
  /** Members of a struct that is a uniform, as in `Field`. Default: all of its text are u32, one after another. */
  readonly fields?: readonly (readonly [name: string, offset: number, words: number])[];
  /** Access and binding of a variable in group 0, and the struct of a uniform. */
  readonly bound?: readonly [access: "read" | "read_write" | "uniform", binding: number, type?: () => Declaration];
  /** Of a function that accesses each bank of a table: the table's variable. */
  readonly eachBank?: Declaration;
}

/** A file that has entry points. */
export interface KernelFile {
  readonly file: string;
  readonly entries: Readonly<Record<string, Declaration>>;
  /** Default: it has none. */
  directives?(on: Conditions): string;
}

/** Declarations, and all that they use. */
interface Linked {
  readonly code: string;
  /** Variables of the group, by the names that their files have. */
  readonly resources: Map<string, Resource & { readonly access: "read" | "read_write" | "uniform" }>;
  /** By the names that they have in the code. */
  readonly overrides: ReadonlySet<string>;
}

interface Linking {
  /** Begins messages. */
  readonly file: string;
  readonly on: Conditions;
  /** Sizes that are compiled in. */
  readonly fixed?: Values | undefined;
  /** Of the variables. Default: 0. */
  readonly group?: number;
  /** Begins all names. Default: none does. */
  readonly prefix?: string;
}

const WORDS = "array<u32>";
/** The uniform that a kernel's sizes are the members of. */
export const SIZES = "sizes";

/**
 * @param fixed Sizes that are compiled in.
 * Throws GpuError if the file has no such entry point, or none under these conditions.
 */
export function linkEntry({ file, entries, directives }: KernelFile, entry: string, on: Conditions, fixed?: Values) {
  const main = entries[entry];
  if (!main) throw new GpuError(`${file}: no entry point ${entry}`);
  const { code, resources, overrides } = linkAll([main], { file, on, fixed });
  const variables = [...resources].map(([name, { access: _, ...resource }]): [string, Resource] => [name, resource]);
  return { code: `${decoded(directives?.(on) ?? "")}\n${code}`, resources: new Map(variables), overrides };
}

const decoded = (text: string): string =>
  text.replace(/@([\dA-Z])/g, (_, place) => decoded(FREQUENT[Number.parseInt(place, 36)] ?? ""));

/** Throws GpuError if there is no variant of a declaration under these conditions. */
export function linkAll(roots: readonly Declaration[], { file, on, fixed, group = 0, prefix = "" }: Linking): Linked {
  const names = new Map<Declaration, string>();
  const taken = new Set<string>();
  const of = (declaration: Declaration): string => {
    const known = names.get(declaration);
    if (known !== undefined) return known;
    const own = `${prefix}${declaration[0]}`;
    let name = own;
    for (let i = 0; taken.has(name); i++) name = `${own}${i}`;
    taken.add(name);
    names.set(declaration, name);
    return name;
  };
  const chosen = ([name, ...variants]: Declaration): Variant => {
    const whole = variants.map((one) => (typeof one === "object" ? one : { text: one }));
    const variant: Variant | undefined = whole.find((one: Variant) => !one.when || one.when(on));
    if (!variant) throw new GpuError(`${file}: no ${name} under these conditions`);
    return variant;
  };

  const resources: Linked["resources"] = new Map();
  const overrides = new Set<string>();
  const written = (text: Text, naming = of) => {
    if (typeof text === "string") return decoded(text);
    const tag: Naming = (raw, ...parts) =>
      String.raw({ raw }, ...parts.map((part) => (typeof part === "string" ? part : naming(part))));
    return decoded(text(tag, on));
  };
  const fieldsOf = (type: Declaration | undefined): readonly Field[] => {
    const { fields, text } = type ? chosen(type) : { fields: [["", 0, 1]] as const };
    const words = fields ?? [...written(text ?? "").matchAll(/\w+(?=:u32)/g)].map(([name], i) => [name, i, 1] as const);
    return words.map(([name, offset, words]) => ({ name, offset, words }));
  };
  const whole = (name: string, text: string) => {
    const head = HEADS[text.charAt(0)];
    return head ? `${head}${name}${text}` : text;
  };
  const ofTables = new Map<Declaration, readonly (Bank & { readonly declaration: Declaration })[]>();
  const banksOf = (table: Declaration) => {
    const { text = WORDS, bound: [access] = ["read"] } = chosen(table);
    const banks =
      ofTables.get(table) ??
      allBanks()
        .filter(({ condition }) => !condition || on[condition])
        .map((bank) => ({ ...bank, declaration: [bank.name, { text, bound: [access, bank.binding] }] as const }));
    ofTables.set(table, banks);
    return banks;
  };
  /** A function that accesses each bank of the table. */
  const choosing = (name: string, text: Text, table: Declaration) => {
    const access = whole(
      name,
      written(text, (one) => (one === table ? "table" : of(one))),
    );
    const banks = banksOf(table).map(({ declaration, ...bank }) => ({ ...bank, name: of(declaration) }));
    return choosingBank(access, banks);
  };
  const lines: string[] = [];
  /** Makes the text for a seed that is not known beforehand. */
  let seeded = (code: string) => code;
  for (const root of roots) of(root);
  // Declarations that a text names are added to the map, so that their own texts come later.
  for (const [declaration, name] of names) {
    const { bound, eachBank, override, text: given } = chosen(declaration);
    const [access = "read", binding = 0, type] = bound ?? [];
    const text = given ?? (type ? of(type()) : WORDS);
    if (override) overrides.add(name);
    if (!bound) {
      lines.push(eachBank && on.BANKED ? choosing(name, text, eachBank) : whole(name, written(text)));
      continue;
    }
    const [own] = declaration;
    const fields = access === "uniform" ? fieldsOf(type?.()) : undefined;
    const resource = { access, binding, ...(fields && { fields }) };
    const space = access === "uniform" ? access : `storage,${access}`;
    const variable = (as: string) => `@group(${group})@binding(${binding})var<${space}> ${as}:${written(text)};`;
    if (own === SIZES && fields && fixed) {
      // Tables that differ in their seed alone have the same kernels, which a browser keeps from one visit to the next.
      const known = "seed" in fixed ? { ...fixed, seed: 0 } : fixed;
      const words = wordsOf(`${file}: ${SIZES}`, fields, known).map((word) => `${word}u`);
      lines.push(`const ${name}=${written(text)}(${words});`);
      const seed = new RegExp(`\\b${name}\\.seed\\b`, "g");
      seeded = (code) => {
        const without = code.replace(seed, `${name}_given.seed`);
        if (without === code) return code;
        resources.set(SIZES, resource);
        return `${without}\n${variable(`${name}_given`)}`;
      };
      continue;
    }
    resources.set(prefix ? own : name, resource);
    lines.push(variable(name));
  }
  return { code: seeded(lines.join("\n")), resources, overrides };
}
