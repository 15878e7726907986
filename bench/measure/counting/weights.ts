/**
 * Static operations of a kernel's regions, read from its linked WGSL: the weights of the instruction-weighted warp
 * efficiency.
 *
 * What is counted, once each: an operator; a call of a built-in function; an atomic; a load or store of a storage or
 * workgroup variable; a branch; a turn of a loop. Nothing: literals, names, moves, declarations, constructors,
 * conversions, returns, and everything that only counts (functions named count_…). Calls are counted as the body they
 * call. Conditions on constants are decided, as a compiler does, and a loop of a constant number of turns counts as many
 * times. What is made of constants and sizes alone (bench/device/sizes.ts) counts nothing: no lane has a value of its own, and
 * the kernel could as well be given the result. A division, or remainder, by an expression that is not constant counts as many as a compiler
 * makes of it: GPUs have no instruction for it. The number is of the source: an optimising compiler needs more (address arithmetic) or less (common terms).
 *
 * Which region an operation belongs to: count_step begins PROBE, count_once(R) and count_region(R) region R, to the end of
 * their block; a loop's header belongs to the region its body begins. What comes before any of them is PROLOGUE. A region
 * that begins in several places, because the function that begins it is called there, weighs their mean.
 */
import {
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
  type Expression,
  For,
  If,
  Increment,
  Let,
  LiteralExpr,
  Loop,
  type Node,
  Return,
  Switch,
  TypecastExpr,
  UnaryOperator,
  Var,
  VariableExpr,
  While,
} from "wgsl_reflect/wgsl_reflect.module.js";
import { Syntax } from "./syntax.js";

/** Names of the regions of kernels/common/count.wgsl, in the order of their numbers. */
export const REGION_NAMES = ["prologue", "probe", "claim", "step", "next", "epilogue", "wait", "fetch"] as const;
const PROBE = REGION_NAMES.indexOf("probe");

export interface KernelText {
  /** The linked module of the counting variant. */
  readonly wgsl: string;
  readonly entry: string;
  readonly constants: Readonly<Record<string, number>>;
}

/** Operations of each region of the entry point, by its number. Throws an Error on syntax it does not know. */
export function regionOperations({ wgsl, entry, constants }: KernelText): number[] {
  const module = new Syntax(wgsl, constants);
  const weights = new Weights(module);
  weights.call(entry, 0);
  return weights.operations.map((operations, region) => operations / Math.max(1, weights.places[region] ?? 1));
}

/** "Integer division and modulo operation are costly as they compile to up to 20 instructions" (CUDA C++ Programming Guide). */
const DIVISION = 20;
const COUNTING = /^count_/;
const BEGINS_PROBE = /^count_step$/;
const BEGINS_REGION = /^count_(region|once)$/;

class Weights {
  readonly operations: number[] = REGION_NAMES.map(() => 0);
  /** In how many places each region begins. */
  readonly places: number[] = REGION_NAMES.map(() => 0);
  /** Times that the code at hand is counted, for loops of a constant number of turns. */
  private times = 1;

  constructor(private readonly module: Syntax) {}

  call(name: string, region: number): void {
    const body = this.module.functions.get(name)?.body;
    if (!body) throw new Error(`no function ${name} to weigh`);
    this.block(body, region);
  }

  private add(region: number, count = 1): void {
    this.operations[region] = (this.operations[region] ?? 0) + count * this.times;
  }

  private block(statements: readonly Node[], region: number): void {
    let current = region;
    for (const statement of statements) {
      // A block between braces of its own.
      if (Array.isArray(statement)) this.block(statement, current);
      else {
        const begun = this.begins(statement);
        if (begun === null) this.statement(statement, current);
        else {
          current = begun;
          this.places[begun] = (this.places[begun] ?? 0) + 1;
        }
      }
    }
  }

  /** The region that a statement begins; null if it begins none. */
  private begins(statement: Node): number | null {
    if (!(statement instanceof Call)) return null;
    if (BEGINS_PROBE.test(statement.name)) return PROBE;
    if (!BEGINS_REGION.test(statement.name)) return null;
    const [argument] = statement.args;
    const region = argument ? this.module.constant(argument) : null;
    if (region === null || !(region in REGION_NAMES)) throw new Error(`${statement.name}: which region?`);
    return region;
  }

  private statement(node: Node, region: number): void {
    if (node instanceof Let || node instanceof Var || node instanceof Const) {
      if (node.value && !(node instanceof Const)) this.expression(node.value, region);
    } else if (node instanceof Assign) {
      this.expression(node.value, region);
      this.expression(node.variable, region);
      if (node.operator !== "=") this.add(region);
    } else if (node instanceof Increment) {
      this.expression(node.variable, region);
      this.add(region);
    } else if (node instanceof Call) this.called(node.name, node.args, region);
    else if (node instanceof Return) {
      if (node.value) this.expression(node.value, region);
    } else if (node instanceof If) this.branch(node, region);
    else if (node instanceof For) this.loop(node, region);
    else if (node instanceof While) {
      const inside = this.firstRegion(node.body) ?? region;
      this.expression(node.condition, inside);
      this.add(inside);
      this.block(node.body, region);
    } else if (node instanceof Loop) {
      this.add(this.firstRegion(node.body) ?? region);
      this.block(node.body, region);
    } else if (node instanceof Switch) {
      this.expression(node.condition, region);
      this.add(region);
      // One case is executed: the dearest, so that nothing is left out.
      this.dearest(node.cases.map((one) => () => this.block(one.body, region)));
    } else if (!(node instanceof Break || node instanceof Continue || node instanceof Case)) {
      throw new Error(`a ${node.astNodeType} to weigh`);
    }
  }

  private branch({ condition, body, elseif, else: otherwise }: If, region: number): void {
    const known = this.module.constant(condition);
    if (known === null) {
      this.expression(condition, region);
      this.add(region);
    }
    if (known !== 0) this.block(body, region);
    if (known !== null && known !== 0) return;
    for (const other of elseif ?? []) {
      this.expression(other.condition, region);
      this.add(region);
      this.block(other.body, region);
    }
    if (otherwise) this.block(otherwise, region);
  }

  private loop(node: For, region: number): void {
    const inside = this.firstRegion(node.body) ?? region;
    const turns = this.marked(node.body) ? null : this.constantTurns(node);
    const before = this.times;
    this.times *= turns ?? 1;
    if (node.condition) this.expression(node.condition, inside);
    if (node.increment) this.statement(node.increment, inside);
    this.add(inside);
    this.block(node.body, region);
    this.times = before;
  }

  /** Turns of `for (var i = a; i < b; i++)` with constant a and b. */
  private constantTurns({ init, condition, increment }: For): number | null {
    if (!(init instanceof Var && init.value && condition instanceof BinaryOperator && increment instanceof Increment))
      return null;
    const [from, to] = [this.module.constant(init.value), this.module.constant(condition.right)];
    if (from === null || to === null || condition.operator !== "<") return null;
    return Math.max(0, to - from);
  }

  /** Whether the statements, or a function they call, begin a region: their turns are counted, not weighed. */
  private marked(body: readonly Node[]): boolean {
    let found = false;
    const look = (node: Node): void => {
      if (!(node instanceof Call || node instanceof CallExpr) || found) return;
      const callee = COUNTING.test(node.name) ? undefined : this.module.functions.get(node.name);
      found = BEGINS_PROBE.test(node.name) || BEGINS_REGION.test(node.name) || (!!callee && this.marked(callee.body));
    };
    for (const statement of body.flat(8)) statement.search(look);
    return found;
  }

  /** The region that a block begins on its own level. */
  private firstRegion(body: readonly Node[]): number | null {
    for (const statement of body) {
      const region = this.begins(statement);
      if (region !== null) return region;
    }
    return null;
  }

  private dearest(alternatives: readonly (() => void)[]): void {
    const before = [...this.operations];
    let best = before;
    const total = (operations: readonly number[]) => operations.reduce((sum, count) => sum + count, 0);
    for (const alternative of alternatives) {
      this.operations.splice(0, before.length, ...before);
      alternative();
      if (total(this.operations) > total(best)) best = [...this.operations];
    }
    this.operations.splice(0, before.length, ...best);
  }

  private called(name: string, args: readonly Expression[] | null, region: number): void {
    if (COUNTING.test(name)) return;
    for (const argument of args ?? []) this.expression(argument, region);
    if (this.module.functions.has(name)) this.call(name, region);
    else if (!this.module.types.has(name)) this.add(region);
  }

  /** Whether the divisor is not constant: division by a constant is a shift, or a multiplication. */
  private dividing({ operator, right }: BinaryOperator): boolean {
    return (operator === "/" || operator === "%") && this.module.constant(right) === null;
  }

  private expression(node: Expression, region: number): void {
    if (node instanceof LiteralExpr || node instanceof ConstExpr) return;
    if (node instanceof BinaryOperator) {
      if (this.module.settled(node)) return;
      this.add(region, this.dividing(node) ? DIVISION : 1);
      this.expression(node.left, region);
      this.expression(node.right, region);
    } else if (node instanceof UnaryOperator) {
      if (node.operator === "&" || node.operator === "*") this.address(node.right, region);
      else {
        this.add(region);
        this.expression(node.right, region);
      }
    } else if (node instanceof CallExpr) this.called(node.name, node.args, region);
    else if (node instanceof CreateExpr || node instanceof TypecastExpr) {
      for (const argument of node.args ?? []) this.expression(argument, region);
    } else if (node instanceof BitcastExpr) this.expression(node.value, region);
    else if (node instanceof VariableExpr) {
      if (this.module.memory.has(node.name)) this.add(region);
    } else if (node instanceof ArrayIndex) this.expression(node.index as Expression, region);
    if (node.postfix) this.postfix(node.postfix, region);
  }

  /** Operations of finding an address: those of its indices. */
  private address(node: Expression, region: number): void {
    if (node.postfix) this.postfix(node.postfix, region);
  }

  private postfix(node: Expression, region: number): void {
    if (node instanceof ArrayIndex) this.expression(node.index as Expression, region);
    if (node.postfix) this.postfix(node.postfix, region);
  }
}
