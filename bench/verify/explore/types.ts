/** Types of WGSL as far as the kernels use them, and where their parts lie in memory. */
import { Alias, ArrayType, PointerType, Struct, TemplateType, type Type } from "wgsl_reflect/wgsl_reflect.module.js";
import { fail } from "./text.js";

/** Sizes and places are in words of 4 bytes. */
export type WgslType = {
  readonly words: number;
  readonly align: number;
} & (
  | { readonly kind: "u32" | "i32" | "bool" | "void" }
  | { readonly kind: "vec"; readonly of: WgslType; readonly count: number }
  /** `count` is 0 where the buffer decides it. */
  | { readonly kind: "array"; readonly of: WgslType; readonly count: number; readonly stride: number }
  | { readonly kind: "struct"; readonly members: readonly Member[] }
  | { readonly kind: "pointer"; readonly of: WgslType }
);

interface Member {
  readonly name: string;
  readonly type: WgslType;
  readonly at: number;
}

const scalar = (kind: "u32" | "i32" | "bool" | "void"): WgslType => ({ kind, words: 1, align: 1 });
export const U32 = scalar("u32");
export const I32 = scalar("i32");
export const BOOL = scalar("bool");
export const VOID = scalar("void");

export const vec = (of: WgslType, count: number): WgslType => ({
  kind: "vec",
  of,
  count,
  words: count,
  align: count === 2 ? 2 : 4,
});

export function arrayOf(of: WgslType, count: number): WgslType {
  const stride = up(of.words, of.align);
  return { kind: "array", of, count, stride, words: count * stride, align: of.align };
}

function struct(members: readonly (readonly [string, WgslType])[]): WgslType {
  let at = 0;
  const placed = members.map(([member, type]) => {
    const place = up(at, type.align);
    at = place + type.words;
    return { name: member, type, at: place };
  });
  const align = Math.max(1, ...members.map(([, type]) => type.align));
  return { kind: "struct", members: placed, align, words: up(at, align) };
}

/** What the weak compare-exchange returns. */
export const EXCHANGED = struct([
  ["old_value", U32],
  ["exchanged", BOOL],
]);

function up(at: number, to: number): number {
  return Math.ceil(at / to) * to;
}

/** Whether a value is an array in JavaScript, which has to be copied. */
export const isComposite = ({ kind }: WgslType): boolean => kind === "vec" || kind === "array" || kind === "struct";

/** Whether no part of a composite is one. */
export function isFlat(type: WgslType): boolean {
  if (type.kind === "struct") return !type.members.some((one) => isComposite(one.type));
  return type.kind === "vec" || (type.kind === "array" && !isComposite(type.of));
}

/** The types that a module declares. */
export class Types {
  private readonly own = new Map<string, Type>();

  constructor(declared: readonly unknown[]) {
    for (const node of declared) {
      if (node instanceof Struct) this.own.set(node.name, node);
      else if (node instanceof Alias) this.own.set(node.name, node.type);
    }
  }

  named(name: string): WgslType | undefined {
    const own = this.own.get(name);
    return own ? this.of(own) : (SCALARS[name] ?? vectorOf(name));
  }

  of(type: Type | null): WgslType {
    if (!type) return VOID;
    if (type instanceof Struct) return struct(type.members.map((one) => [one.name, this.member(one)] as const));
    const own = this.own.get(type.name);
    if (own) return this.of(own);
    if (type instanceof ArrayType) {
      return arrayOf(type.format ? this.of(type.format) : U32, Math.max(0, type.count));
    }
    if (type instanceof PointerType) return { kind: "pointer", of: this.of(type.type), words: 0, align: 1 };
    if (type instanceof TemplateType && type.name === "atomic") return this.of(type.format);
    const count = Number(/^vec([234])$/.exec(type.name)?.[1]);
    if (type instanceof TemplateType && count) return vec(this.of(type.format), count);
    return SCALARS[type.name] ?? vectorOf(type.name) ?? fail(`type ${type.name}`, type);
  }

  private member({ type, attributes }: Struct["members"][number]): WgslType {
    const own = this.of(type);
    const given = (name: string) => Number(attributes?.find((one) => one.name === name)?.value ?? 0) / 4;
    return { ...own, align: given("align") || own.align, words: given("size") || own.words };
  }
}

const SCALARS: Readonly<Record<string, WgslType>> = { u32: U32, i32: I32, bool: BOOL, x32: U32 };
const VECTOR = /^vec([234])([ui])?$/;

function vectorOf(name: string): WgslType | undefined {
  const [, count, of] = VECTOR.exec(name) ?? [];
  return count && of ? vec(of === "i" ? I32 : U32, Number(count)) : undefined;
}

/** An expression in JavaScript, and its type. */
export interface Typed {
  readonly js: string;
  readonly type: WgslType;
  /** It is a value that nobody else has: a composite need not be copied. */
  readonly fresh?: boolean;
  /** A literal without a type. */
  readonly abstract?: boolean;
  /** Of memory: its variable and the word. */
  readonly place?: { readonly memory: string; readonly at: string; readonly writable: boolean };
}
