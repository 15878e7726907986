/**
 * Kernel files as JavaScript, for programs without a linker: each `kernels/x/y.wgsl` becomes a module that exports its declarations, which
 * refer to one another, so that a bundler keeps what a table uses. Conditions stay open but those that no table of the library has; kernels/library/link.ts
 * makes WGSL of them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import {
  type AttributeElem,
  childElems,
  type ExpressionElem,
  type HasAttributes,
  type ImportElem,
  type ImportStatement,
  parseSrcModule,
  type StructElem,
  type AbstractElem as WeslElem,
} from "wesl/core";
import { packageRoot } from "../bench/base/paths.js";
import { WgslModule } from "../bench/device/module.js";

/** What has a place in the text. */
type AbstractElem = Exclude<WeslElem, { readonly kind: "synthetic" }>;

/** A condition as JavaScript; true and false where it is known. */
type Condition = string | boolean;

/** A declaration that a name may stand for. */
interface Target {
  readonly when: Condition;
  readonly expression: string;
}

type Declared = Extract<AbstractElem, { readonly kind: "fn" | "gvar" | "const" | "override" | "struct" | "alias" }>;

const DECLARED: readonly string[] = ["fn", "gvar", "const", "override", "struct", "alias"] satisfies Declared["kind"][];
/** Counting variants, tables in the host's memory, records of more than a word. */
const NEVER = /^(COUNT|HOST|(KEY|VALUE)_(8|16|32|64))$/;
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//g;

const not = (one: Condition): Condition => (typeof one === "string" ? `!(${one})` : !one);

function both(one: Condition, other: Condition, operator: "&&" | "||" = "&&"): Condition {
  const neutral = operator === "&&";
  if (one === neutral) return other;
  if (other === neutral) return one;
  if (one === !neutral || other === !neutral) return !neutral;
  return `(${one} ${operator} ${other})`;
}

function conditionOf(expression: ExpressionElem): Condition {
  switch (expression.kind) {
    case "literal":
      return expression.value === "true";
    case "ref": {
      const name = expression.ident.originalName;
      return NEVER.test(name) ? false : `on.${name}`;
    }
    case "parenthesized-expression":
      return conditionOf(expression.expression);
    case "unary-expression":
      return not(conditionOf(expression.expression));
    case "binary-expression": {
      const { operator, left, right } = expression;
      if (operator.value !== "&&" && operator.value !== "||") break;
      return both(conditionOf(left), conditionOf(right), operator.value);
    }
  }
  throw new Error(`a condition with ${expression.kind}`);
}

/** Elements that follow one another, each with its condition: `@else` goes by those before it. */
function withConditions<T extends AbstractElem>(elems: readonly T[]): { readonly elem: T; readonly when: Condition }[] {
  let before: Condition = false;
  return elems.map((elem) => {
    for (const { attribute } of (elem as HasAttributes).attributes ?? []) {
      if (attribute.kind === "@if") {
        before = conditionOf(attribute.param.expression);
        return { elem, when: before };
      }
      if (attribute.kind === "@elif" || attribute.kind === "@else") {
        const own = attribute.kind === "@else" || conditionOf(attribute.param.expression);
        const when = both(not(before), own);
        before = both(before, own, "||");
        return { elem, when };
      }
    }
    return { elem, when: true };
  });
}

const isCondition = ({ attribute }: AttributeElem) => /^@(if|elif|else)$/.test(attribute.kind);

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

  constructor(
    private readonly file: string,
    source: string,
    /** Files by the path that imports have. */
    private readonly files: ReadonlyMap<string, string>,
    private readonly uniformTypes: ReadonlySet<string>,
  ) {
    // Places stay what they are.
    this.text = source.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, " "));
    const { moduleElem } = parseSrcModule({ modulePath: "package::file", debugFilePath: file, src: this.text });
    this.decls = withConditions(moduleElem.decls as AbstractElem[]).filter(({ when }) => when !== false);
    for (const { elem, when } of this.decls) {
      if (elem.kind === "import") this.addImports(elem, when);
      else if (isDeclared(elem)) this.addTarget(nameOf(elem), { when, expression: `$${nameOf(elem)}` });
    }
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
      const expression = `${alias}.$${finalSegment.name}`;
      this.addTarget(finalSegment.as ?? finalSegment.name, { when, expression });
    };
    visit(imports, []);
  }

  code(): string {
    const variants = new Map<string, string[]>();
    for (const { elem, when } of this.decls) {
      if (!isDeclared(elem)) continue;
      const name = nameOf(elem);
      variants.set(name, [...(variants.get(name) ?? []), this.variant(elem, when)]);
    }
    const lines = [...variants].map(([name, all]) => `export const $${name} = ["${name}", ${all.join(", ")}];`);
    const entries = this.decls.flatMap(({ elem }) =>
      elem.kind === "fn" && elem.attributes?.some(isEntry) ? [nameOf(elem)] : [],
    );
    const imports = [...this.imported].map(([from, alias]) => {
      const path = posix.relative(posix.dirname(this.file), from);
      return `import * as ${alias} from "${path.startsWith(".") ? path : `./${path}`}.js";`;
    });
    const whole = [...new Set(entries)].map((name) => `${name}: $${name}`).join(", ");
    const kernel = `export const kernel = { file: "${this.file}", entries: { ${whole} }, ${this.directives()} };`;
    return [...imports, ...lines, ...(entries.length > 0 ? [kernel] : []), ""].join("\n");
  }

  private directives(): string {
    const pieces = this.decls
      .filter(({ elem }) => elem.kind === "directive")
      .map(({ elem, when }) => conditional(when, this.pieces(elem, new Set())));
    return `directives: (on) => \`${pieces.join("")}\``;
  }

  private variant(elem: Declared, when: Condition): string {
    const hidden = new Set(
      elem.kind === "fn"
        ? [...within(elem)].flatMap((one) => (one.kind === "decl" ? [one.ident.originalName] : []))
        : [],
    );
    hidden.delete(nameOf(elem));
    const resource = elem.kind === "gvar" ? this.resource(elem, hidden) : undefined;
    const inside = resource?.type ?? this.pieces(elem, hidden);
    // What depends on nothing needs no function: modules are parts of pages.
    const text = inside.includes("${") ? `(on, of) => \`${inside}\`` : `\`${inside}\``;
    const members = [
      ...(when === true ? [] : [`when: (on) => ${when}`]),
      ...(elem.kind === "override" ? ["override: true"] : []),
      ...(elem.kind === "fn" && elem.attributes?.some(isEachBank) ? ["eachBank: $table"] : []),
      ...(resource?.members ?? []),
      ...(elem.kind === "struct" && this.uniformTypes.has(nameOf(elem)) ? this.fields(elem) : []),
    ];
    return members.length === 0 ? text : `{ ${[`text: ${text}`, ...members].join(", ")} }`;
  }

  /** A variable of group 0: its type, and how it is bound. */
  private resource(elem: Extract<Declared, { kind: "gvar" }>, hidden: ReadonlySet<string>) {
    const { template = [], name } = elem;
    const [space, access] = template.map((one) => one.name);
    if ((space !== "storage" && space !== "uniform") || !name.typeRef) return undefined;
    const binding = /@binding\((\d+)\)/.exec(this.text.slice(elem.start, elem.end))?.[1];
    const [type] = this.targets.get(name.typeRef.name.originalName) ?? [];
    const members = [`bound: ["${access ?? space}", ${binding}]`];
    if (space === "uniform" && type) members.push(`type: () => ${type.expression}`);
    return { type: this.pieces(name.typeRef, hidden), members };
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
      // A member that has no words of its own is no uniform's.
      if (fields.some(({ words }) => words === 0)) return [];
      return [`fields: ${JSON.stringify(fields.map(({ name: member, offset, words }) => [member, offset, words]))}`];
    } catch {
      return [];
    }
  }

  /** The inside of a template literal: text, names by `of`, and parts by condition. */
  private pieces(elem: AbstractElem, hidden: ReadonlySet<string>): string {
    let written = "";
    let at = elem.start;
    const until = (end: number) => {
      written += this.text.slice(at, end);
      at = end;
    };
    const skip = (end: number) => {
      at = end;
    };
    const visit = (one: AbstractElem): void => {
      if (one.kind === "attribute" && (isCondition(one) || isEachBank(one))) {
        until(one.start);
        skip(one.end);
      } else if (one.kind === "ref" || (one.kind === "decl" && one.ident.originalName === nameOf(elem))) {
        const name = one.ident.originalName;
        const replaced = one.kind === "ref" ? this.reference(name, hidden) : `\${of($${name})}`;
        until(one.start);
        written += replaced ?? name;
        skip(one.end);
      }
      const children = withConditions(childrenOf(one)).toSorted((a, b) => a.elem.start - b.elem.start);
      for (const { elem: child, when } of children) {
        if (when === true) {
          visit(child);
          continue;
        }
        until(child.start);
        // The comma of a member goes with it.
        const comma = /^\s*,/.exec(this.text.slice(child.end))?.[0].length ?? 0;
        const end = child.kind === "member" || child.kind === "param" ? child.end + comma : child.end;
        written += conditional(when, this.pieces(child, hidden) + this.text.slice(child.end, end));
        skip(end);
      }
    };
    visit(elem);
    until(elem.end);
    return shorter(written);
  }

  private reference(name: string, hidden: ReadonlySet<string>): string | undefined {
    if (name.includes("::")) throw new Error(`${this.file}: ${name} is not imported`);
    const targets = hidden.has(name) ? undefined : this.targets.get(name);
    const [first, ...others] = targets ?? [];
    if (!first) return undefined;
    const chosen = others.reduce((rest, { when, expression }) => `${when} ? ${expression} : ${rest}`, first.expression);
    return `\${of(${chosen})}`;
  }
}

const conditional = (when: Condition, text: string) => {
  if (typeof when === "boolean") return when ? text : "";
  return `\${${when} ? \`${text}\` : ""}`;
};

/** Without white space that separates neither two words nor two operators. */
const shorter = (text: string) =>
  text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?([{}();,[\]]) ?/g, "$1")
    .replace(/(?<![-+*/%&|^<>=!:] ?) ?([-+*/%&|^<>=!:]+) ?(?![-+*/%&|^<>=!:])/g, "$1");

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
  return new Map([...texts].map(([file, text]) => [file, new Writer(file, text, files, uniformTypes).code()]));
}

/** The kernel files of the package's tables, by their path from its root. */
export function kernelTexts(): Map<string, string> {
  const names = readdirSync(join(packageRoot, "kernels"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".wgsl")).map((name) => posix.join("kernels", ...name.split(sep)));
  const ofTables = files.filter((file) => !file.startsWith("kernels/template/"));
  return new Map(ofTables.map((file) => [file, readFileSync(join(packageRoot, file), "utf8")]));
}
