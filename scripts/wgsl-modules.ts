/**
 * Kernel files as JavaScript, for programs without a linker: each `kernels/x/y.wgsl` becomes a module that exports its declarations, which
 * refer to one another, so that a bundler keeps what a table uses. Conditions stay open but those that no table of the library has; kernels/library/link.ts
 * makes WGSL of them. The text is short, as it is a part of pages: names within functions have one letter, and constants are numbers.
 */
import { posix } from "node:path";
import {
  type AttributeElem,
  childElems,
  type ImportElem,
  type ImportStatement,
  parseSrcModule,
  type StructElem,
} from "wesl/core";
import { packageRoot } from "../bench/base/paths.js";
import { WgslModule } from "../bench/device/module.js";
import { kernelTextsIn } from "../bench/device/sources.js";
import { FREQUENT } from "../kernels/library/link.js";
import { type AbstractElem, type Condition, isCertain, isCondition, not, withConditions } from "./wgsl-conditions.js";

/** A declaration that a name may stand for. */
interface Target {
  readonly when: Condition;
  readonly expression: string;
  /** What it is called in its file. */
  readonly name: string;
  readonly file: string;
}

type Declared = Extract<AbstractElem, { readonly kind: "fn" | "gvar" | "const" | "override" | "struct" | "alias" }>;

const DECLARED: readonly string[] = ["fn", "gvar", "const", "override", "struct", "alias"] satisfies Declared["kind"][];
/** Constants that shaders of a program's own may name. */
const KEPT = /^(EMPTY|DELETED|REFUSED|NEW|FOUND)$/;
const NUMBER = /^const \w+\s*=\s*([\d.][\w.]*);$/;
/** How declarations begin that the linker begins: by the sign behind the name. */
const HEADS: Readonly<Record<string, readonly [head: string, sign: string]>> = {
  fn: ["fn ", "("],
  struct: ["struct ", "{"],
  const: ["const ", "="],
  override: ["override ", ":"],
};
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;

/** What the names in an element refer to, and what its declarations hide. */
function* within(elem: AbstractElem): Generator<AbstractElem> {
  yield elem;
  for (const child of childrenOf(elem)) yield* within(child);
}

/** With expressions in attributes. */
function childrenOf(elem: AbstractElem): readonly AbstractElem[] {
  if (elem.kind !== "attribute") return childElems(elem) as AbstractElem[];
  return elem.attribute.kind === "@attribute" ? (elem.attribute.params ?? []).map((one) => one.expression) : [];
}

class Writer {
  private readonly text: string;
  private readonly decls: readonly { readonly elem: AbstractElem; readonly when: Condition }[];
  /** What names stand for in this file. */
  private readonly targets = new Map<string, Target[]>();
  private readonly imported = new Map<string, string>();
  /** Constants that are numbers. */
  readonly numbers = new Map<string, string>();

  constructor(
    private readonly file: string,
    source: string,
    /** Files by the path that imports have. */
    private readonly files: ReadonlyMap<string, string>,
    private readonly uniformTypes: ReadonlySet<string>,
    /** By their files. */
    private readonly all: ReadonlyMap<string, Writer>,
  ) {
    // Places stay what they are.
    this.text = source.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, " "));
    const { moduleElem } = parseSrcModule({ modulePath: "package::file", debugFilePath: file, src: this.text });
    this.decls = withConditions(file, moduleElem.decls as AbstractElem[]).filter(({ when }) => when !== false);
    for (const { elem, when } of this.decls) {
      if (elem.kind === "import") this.addImports(elem, when);
      else if (isDeclared(elem)) {
        const name = nameOf(elem);
        this.addTarget(name, { when, expression: `$${name}`, name, file });
        const [, number] = NUMBER.exec(this.text.slice(elem.start, elem.end)) ?? [];
        if (number && when === true && !KEPT.test(name)) this.numbers.set(name, number);
      }
    }
  }

  /** Names of declarations, of which some may have one letter. */
  get names(): string[] {
    return this.decls.map(({ elem }) => nameOf(elem));
  }

  private addTarget(name: string, target: Target): void {
    const known = this.targets.get(name) ?? [];
    if (known.some(({ expression }) => expression === target.expression)) return;
    this.targets.set(name, [...known, target]);
  }

  private addImports({ imports }: ImportElem, when: Condition): void {
    const visit = ({ segments, finalSegment }: ImportStatement, path: readonly string[]): void => {
      const all = [...path, ...segments.map(({ name }) => name)];
      if (finalSegment.kind === "import-collection") {
        for (const one of finalSegment.subtrees) visit(one, all);
        return;
      }
      const [root, ...folders] = all;
      const from = this.files.get(folders.join("/"));
      if (root !== "package" || !from) throw new Error(`${this.file}: no module ${all.join("::")}`);
      const alias = this.imported.get(from) ?? `m${this.imported.size}`;
      this.imported.set(from, alias);
      const { name } = finalSegment;
      this.addTarget(finalSegment.as ?? name, { when, expression: `${alias}.$${name}`, name, file: from });
    };
    visit(imports, []);
  }

  code(): string {
    const variants = new Map<string, { readonly elem: Declared; readonly when: Condition }[]>();
    for (const { elem, when } of this.decls) {
      if (!isDeclared(elem)) continue;
      const name = nameOf(elem);
      if (!this.numbers.has(name)) variants.set(name, [...(variants.get(name) ?? []), { elem, when }]);
    }
    const lines = [...variants].map(([name, all]) => {
      const texts = all.map(({ elem, when }, i) => {
        const before = all.slice(0, i).map((one) => one.when);
        return this.variant(elem, isCertain([...before, when]) ? true : when);
      });
      return `export const $${name} = ["${name}", ${texts.join(", ")}];`;
    });
    const entries = this.decls.flatMap(({ elem }) =>
      elem.kind === "fn" && elem.attributes?.some(isEntry) ? [nameOf(elem)] : [],
    );
    const imports = [...this.imported].map(([from, alias]) => {
      const path = posix.relative(posix.dirname(this.file), from);
      return `import * as ${alias} from "${path.startsWith(".") ? path : `./${path}`}.js";`;
    });
    const whole = [...new Set(entries)].map((name) => `${name}: $${name}`).join(", ");
    const kernel = `export const kernel = { file: "${this.file}", entries: { ${whole} }${this.directives()} };`;
    return [...imports, ...lines, ...(entries.length > 0 ? [kernel] : []), ""].join("\n");
  }

  private directives(): string {
    const texts = new Map<Condition, string>();
    for (const { elem, when } of this.decls)
      if (elem.kind === "directive") texts.set(when, (texts.get(when) ?? "") + this.pieces(elem, new Map()));
    const pieces = [...texts].map(([when, text]) => (when === true ? text : `\${${when} ? \`${text}\` : ""}`));
    return pieces.length > 0 ? `, directives: (on) => \`${coded(pieces.join(""))}\`` : "";
  }

  private variant(elem: Declared, when: Condition): string {
    const local = elem.kind === "fn" ? this.localNames(elem) : new Map<string, string>();
    const resource = elem.kind === "gvar" ? this.resource(elem, local) : undefined;
    const inside = this.short(elem, resource?.type ?? this.pieces(elem, local));
    // What depends on nothing needs no function: modules are parts of pages.
    const makes = inside.includes("on.") ? "(of, on)" : "(of)";
    const text = inside.includes("${") ? `${makes} => of\`${inside}\`` : `\`${inside}\``;
    const members = [
      ...(when === true ? [] : [`when: (on) => ${when}`]),
      ...(elem.kind === "override" ? ["override: true"] : []),
      ...(elem.kind === "fn" && elem.attributes?.some(isEachBank) ? ["eachBank: $table"] : []),
      ...(resource?.members ?? []),
      ...(elem.kind === "struct" && this.uniformTypes.has(nameOf(elem)) ? this.fields(elem) : []),
    ];
    if (members.length === 0) return text;
    return `{ ${[...(resource?.usual ? [] : [`text: ${text}`]), ...members].join(", ")} }`;
  }

  /** Names that a function declares, and those that they have in the module: letters, which no other declaration has. */
  private localNames(elem: Extract<Declared, { kind: "fn" }>): Map<string, string> {
    const own = [...within(elem)].flatMap((one) => (one.kind === "decl" ? [one.ident.originalName] : []));
    const names = new Set(own.filter((name) => name !== nameOf(elem)));
    // The linker knows the parameters of an access to a bank.
    if (elem.attributes?.some(isEachBank)) return new Map([...names].map((name) => [name, name]));
    const taken = new Set([...this.all.values()].flatMap((writer) => writer.names));
    const free = [...LETTERS.filter((letter) => !taken.has(letter)), ...LETTERS.map((letter) => `_${letter}`)];
    return new Map([...names].map((name, i) => [name, free[i] ?? name]));
  }

  private short(elem: Declared, text: string): string {
    const [head, sign] = HEADS[elem.kind] ?? [];
    const begin = `${head}\${$${nameOf(elem)}}`;
    return coded(sign && text.startsWith(begin + sign) ? text.slice(begin.length) : text);
  }

  /** A variable of group 0: its type, and how it is bound. */
  private resource(elem: Extract<Declared, { kind: "gvar" }>, local: ReadonlyMap<string, string>) {
    const { template = [], name } = elem;
    const [space, access] = template.map((one) => one.name);
    if ((space !== "storage" && space !== "uniform") || !name.typeRef) return undefined;
    const binding = /@binding\((\d+)\)/.exec(this.text.slice(elem.start, elem.end))?.[1];
    const [type] = this.targets.get(name.typeRef.name.originalName) ?? [];
    const struct = space === "uniform" && type ? type.expression : undefined;
    const members = [`bound: ["${access ?? space}", ${binding}${struct ? `, () => ${struct}` : ""}]`];
    const own = this.pieces(name.typeRef, local);
    // The linker knows it.
    const usual = own === (struct ? `\${${struct}}` : "array<u32>");
    return { type: own, members, usual };
  }

  /** Where the members of a uniform are, if it can be one. */
  private fields(elem: StructElem): string[] {
    const name = nameOf(elem);
    if (elem.members.some(({ attributes = [] }) => attributes.some(isCondition)))
      throw new Error(`${this.file}: ${name} is a uniform's, whose members have no conditions`);
    const structs = this.decls.filter(
      ({ elem: other }) => other.kind === "struct" && (other === elem || nameOf(other) !== name),
    );
    const texts = structs.map(({ elem: { start, end } }) => this.text.slice(start, end).replace(/^@if\([^)]*\)/, ""));
    const use = `@group(0) @binding(0) var<uniform> u: ${name}; @compute @workgroup_size(1) fn main() { _ = u; }`;
    try {
      const { fields = [] } = new WgslModule([...texts, use].join("\n")).resources("main").get("u") ?? {};
      // A member that has no words of its own is no uniform's; the linker knows structs of words.
      if (
        fields.some(({ words }) => words === 0) ||
        fields.every(({ words, offset }, i) => words === 1 && offset === i)
      )
        return [];
      return [`fields: ${JSON.stringify(fields.map(({ name: member, offset, words }) => [member, offset, words]))}`];
    } catch {
      return [];
    }
  }

  /** The inside of a template literal: text, names by `of`, and parts by condition. */
  private pieces(elem: AbstractElem, local: ReadonlyMap<string, string>): string {
    let written = "";
    let at = elem.start;
    /** What there is under a condition, and otherwise, where parts of these two follow one another. */
    let either: { readonly when: string; yes: string; no: string } | null = null;
    const write = (text: string) => {
      if (either) written += `\${${either.when} ? ${literal(either.yes)} : ${literal(either.no)}}`;
      either = null;
      written += text;
    };
    const until = (end: number) => {
      const text = this.text.slice(at, end);
      if (!either || text.trim()) write(text);
      at = end;
    };
    const skip = (end: number) => {
      at = end;
    };
    const writeIf = (when: Condition, text: string) => {
      if (typeof when === "boolean") return when ? write(text) : undefined;
      const otherwise = either && (either.when === not(when) || not(either.when) === when);
      if (!either || (either.when !== when && !otherwise)) {
        write("");
        either = { when, yes: text, no: "" };
      } else if (otherwise) either.no += text;
      else either.yes += text;
    };
    const visit = (one: AbstractElem): void => {
      if (one.kind === "attribute" && (isCondition(one) || isEachBank(one))) {
        until(one.start);
        skip(one.end);
      } else if (one.kind === "ref" || one.kind === "decl") {
        const name = one.ident.originalName;
        const found = one.kind === "ref" ? this.reference(name) : name === nameOf(elem) ? `\${$${name}}` : undefined;
        until(one.start);
        write(local.get(name) ?? found ?? name);
        skip(one.end);
      }
      const children = withConditions(this.file, childrenOf(one)).toSorted((a, b) => a.elem.start - b.elem.start);
      for (const { elem: child, when } of children) {
        if (when === true) {
          visit(child);
          continue;
        }
        until(child.start);
        // The comma of a member goes with it.
        const comma = /^\s*,/.exec(this.text.slice(child.end))?.[0].length ?? 0;
        const end = child.kind === "member" || child.kind === "param" ? child.end + comma : child.end;
        writeIf(when, this.pieces(child, local) + this.text.slice(child.end, end));
        skip(end);
      }
    };
    visit(elem);
    until(elem.end);
    write("");
    return shorter(written);
  }

  private reference(name: string): string | undefined {
    if (name.includes("::")) throw new Error(`${this.file}: ${name} is not imported`);
    const targets = (this.targets.get(name) ?? []).map(({ when, expression, ...target }) => {
      const number = this.all.get(target.file)?.numbers.get(target.name);
      return { when, number, expression: number ? `"${number}"` : expression };
    });
    const [first, ...others] = targets;
    if (!first) return undefined;
    if (first.number && others.length === 0) return first.number;
    const chosen = others.reduce((rest, { when, expression }) => `${when} ? ${expression} : ${rest}`, first.expression);
    return `\${${chosen}}`;
  }
}

const literal = (text: string) => `${text.includes("${") ? "of" : ""}\`${text}\``;

/** Without white space that separates neither two words nor two operators. */
const shorter = (text: string) =>
  text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?([{}();,[\]]) ?/g, "$1")
    .replace(/(?<![-+*/%&|^<>=!:] ?) ?([-+*/%&|^<>=!:]+) ?(?![-+*/%&|^<>=!:])/g, "$1");

const coded = (text: string) =>
  FREQUENT.reduce((rest, words, place) => rest.replaceAll(words, `@${place.toString(36).toUpperCase()}`), text);

/** The linker writes its banks (kernels/common/each-bank.ts). */
const isEachBank = ({ attribute }: AttributeElem) => attribute.kind === "@attribute" && attribute.name === "each_bank";

const isEntry = ({ attribute }: AttributeElem) => attribute.kind === "@attribute" && attribute.name === "compute";

function isDeclared(elem: AbstractElem): elem is Declared {
  return DECLARED.includes(elem.kind);
}

function nameOf(elem: AbstractElem): string {
  if (!isDeclared(elem)) return "";
  return elem.name.kind === "typeDecl" ? elem.name.decl.ident.originalName : elem.name.ident.originalName;
}

/** JavaScript of every kernel file, by its path. Throws an Error that begins with the file if one imports what is not there. */
export function kernelModules(texts: ReadonlyMap<string, string>): Map<string, string> {
  const files = new Map([...texts.keys()].map((file) => [file.replaceAll("-", "_").replace(/\.\w+$/, ""), file]));
  const uniforms = [...texts.values()].flatMap((text) => [...text.matchAll(/var<uniform>\s+\w+\s*:\s*(\w+)/g)]);
  const uniformTypes = new Set(uniforms.map(([, type = ""]) => type));
  const writers = new Map<string, Writer>();
  for (const [file, text] of texts) writers.set(file, new Writer(file, text, files, uniformTypes, writers));
  return new Map([...writers].map(([file, writer]) => [file, writer.code()]));
}

/** The kernel files of the package's tables, by their path from its root. */
export function kernelTexts(): Map<string, string> {
  const all = kernelTextsIn(packageRoot, "kernels");
  return new Map(all.filter(([file]) => file.endsWith(".wgsl") && !file.startsWith("kernels/template/")));
}
