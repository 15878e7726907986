/**
 * A linked WGSL module as JavaScript. A function that may touch what lanes share is a generator, which stops before each such access and at
 * each barrier and vote; who runs it (machine.ts) goes on with it. The subset is that of the kernels: u32, i32 and bool, vectors, arrays,
 * structs, pointers to a function's variables. Anything else is an error that names its line.
 */
import {
  type Argument,
  Assign,
  Break,
  Call,
  Case,
  Const,
  ConstExpr,
  Continue,
  DefaultSelector,
  For,
  If,
  Increment,
  Let,
  Loop,
  type Node,
  Override,
  Return,
  type Statement,
  Switch,
  UnaryOperator,
  Var,
  VariableExpr,
  type Function as WgslFunction,
  WgslParser,
  While,
} from "wgsl_reflect/wgsl_reflect.module.js";
import { GpuError } from "../../../kernels/device/errors.js";
import { binary } from "./builtins.js";
import { Expressions, isNothing } from "./expressions.js";
import type { Lane } from "./lane.js";
import { BARRIERS, Names, type Variable, VOTES } from "./names.js";
import { evaluate } from "./runtime.js";
import { fail, prepared } from "./text.js";
import { isComposite, type Typed, U32 } from "./types.js";
import { raw, writer, zero } from "./values.js";

export interface Program {
  /** Runs one lane; stops where `Lane` says. */
  main(lane: Lane): Generator<void, void>;
  /** Sets the private variables of a lane. */
  begin(lane: Lane): void;
  /** Of workgroup variables: words, by name. */
  readonly workgroup: ReadonlyMap<string, number>;
  readonly workgroupSize: number;
  /** What the entry point may do, by calls too. */
  readonly votes: boolean;
  readonly barriers: boolean;
}

class Compiler {
  private readonly names: Names;
  private readonly expressions: Expressions;
  private readonly constants: string[] = [];
  private readonly privates: string[] = [];
  readonly workgroup = new Map<string, number>();

  constructor(private readonly nodes: readonly Statement[]) {
    this.names = new Names(nodes);
    this.expressions = new Expressions(this.names);
    this.declare();
  }

  private declare(): void {
    for (const node of this.nodes) {
      if (!(node instanceof Var)) continue;
      const type = this.names.types.of(node.type);
      const { name, storage } = node;
      if (storage === "private") {
        this.names.globals.set(name, { js: `L.p_${name}`, type });
        this.privates.push(`L.p_${name}=${node.value ? this.expressions.converted(node.value) : zero(type)};`);
      } else {
        if (storage === "workgroup") this.workgroup.set(name, type.words);
        const writable = storage === "workgroup" || node.access === "read_write";
        const js = `L.${storage === "workgroup" ? "shared" : "bound"}.${name}`;
        this.names.globals.set(name, { js, type, memory: { writable } });
      }
    }
    // Constants may come before those that they are made of.
    const overrides = this.nodes.filter((node): node is Override => node instanceof Override);
    const waiting = new Map(overrides.map((node) => [node.name, node]));
    const constant = (name: string): void => {
      const node = waiting.get(name);
      if (!node) return;
      waiting.delete(name);
      if (!node.value) fail(`override ${name} without a value`, node);
      node.value.search?.((one: Node) => {
        if (one instanceof VariableExpr || one instanceof ConstExpr) constant(one.name);
      });
      const { js, type } = this.expressions.expression(node.value);
      this.constants.push(`const c_${name}=${js};`);
      this.names.globals.set(name, { js: `c_${name}`, type: node.type ? this.names.types.of(node.type) : type });
    };
    for (const { name } of overrides) constant(name);
  }

  /** Values of the module's constants, for sizes of arrays. */
  constantsOnly(): Readonly<Record<string, number>> {
    const names = [...this.names.globals].filter(([, { js }]) => js.startsWith("c_")).map(([name]) => name);
    return evaluate(`${this.constants.join("")}return {${names.map((name) => `${name}:c_${name}`).join()}};`);
  }

  program(entry: string): Program {
    const main = this.names.functions.get(entry);
    if (!main) throw new GpuError(`no entry point ${entry}`);
    const texts = [...this.names.functions.values()].map((one) => this.function(one));
    const size = main.attributes?.find(({ name }) => name === "workgroup_size")?.value ?? "1";
    const lanes = [size].flat().map((text) => this.names.globals.get(text)?.js ?? text.replace(/u$/, ""));
    const given = main.args.map((one) => `L.${builtinOf(one)}`).join();
    const call = this.names.stopping.has(entry) ? `yield* f_${entry}` : `f_${entry}`;
    const made = evaluate<Pick<Program, "main" | "begin" | "workgroupSize">>(
      `${this.constants.join("")}${texts.join("\n")}
       return {main:function*(L){${call}(L${given && `,${given}`});},begin(L){${this.privates.join("")}},workgroupSize:${lanes.join("*")}};`,
    );
    const votes = this.names.uses(entry, VOTES);
    return { ...made, workgroup: this.workgroup, votes, barriers: this.names.uses(entry, BARRIERS) };
  }

  private function(one: WgslFunction): string {
    const parameters = new Map<string, Variable>();
    for (const { name, type } of one.args) parameters.set(name, this.names.local(name, this.names.types.of(type)));
    this.names.scopes = [parameters];
    const star = this.names.stopping.has(one.name) ? "*" : "";
    const given = [...parameters.values()].map(({ js }) => `,${js}`).join("");
    this.expressions.inlines = [];
    const body = this.block(one.body);
    return `function${star} f_${one.name}(L${given}){${this.expressions.inlines.map((name) => `let ${name};`).join("")}${body}}`;
  }

  private block(body: readonly Statement[] | null): string {
    this.names.scopes.push(new Map());
    const text = (body ?? []).map((one) => this.statement(one)).join("");
    this.names.scopes.pop();
    return `{${text}}`;
  }

  private statement(node: Statement): string {
    // The parser gives a block as a list.
    if (Array.isArray(node)) return this.block(node);
    if (node instanceof Var || node instanceof Let || node instanceof Const) return this.declaration(node);
    if (node instanceof Assign) return this.assignment(node);
    if (node instanceof Increment) {
      const target = this.expressions.expression(node.variable);
      return `${this.stored(target, binary(node.operator[0] ?? "+", target, ONE, node).js)};`;
    }
    if (node instanceof Call) return `${this.expressions.call(node, node.name, node.args).js};`;
    if (node instanceof If) {
      const others = (node.elseif ?? []).map(
        (one) => `else if(${this.expressions.expression(one.condition).js})${this.block(one.body)}`,
      );
      const last = node.else ? `else${this.block(node.else)}` : "";
      return `if(${this.expressions.expression(node.condition).js})${this.block(node.body)}${others.join("")}${last}`;
    }
    if (node instanceof For) {
      this.names.scopes.push(new Map());
      const init = node.init ? this.statement(node.init) : "";
      const condition = node.condition ? this.expressions.expression(node.condition).js : "true";
      const next = node.increment ? this.statement(node.increment).replace(/;$/, "") : "";
      const text = `{${init}for(;${condition};${next},L.turn(${node.line}))${this.block(node.body)}}`;
      this.names.scopes.pop();
      return text.replace(";,L.turn", ";L.turn");
    }
    if (node instanceof While)
      return `for(;${this.expressions.expression(node.condition).js};L.turn(${node.line}))${this.block(node.body)}`;
    if (node instanceof Loop && !node.continuing) return `for(;;L.turn(${node.line}))${this.block(node.body)}`;
    if (node instanceof Return)
      return isNothing(node.value) ? "return;" : `return ${this.expressions.converted(node.value)};`;
    if (node instanceof Break)
      return node.condition ? `if(${this.expressions.expression(node.condition).js})break;` : "break;";
    if (node instanceof Continue) return "continue;";
    if (node instanceof Switch) return this.switch(node);
    return fail(`statement ${node.astNodeType}`, node);
  }

  private switch(node: Switch): string {
    const cases = node.cases.map((one) => {
      const selectors = one instanceof Case ? one.selectors : [null];
      const labels = selectors.map((value) =>
        value === null || value instanceof DefaultSelector
          ? "default:"
          : `case ${this.expressions.expression(value).js}:`,
      );
      return `${labels.join("")}${this.block(one.body)}break;`;
    });
    return `switch(${this.expressions.expression(node.condition).js}){${cases.join("")}}`;
  }

  private declaration(node: Var | Let | Const): string {
    if (node instanceof Let && node.value instanceof UnaryOperator && node.value.operator === "&") {
      const { type, place } = this.expressions.pointed(node.value, node);
      const { js } = this.names.local(node.name, type);
      this.names.set(node.name, { js, type, target: { type, place: { ...place, at: js } } });
      return `let ${js}=${place.at};`;
    }
    const given = node.value ? this.expressions.expression(node.value) : null;
    const type = node.type ? this.names.types.of(node.type) : (given?.type ?? fail("variable without a type", node));
    const value = node.value ? this.expressions.converted(node.value) : zero(type);
    const variable = this.names.local(node.name, type);
    this.names.set(node.name, variable);
    return `let ${variable.js}=${value};`;
  }

  private assignment({ operator, variable, value }: Assign): string {
    if (variable instanceof VariableExpr && variable.name === "_") return `${this.expressions.expression(value).js};`;
    const target = this.expressions.expression(variable);
    const change = operator.slice(0, -1);
    if (!change) return `${this.stored(target, this.expressions.converted(value))};`;
    const changed = binary(change, target, this.expressions.expression(value), value);
    return `${this.stored(target, changed.js)};`;
  }

  private stored({ js, type, place }: Typed, value: string): string {
    if (!place) return `${js}=${value}`;
    return isComposite(type)
      ? writer(type, place.memory, place.at, value)
      : `L.write(${place.memory},${place.at},${raw(type, value)})`;
  }
}

const ONE: Typed = { js: "1", type: U32, abstract: true };

function builtinOf(one: Argument): string {
  const name = one.attributes?.find(({ name }) => name === "builtin")?.value ?? fail(`parameter ${one.name}`, one);
  return String(name);
}

/** Throws GpuError for what is not in the subset. `constants`: values of overrides. */
export function compile(wgsl: string, entry: string, constants: Readonly<Record<string, number>>): Program {
  const parsed = (text: string) => new Compiler(new WgslParser().parse(text) as Statement[]);
  return parsed(prepared(wgsl, constants, (text) => parsed(text).constantsOnly())).program(entry);
}
