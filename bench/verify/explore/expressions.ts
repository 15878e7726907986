/** Expressions of a linked module as JavaScript. */
import {
  ArrayIndex,
  BinaryOperator,
  BitcastExpr,
  CallExpr,
  ConstExpr,
  CreateExpr,
  type Expression,
  LiteralExpr,
  type Node,
  Return,
  StringExpr,
  TypecastExpr,
  UnaryOperator,
  VariableExpr,
  type Function as WgslFunction,
} from "wgsl_reflect/wgsl_reflect.module.js";
import { binary, builtin, ordered, unary } from "./builtins.js";
import { BARRIERS, type Names, VOTES } from "./names.js";
import { fail } from "./text.js";
import { arrayOf, BOOL, EXCHANGED, isComposite, isFlat, type Typed, U32, VOID, vec, type WgslType } from "./types.js";
import { literal, loaded, reader, times, zero } from "./values.js";

export class Expressions {
  /** Parameters of functions that are inlined in the one that is being compiled. */
  inlines: string[] = [];

  constructor(private readonly names: Names) {}

  /** The value as one of its own, of that type. */
  converted(node: Expression): string {
    const value = this.expression(node);
    if (!isComposite(value.type) || value.fresh || value.place) return value.js;
    return isFlat(value.type) ? `${value.js}.slice()` : `R.copy(${value.js})`;
  }

  expression(node: Expression): Typed {
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
      const { js, type, memory } = this.names.find(node.name, node);
      return memory ? { js: "", type, place: { memory: js, at: "0", ...memory } } : { js, type };
    }
    if (node instanceof BinaryOperator && node.operator === "&" && isZero(node.right)) {
      // kernels/README: an access that depends on such a zero comes after those whose results are in the word.
      const { js, type } = this.expression(node.left);
      return { js: `L.after(${js},${this.expression(node.right).js})`, type };
    }
    if (node instanceof BinaryOperator)
      return binary(node.operator, this.expression(node.left), this.expression(node.right), node);
    if (node instanceof UnaryOperator) return this.unary(node);
    if (node instanceof CreateExpr || node instanceof TypecastExpr)
      return this.construction(
        node,
        node.type ? this.names.types.of(node.type) : fail("constructor", node),
        node.args ?? [],
      );
    if (node instanceof CallExpr) return this.call(node, node.name, node.args ?? []);
    if (node instanceof BitcastExpr) {
      const { js } = this.expression(node.value);
      const type = this.names.types.of(node.type);
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
    if (node.operator !== "*") return unary(node.operator, value, node);
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

  call(node: Node & { readonly line: number }, name: string, args: readonly Expression[]): Typed {
    const own = this.names.functions.get(name);
    if (own) {
      const given = args.map((one) => this.converted(one));
      const [body, ...others] = own.body;
      if (this.names.stopping.has(name) && body instanceof Return && !isNothing(body.value) && others.length === 0)
        return this.inlined(own, body.value, given);
      const js = `f_${name}(L${given.map((one) => `,${one}`).join("")})`;
      return {
        js: this.names.stopping.has(name) ? `(yield* ${js})` : js,
        type: this.names.types.of(own.returnType),
        fresh: true,
      };
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
    const declared = this.names.types.named(name);
    if (declared) return this.construction(node, declared, args);
    return builtin(
      name,
      args.map((one) => this.expression(one)),
      node,
    );
  }

  /** A call of a function that stops and does nothing else than return: one generator less to go through at each stop. */
  private inlined({ args, returnType }: WgslFunction, value: Expression, given: readonly string[]): Typed {
    const parameters = args.map(({ name, type }) => [name, this.names.local(name, this.names.types.of(type))] as const);
    const set = parameters.map(([, { js }], i) => `${js}=${given[i]},`);
    this.inlines.push(...parameters.map(([, { js }]) => js));
    const own = this.names.scopes;
    this.names.scopes = [new Map(parameters)];
    const js = `(${set.join("")}${this.converted(value)})`;
    this.names.scopes = own;
    return { js, type: this.names.types.of(returnType), fresh: true };
  }

  /** Of `&variable[index].member`. */
  pointed(pointer: Expression | undefined, node: Node) {
    const known = pointer instanceof VariableExpr && this.names.find(pointer.name, node).target;
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

/** What `return;` returns, as the parser has it. */
export const isNothing = (node: Expression | null): boolean => !node || (node instanceof CreateExpr && !node.type);

/** A zero that the compiler does not know, by its name. */
function isZero(node: Expression): boolean {
  let last: Expression = node;
  while (last.postfix) last = last.postfix;
  return (last instanceof StringExpr ? last.value : last instanceof VariableExpr ? last.name : "") === "zero";
}
