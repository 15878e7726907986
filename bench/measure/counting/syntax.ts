/** The syntax tree of a linked module as weights.ts looks at it: functions, memory, and what constants decide. */
import {
  Alias,
  BinaryOperator,
  Const,
  ConstExpr,
  type Expression,
  LiteralExpr,
  Override,
  type Statement,
  Struct,
  Var,
  VariableExpr,
  Function as WgslFunction,
  WgslParser,
} from "wgsl_reflect/wgsl_reflect.module.js";

export class Syntax {
  readonly functions = new Map<string, WgslFunction>();
  readonly types = new Set<string>();
  /** Variables whose access is a memory operation. */
  readonly memory = new Set<string>();
  private readonly values = new Map<string, number>();

  constructor(wgsl: string, constants: Readonly<Record<string, number>>) {
    for (const node of new WgslParser().parse(wgsl) as Statement[]) {
      if (node instanceof WgslFunction) this.functions.set(node.name, node);
      else if (node instanceof Struct || node instanceof Alias) this.types.add(node.name);
      else if (node instanceof Var && (node.storage === "storage" || node.storage === "workgroup"))
        this.memory.add(node.name);
      else if (node instanceof Const || node instanceof Override) {
        const value = constants[node.name] ?? (node.value ? this.constant(node.value) : null);
        if (value !== null) this.values.set(node.name, value);
      }
    }
  }

  /** The expression's value where it is a constant of u32 arithmetic; null where it is not, or too involved to say. */
  constant(expression: Expression): number | null {
    if (expression.postfix) return null;
    if (expression instanceof LiteralExpr) return expression.isScalar ? expression.scalarValue : null;
    if (expression instanceof ConstExpr) return this.values.get(expression.name) ?? null;
    if (expression instanceof VariableExpr) return this.values.get(expression.name) ?? null;
    if (expression instanceof BinaryOperator) {
      const [a, b] = [this.constant(expression.left), this.constant(expression.right)];
      return a === null || b === null ? null : (OPERATORS[expression.operator]?.(a, b) ?? null);
    }
    return null;
  }

  /** Whether the expression is one of u32 arithmetic on constants and sizes alone. */
  settled(expression: Expression): boolean {
    if (expression instanceof BinaryOperator && !expression.postfix && expression.operator in OPERATORS)
      return this.settled(expression.left) && this.settled(expression.right);
    return (expression instanceof VariableExpr && expression.name === "sizes") || this.constant(expression) !== null;
  }
}

/** The operators of u32 arithmetic; null: the result is not a number. */
const OPERATORS: Readonly<Record<string, (a: number, b: number) => number | null>> = {
  "+": (a, b) => (a + b) >>> 0,
  "-": (a, b) => (a - b) >>> 0,
  "*": (a, b) => Math.imul(a, b) >>> 0,
  "/": (a, b) => (b === 0 ? null : Math.floor(a / b)),
  "%": (a, b) => (b === 0 ? null : a % b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
};
