/** Operators and functions of WGSL on words, in JavaScript. */
import type { Node } from "wgsl_reflect/wgsl_reflect.module.js";
import { fail } from "./text.js";
import { BOOL, type Typed, U32, vec, type WgslType } from "./types.js";

/** Atomic operations: what each leaves of the old word and its operand. The weak compare-exchange is left to `Lane.act`. */
const ATOMICS: Readonly<Record<string, (old: number, x: number) => number>> = {
  atomicLoad: (old) => old,
  atomicStore: (_, x) => x,
  atomicAdd: (old, x) => (old + x) >>> 0,
  atomicSub: (old, x) => (old - x) >>> 0,
  atomicMax: (old, x) => Math.max(old, x),
  atomicMin: (old, x) => Math.min(old, x),
  atomicAnd: (old, x) => (old & x) >>> 0,
  atomicOr: (old, x) => (old | x) >>> 0,
  atomicXor: (old, x) => (old ^ x) >>> 0,
  atomicExchange: (_, x) => x,
  atomicCompareExchangeWeak: (old) => old,
};
/** By their number in `Lane.ask`. */
export const ordered = Object.keys(ATOMICS);
export const applied = Object.values(ATOMICS);
export const LOAD = ordered.indexOf("atomicLoad");
export const STORE = ordered.indexOf("atomicStore");
export const WEAK = ordered.indexOf("atomicCompareExchangeWeak");

const COMPARISONS: Readonly<Record<string, string>> = {
  "==": "===",
  "!=": "!==",
  "<": "<",
  ">": ">",
  "<=": "<=",
  ">=": ">=",
};

function words(operator: string, a: string, b: string, signed: boolean): string | null {
  const wrap = signed ? "|0" : ">>>0";
  if (operator in COMPARISONS) return `(${a}${COMPARISONS[operator]}${b})`;
  if (operator === "*") return `(Math.imul(${a},${b})${wrap})`;
  // A division by zero is a value in WGSL: the dividend, and 0 as the remainder.
  if (operator === "/") return `((${a}/(${b}||1))${wrap})`;
  if (operator === "%") return `((${a}%(${b}||1))${wrap})`;
  if (operator === ">>") return signed ? `(${a}>>${b})` : `(${a}>>>${b})`;
  return "+-&|^<<".includes(operator) ? `((${a}${operator}${b})${wrap})` : null;
}

function bools(operator: string, a: string, b: string): string | null {
  if (["&&", "||"].includes(operator)) return `(${a}${operator}${b})`;
  if (["&", "|"].includes(operator)) return `Boolean(${a}${operator}${b})`;
  return operator === "==" || operator === "!=" ? `(${a}${COMPARISONS[operator]}${b})` : null;
}

export function binary(operator: string, a: Typed, b: Typed, node: Node): Typed {
  const wide = a.type.kind === "vec" ? a.type : b.type.kind === "vec" ? b.type : null;
  const of = wide ? wide.of : a.abstract ? b.type : a.type;
  const one = (x: string, y: string) =>
    (of.kind === "bool" ? bools(operator, x, y) : words(operator, x, y, of.kind === "i32")) ?? fail(operator, node);
  const result: WgslType = operator in COMPARISONS ? BOOL : of;
  if (!wide) return { js: one(a.js, b.js), type: result, abstract: a.abstract === true && b.abstract === true };
  return { js: `R.map((x,y)=>${one("x", "y")},${a.js},${b.js})`, type: vec(result, wide.count), fresh: true };
}

export function unary(operator: string, a: Typed, node: Node): Typed {
  const one = (x: string, { kind }: WgslType): string => {
    const wrap = kind === "i32" ? "|0" : ">>>0";
    if (operator === "!") return `(!${x})`;
    if (operator === "~") return `((~${x})${wrap})`;
    return operator === "-" ? `((-${x})${wrap})` : fail(operator, node);
  };
  if (a.type.kind !== "vec") return { js: one(a.js, a.type), type: a.type };
  return { js: `R.map((x)=>${one("x", a.type.of)},${a.js})`, type: a.type, fresh: true };
}

const SCALAR: Readonly<Record<string, (...args: string[]) => string>> = {
  min: (a, b) => `Math.min(${a},${b})`,
  max: (a, b) => `Math.max(${a},${b})`,
  clamp: (a, low, high) => `Math.min(Math.max(${a},${low}),${high})`,
  countOneBits: (a) => `R.ones(${a})`,
  countLeadingZeros: (a) => `Math.clz32(${a})`,
  countTrailingZeros: (a) => `((w)=>w===0?32:31-Math.clz32(w&-w))(${a})`,
  firstTrailingBit: (a) => `((w)=>w===0?0xffffffff:31-Math.clz32(w&-w))(${a})`,
  firstLeadingBit: (a) => `((w)=>w===0?0xffffffff:31-Math.clz32(w))(${a})`,
  reverseBits: (a) => `((w)=>{let r=0;for(let i=0;i<32;i++)r=((r<<1)|((w>>>i)&1))>>>0;return r})(${a})`,
  extractBits: (a, at, n) => `((w,o,c)=>c===0?0:((w>>>o)&((2**c-1)>>>0))>>>0)(${a},${at},${n})`,
};

/** A function that WGSL has. */
export function builtin(name: string, args: readonly Typed[], node: Node): Typed {
  const [a, b, c] = args;
  if (!a) return fail(name, node);
  if ((name === "any" || name === "all") && a.type.kind === "vec")
    return { js: `${a.js}.${name === "any" ? "some" : "every"}(Boolean)`, type: BOOL };
  if (name === "any" || name === "all") return a;
  if (name === "select" && b && c) {
    const { type } = a.abstract ? b : a;
    // Both are evaluated, as in WGSL.
    if (c.type.kind === "vec") return { js: `R.map((x,y,z)=>z?y:x,${a.js},${b.js},${c.js})`, type, fresh: true };
    return { js: `R.select(${a.js},${b.js},${c.js})`, type };
  }
  if (name === "dot" && b && a.type.kind === "vec")
    return { js: `(R.map(Math.imul,${a.js},${b.js}).reduce((x,y)=>x+y)>>>0)`, type: U32 };
  const scalar = SCALAR[name];
  if (!scalar) return fail(name, node);
  const wide = args.find(({ type }) => type.kind === "vec");
  const plain = a.abstract ? (b ?? a) : a;
  if (!wide) return { js: scalar(...args.map(({ js }) => js)), type: plain.type };
  const names = args.map((_, i) => `x${i}`);
  return { js: `R.map((${names})=>${scalar(...names)},${args.map(({ js }) => js)})`, type: wide.type, fresh: true };
}
