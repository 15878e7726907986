/**
 * A linked WGSL module as JavaScript. A function that may touch what lanes share is a generator, which stops before each such access and at
 * each barrier and vote; who runs it (machine.ts) goes on with it. The subset is that of the kernels: u32, i32 and bool, vectors, arrays,
 * structs, pointers to a function's variables. Anything else is an error that names its line.
 */
import {
  type Argument,
  ArrayIndex,
  Assign,
  BinaryOperator,
  BitcastExpr,
  Break,
  Call,
  CallExpr,
  Case,
  Const,
  ConstExpr,
  Continue,
  CreateExpr,
  DefaultSelector,
  type Expression,
  For,
  If,
  Increment,
  Let,
  LiteralExpr,
  Loop,
  type Node,
  Override,
  Return,
  type Statement,
  StringExpr,
  Switch,
  TypecastExpr,
  UnaryOperator,
  Var,
  VariableExpr,
  Function as WgslFunction,
  WgslParser,
  While,
} from "wgsl_reflect/wgsl_reflect.module.js";
import { GpuError } from "../../../kernels/device/errors.js";
import { binary, builtin, ordered, unary } from "./builtins.js";
import type { Lane } from "./lane.js";
import { evaluate } from "./runtime.js";
import { fail, prepared } from "./text.js";
import {
  arrayOf,
  BOOL,
  EXCHANGED,
  isComposite,
  isFlat,
  type Typed,
  Types,
  U32,
  VOID,
  vec,
  type WgslType,
} from "./types.js";
import { literal, loaded, raw, reader, times, writer, zero } from "./values.js";

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

interface Variable {
  readonly js: string;
  readonly type: WgslType;
  readonly memory?: { readonly writable: boolean };
  /** Of a pointer to memory: what it points to. */
  readonly target?: { readonly type: WgslType; readonly place: NonNullable<Typed["place"]> };
}

class Compiler {
  private readonly types: Types;
  private readonly functions = new Map<string, WgslFunction>();
  private readonly globals = new Map<string, Variable>();
  private scopes: Map<string, Variable>[] = [];
  private names = 0;
  /** Parameters of functions that are inlined in the one that is being compiled. */
  private inlines: string[] = [];
  /** Names that each function calls. */
  private readonly calls = new Map<string, ReadonlySet<string>>();
  /** Functions that may stop. */
  private readonly stopping: ReadonlySet<string>;
  private readonly constants: string[] = [];
  private readonly privates: string[] = [];
  readonly workgroup = new Map<string, number>();

  constructor(private readonly nodes: readonly Statement[]) {
    this.types = new Types(nodes, (what, node) => fail(what, node));
    for (const node of nodes) {
      if (!(node instanceof WgslFunction)) continue;
      this.functions.set(node.name, node);
      const own = new Set<string>();
      node.search((one: Node) => {
        if (one instanceof CallExpr || one instanceof Call) own.add(one.name);
      });
      this.calls.set(node.name, own);
    }
    this.stopping = this.closure((name) => STOPS.test(name));
    this.declare();
  }

  /** Functions that call one whose name fits, or call one that does. */
  private closure(fits: (name: string) => boolean): Set<string> {
    const found = new Set<string>();
    for (let before = -1; before < found.size; ) {
      before = found.size;
      for (const [name, own] of this.calls) if ([...own].some((one) => fits(one) || found.has(one))) found.add(name);
    }
    return found;
  }

  uses(entry: string, names: RegExp): boolean {
    return this.closure((name) => names.test(name)).has(entry);
  }

  private declare(): void {
    const waiting = new Set(this.nodes.filter((node): node is Override => node instanceof Override));
    for (const node of this.nodes) {
      if (!(node instanceof Var)) continue;
      const type = this.types.of(node.type);
      const { name, storage } = node;
      if (storage === "private") {
        this.globals.set(name, { js: `L.p_${name}`, type });
        this.privates.push(`L.p_${name}=${node.value ? this.converted(node.value) : zero(type)};`);
      } else {
        if (storage === "workgroup") this.workgroup.set(name, type.words);
        const writable = storage === "workgroup" || node.access === "read_write";
        const js = `L.${storage === "workgroup" ? "shared" : "bound"}.${name}`;
        this.globals.set(name, { js, type, memory: { writable } });
      }
    }
    // Constants may come before those that they are made of.
    for (let before = -1; waiting.size !== before; ) {
      before = waiting.size;
      for (const node of waiting) {
        const names = new Set([...waiting].map(({ name }) => name));
        let ready = true;
        if (!node.value) fail(`override ${node.name} without a value`, node);
        node.value.search?.((one: Node) => {
          if ((one instanceof VariableExpr || one instanceof ConstExpr) && names.has(one.name)) ready = false;
        });
        if (!ready) continue;
        const value = this.expression(node.value);
        const type = node.type ? this.types.of(node.type) : value.type;
        this.constants.push(`const c_${node.name}=${value.js};`);
        this.globals.set(node.name, { js: `c_${node.name}`, type });
        waiting.delete(node);
      }
    }
    for (const node of waiting) fail(`constant ${node.name}`, node);
  }

  /** Values of the module's constants, for sizes of arrays. */
  constantsOnly(): Readonly<Record<string, number>> {
    const names = [...this.globals].filter(([, { js }]) => js.startsWith("c_")).map(([name]) => name);
    return evaluate(`${this.constants.join("")}return {${names.map((name) => `${name}:c_${name}`).join()}};`);
  }

  program(entry: string): Program {
    const main = this.functions.get(entry);
    if (!main) throw new GpuError(`no entry point ${entry}`);
    const texts = [...this.functions.values()].map((one) => this.function(one));
    const size = main.attributes?.find(({ name }) => name === "workgroup_size")?.value ?? "1";
    const lanes = [size].flat().map((text) => this.globals.get(text)?.js ?? text.replace(/u$/, ""));
    const given = main.args.map((one) => `L.${builtinOf(one)}`).join();
    const call = this.stopping.has(entry) ? `yield* f_${entry}` : `f_${entry}`;
    const made = evaluate<Pick<Program, "main" | "begin" | "workgroupSize">>(
      `${this.constants.join("")}${texts.join("\n")}
       return {main:function*(L){${call}(L${given && `,${given}`});},begin(L){${this.privates.join("")}},workgroupSize:${lanes.join("*")}};`,
    );
    const votes = this.uses(entry, VOTES);
    return { ...made, workgroup: this.workgroup, votes, barriers: this.uses(entry, BARRIERS) };
  }

  private function(one: WgslFunction): string {
    const parameters = new Map<string, Variable>();
    for (const { name, type } of one.args) parameters.set(name, this.local(name, this.types.of(type)));
    this.scopes = [parameters];
    const star = this.stopping.has(one.name) ? "*" : "";
    const given = [...parameters.values()].map(({ js }) => `,${js}`).join("");
    this.inlines = [];
    const body = this.block(one.body);
    return `function${star} f_${one.name}(L${given}){${this.inlines.map((name) => `let ${name};`).join("")}${body}}`;
  }

  private local(name: string, type: WgslType): Variable {
    return { js: `${name}$${this.names++}`, type };
  }

  private block(body: readonly Statement[] | null): string {
    this.scopes.push(new Map());
    const text = (body ?? []).map((one) => this.statement(one)).join("");
    this.scopes.pop();
    return `{${text}}`;
  }

  private find(name: string, node: Node): Variable {
    for (const scope of this.scopes.toReversed()) {
      const found = scope.get(name);
      if (found) return found;
    }
    return this.globals.get(name) ?? fail(`name ${name}`, node);
  }

  private statement(node: Statement): string {
    // The parser gives a block as a list.
    if (Array.isArray(node)) return this.block(node);
    if (node instanceof Var || node instanceof Let || node instanceof Const) return this.declaration(node);
    if (node instanceof Assign) return this.assignment(node);
    if (node instanceof Increment) {
      const target = this.expression(node.variable);
      return `${this.stored(target, binary(node.operator[0] ?? "+", target, ONE, (what) => fail(what, node)).js)};`;
    }
    if (node instanceof Call) return `${this.call(node, node.name, node.args).js};`;
    if (node instanceof If) {
      const others = (node.elseif ?? []).map(
        (one) => `else if(${this.expression(one.condition).js})${this.block(one.body)}`,
      );
      const last = node.else ? `else${this.block(node.else)}` : "";
      return `if(${this.expression(node.condition).js})${this.block(node.body)}${others.join("")}${last}`;
    }
    if (node instanceof For) {
      this.scopes.push(new Map());
      const init = node.init ? this.statement(node.init) : "";
      const condition = node.condition ? this.expression(node.condition).js : "true";
      const next = node.increment ? this.statement(node.increment).replace(/;$/, "") : "";
      const text = `{${init}for(;${condition};${next},L.turn(${node.line}))${this.block(node.body)}}`;
      this.scopes.pop();
      return text.replace(";,L.turn", ";L.turn");
    }
    if (node instanceof While)
      return `for(;${this.expression(node.condition).js};L.turn(${node.line}))${this.block(node.body)}`;
    if (node instanceof Loop && !node.continuing) return `for(;;L.turn(${node.line}))${this.block(node.body)}`;
    if (node instanceof Return) return isNothing(node.value) ? "return;" : `return ${this.converted(node.value)};`;
    if (node instanceof Break) return node.condition ? `if(${this.expression(node.condition).js})break;` : "break;";
    if (node instanceof Continue) return "continue;";
    if (node instanceof Switch) return this.switch(node);
    return fail(`statement ${node.astNodeType}`, node);
  }

  private switch(node: Switch): string {
    const cases = node.cases.map((one) => {
      const selectors = one instanceof Case ? one.selectors : [null];
      const labels = selectors.map((value) =>
        value === null || value instanceof DefaultSelector ? "default:" : `case ${this.expression(value).js}:`,
      );
      return `${labels.join("")}${this.block(one.body)}break;`;
    });
    return `switch(${this.expression(node.condition).js}){${cases.join("")}}`;
  }

  private declaration(node: Var | Let | Const): string {
    if (node instanceof Let && node.value instanceof UnaryOperator && node.value.operator === "&") {
      const { type, place } = this.pointed(node.value, node);
      const { js } = this.local(node.name, type);
      this.scopes.at(-1)?.set(node.name, { js, type, target: { type, place: { ...place, at: js } } });
      return `let ${js}=${place.at};`;
    }
    const given = node.value ? this.expression(node.value) : null;
    const type = node.type ? this.types.of(node.type) : (given?.type ?? fail("variable without a type", node));
    const value = node.value ? this.converted(node.value) : zero(type);
    const variable = this.local(node.name, type);
    this.scopes.at(-1)?.set(node.name, variable);
    return `let ${variable.js}=${value};`;
  }

  private assignment({ operator, variable, value }: Assign): string {
    if (variable instanceof VariableExpr && variable.name === "_") return `${this.expression(value).js};`;
    const target = this.expression(variable);
    const change = operator.slice(0, -1);
    if (!change) return `${this.stored(target, this.converted(value))};`;
    const changed = binary(change, target, this.expression(value), (what) => fail(what, value));
    return `${this.stored(target, changed.js)};`;
  }

  private stored({ js, type, place }: Typed, value: string): string {
    if (!place) return `${js}=${value}`;
    return isComposite(type)
      ? writer(type, place.memory, place.at, value)
      : `L.write(${place.memory},${place.at},${raw(type, value)})`;
  }

  /** The value as one of its own, of that type. */
  private converted(node: Expression): string {
    const value = this.expression(node);
    if (!isComposite(value.type) || value.fresh || value.place) return value.js;
    return isFlat(value.type) ? `${value.js}.slice()` : `R.copy(${value.js})`;
  }

  private expression(node: Expression): Typed {
    const base = this.base(node);
    return node.postfix ? this.postfixed(base, node.postfix) : loaded(base);
  }

  private postfixed(base: Typed, postfix: Expression | null): Typed {
    let value = base;
    for (let one = postfix; one; one = one.postfix) value = this.part(value, one);
    return loaded(value);
  }

  private part(value: Typed, step: Expression): Typed {
    if (value.type.kind === "pointer") return this.part({ js: `R.of(${value.js}).value`, type: value.type.of }, step);
    const { type, js, place, fresh = false } = value;
    const within = (at: string, of: WgslType, words: string): Typed =>
      place
        ? { js: "", type: of, place: { ...place, at: `${place.at}+${words}` } }
        : { js: `${js}[${at}]`, type: of, fresh };
    if (step instanceof ArrayIndex) {
      const index = this.expression(step.index).js;
      if (type.kind === "vec") return within(index, type.of, index);
      if (type.kind !== "array") return fail("index", step);
      return within(place ? index : `R.inside(${index},${type.count})`, type.of, times(index, type.stride, type.count));
    }
    if (!(step instanceof StringExpr)) return fail("postfix", step);
    if (type.kind === "struct") {
      const at = type.members.findIndex(({ name }) => name === step.value);
      const member = type.members[at] ?? fail(`member ${step.value}`, step);
      return within(String(at), member.type, String(member.at));
    }
    if (type.kind !== "vec") return fail(`member ${step.value}`, step);
    const places = [...step.value].map((name) => "xyzw".indexOf(name) % 4);
    const [only = 0, ...more] = places;
    if (more.length === 0) return within(String(only), type.of, String(only));
    const whole = loaded(value).js;
    return { js: `R.swizzle(${whole},[${places.join()}])`, type: vec(type.of, places.length), fresh: true };
  }

  /** What stands before the postfixes; memory is not yet read. */
  private base(node: Expression): Typed {
    if (node instanceof LiteralExpr) return literal(node);
    if (node instanceof VariableExpr || node instanceof ConstExpr) {
      const { js, type, memory } = this.find(node.name, node);
      return memory ? { js: "", type, place: { memory: js, at: "0", ...memory } } : { js, type };
    }
    if (node instanceof BinaryOperator && node.operator === "&" && isZero(node.right)) {
      // kernels/README: an access that depends on such a zero comes after those whose results are in the word.
      const { js, type } = this.expression(node.left);
      return { js: `L.after(${js},${this.expression(node.right).js})`, type };
    }
    if (node instanceof BinaryOperator)
      return binary(node.operator, this.expression(node.left), this.expression(node.right), (what) => fail(what, node));
    if (node instanceof UnaryOperator) return this.unary(node);
    if (node instanceof CreateExpr || node instanceof TypecastExpr)
      return this.construction(node, node.type ? this.types.of(node.type) : fail("constructor", node), node.args ?? []);
    if (node instanceof CallExpr) return this.call(node, node.name, node.args ?? []);
    if (node instanceof BitcastExpr) {
      const { js } = this.expression(node.value);
      const type = this.types.of(node.type);
      return { js: type.kind === "i32" ? `(${js}|0)` : `(${js}>>>0)`, type };
    }
    return fail(`expression ${node.astNodeType}`, node);
  }

  private unary(node: UnaryOperator): Typed {
    if (node.operator === "&") {
      const { js, type, place } = this.postfixed(this.base(node.right), node.right.postfix);
      if (place) fail("pointer to memory", node);
      return { js: `{get:()=>${js},set:(v)=>{${js}=v}}`, type: { kind: "pointer", of: type, words: 0, align: 1 } };
    }
    const value = this.expression(node.right);
    if (node.operator !== "*") return unary(node.operator, value, (what) => fail(what, node));
    if (value.type.kind !== "pointer") return fail("*", node);
    return { js: `R.of(${value.js}).value`, type: value.type.of };
  }

  private construction(node: Node, type: WgslType, args: readonly Expression[]): Typed {
    if (args.length === 0) return { js: zero(type), type, fresh: true };
    const values = args.map((one) => this.expression(one));
    const [first] = values;
    if (!first) return fail("constructor", node);
    const list = `[${args.map((one) => this.converted(one)).join()}]`;
    if (type.kind === "struct" || (type.kind === "array" && type.count > 0)) return { js: list, type, fresh: true };
    // Its size is that of the list.
    if (type.kind === "array") return { js: list, type: arrayOf(first.type, args.length), fresh: true };
    if (type.kind !== "vec") {
      const { js } = first;
      if (type.kind === "bool") return { js: `Boolean(${js})`, type };
      return { js: type.kind === "i32" ? `(${js}|0)` : `(${js}>>>0)`, type };
    }
    const parts = values.map((one) => (one.type.kind === "vec" ? `...${one.js}` : one.js));
    const one = values.length === 1 && first.type.kind !== "vec";
    const convert = type.of.kind === "u32" && first.type.kind === "vec" && first.type.of.kind === "bool";
    const components = one ? `R.splat(${first.js},${type.count})` : `[${parts.join()}]`;
    return { js: convert ? `${components}.map(Number)` : components, type, fresh: true };
  }

  private call(node: Node & { readonly line: number }, name: string, args: readonly Expression[]): Typed {
    const own = this.functions.get(name);
    if (own) {
      const given = args.map((one) => this.converted(one));
      const [body, ...others] = own.body;
      if (this.stopping.has(name) && body instanceof Return && !isNothing(body.value) && others.length === 0)
        return this.inlined(own, body.value, given);
      const js = `f_${name}(L${given.map((one) => `,${one}`).join("")})`;
      return { js: this.stopping.has(name) ? `(yield* ${js})` : js, type: this.types.of(own.returnType), fresh: true };
    }
    if (name.startsWith("atomic")) return this.atomic(node, name, args);
    if (BARRIERS.test(name)) return this.barrier(node, name, args);
    if (VOTES.test(name)) {
      const values = args.map((one) => this.expression(one));
      const type = name === "subgroupBallot" ? vec(U32, 4) : /A(ny|ll)$/.test(name) ? BOOL : (values[0]?.type ?? U32);
      const list = values.map(({ js }) => js).join();
      return { js: `(L.vote(${JSON.stringify(name)},${node.line},[${list}]),yield,L.got)`, type, fresh: true };
    }
    if (name === "arrayLength") {
      const { place, type } = this.pointed(args[0], node);
      if (type.kind !== "array") return fail(name, node);
      return { js: `Math.floor((${place.memory}.words.length-(${place.at}))/${type.stride})`, type: U32 };
    }
    const declared = this.types.named(name);
    if (declared) return this.construction(node, declared, args);
    return builtin(
      name,
      args.map((one) => this.expression(one)),
      (what) => fail(what, node),
    );
  }

  /** A call of a function that stops and does nothing else than return: one generator less to go through at each stop. */
  private inlined({ args, returnType }: WgslFunction, value: Expression, given: readonly string[]): Typed {
    const parameters = args.map(({ name, type }) => [name, this.local(name, this.types.of(type))] as const);
    const set = parameters.map(([, { js }], i) => `${js}=${given[i]},`);
    this.inlines.push(...parameters.map(([, { js }]) => js));
    const own = this.scopes;
    this.scopes = [new Map(parameters)];
    const js = `(${set.join("")}${this.converted(value)})`;
    this.scopes = own;
    return { js, type: this.types.of(returnType), fresh: true };
  }

  /** Of `&variable[index].member`. */
  private pointed(pointer: Expression | undefined, node: Node) {
    const known = pointer instanceof VariableExpr && this.find(pointer.name, node).target;
    if (known) return known;
    if (!(pointer instanceof UnaryOperator) || pointer.operator !== "&") return fail("pointer to memory", node);
    let value = this.base(pointer.right);
    for (let one = pointer.right.postfix; one; one = one.postfix) value = this.part(value, one);
    return { type: value.type, place: value.place ?? fail("pointer to memory", node) };
  }

  private atomic(node: Node, name: string, [pointer, ...args]: readonly Expression[]): Typed {
    const { place, type } = this.pointed(pointer, node);
    const weak = name === "atomicCompareExchangeWeak";
    const operation = ordered.indexOf(name);
    if (operation < 0) return fail(name, node);
    const given = [0, 1].map((i) => args[i]).map((one) => (one ? this.expression(one).js : "0"));
    const js = `(L.ask(${operation},${place.memory},${place.at},${given.join()},${node.line})&&(yield),L.act())`;
    return { js, type: weak ? EXCHANGED : name === "atomicStore" ? VOID : type, fresh: true };
  }

  private barrier(node: Node, name: string, args: readonly Expression[]): Typed {
    const wait = `(L.wait(${node.line}),yield)`;
    if (name !== "workgroupUniformLoad") return { js: wait, type: VOID };
    const { place, type } = this.pointed(args[0], node);
    return { js: `[${wait},${reader(type, place.memory, place.at, false)},${wait}][1]`, type, fresh: true };
  }
}

const STOPS = /^(atomic|subgroup|workgroupBarrier|storageBarrier|workgroupUniformLoad)/;
const VOTES = /^subgroup/;
const BARRIERS = /^(workgroupBarrier|storageBarrier|workgroupUniformLoad)$/;
const ONE: Typed = { js: "1", type: U32, abstract: true };

/** What `return;` returns, as the parser has it. */
const isNothing = (node: Expression | null): boolean => !node || (node instanceof CreateExpr && !node.type);

/** A zero that the compiler does not know, by its name. */
function isZero(node: Expression): boolean {
  let last: Expression = node;
  while (last.postfix) last = last.postfix;
  return (last instanceof StringExpr ? last.value : last instanceof VariableExpr ? last.name : "") === "zero";
}

function builtinOf(one: Argument): string {
  const name = one.attributes?.find(({ name }) => name === "builtin")?.value ?? fail(`parameter ${one.name}`, one);
  return String(name);
}

/** Throws GpuError for what is not in the subset. `constants`: values of overrides. */
export function compile(wgsl: string, entry: string, constants: Readonly<Record<string, number>>): Program {
  const parsed = (text: string) => new Compiler(new WgslParser().parse(text) as Statement[]);
  return parsed(prepared(wgsl, constants, (text) => parsed(text).constantsOnly())).program(entry);
}
