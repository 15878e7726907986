/** Values of WGSL in JavaScript: read from memory, written to it, and made. */
import type { LiteralExpr } from "wgsl_reflect/wgsl_reflect.module.js";
import { BOOL, type Typed, U32, vec, type WgslType } from "./types.js";

export const times = (index: string, stride: number, count: number) =>
  count > 0 ? `R.inside(${index},${count})*${stride}` : `(${index})*${stride}`;

export function literal(node: LiteralExpr): Typed {
  const { type } = node;
  if (!node.isScalar) {
    const words = [...node.vectorValue];
    return { js: `[${words.join()}]`, type: vec(U32, words.length), fresh: true };
  }
  const value = node.scalarValue;
  if (type.name === "bool") return { js: String(value !== 0), type: BOOL };
  if (type.name === "i32") return { js: `(${value})`, type: { ...U32, kind: "i32" } };
  return { js: `(${value})`, type: U32, abstract: type.name !== "u32" };
}

export function zero(type: WgslType): string {
  if (type.kind === "bool") return "false";
  if (type.kind === "vec" || type.kind === "array")
    return type.count > FEW
      ? `R.made(${type.count},()=>${zero(type.of)})`
      : `[${new Array(type.count).fill(zero(type.of)).join()}]`;
  if (type.kind === "struct") return `[${type.members.map((one) => zero(one.type)).join()}]`;
  return "0";
}

export const raw = (type: WgslType, value: string) => (type.kind === "bool" ? `Number(${value})` : value);

export function loaded(value: Typed): Typed {
  const { place, type } = value;
  if (!place || value.js) return value;
  return { ...value, js: reader(type, place.memory, place.at, place.writable), fresh: true };
}

/** Of an array: its components are written out. */
const FEW = 8;

/** Reads a value of memory. @param watched other lanes may write it */
export function reader(type: WgslType, memory: string, at: string, watched: boolean): string {
  if (type.kind === "vec" || (type.kind === "array" && type.count > 0)) {
    const stride = type.kind === "vec" ? 1 : type.stride;
    if (type.count > FEW)
      return `((at)=>R.made(${type.count},(i)=>${reader(type.of, memory, `at+i*${stride}`, watched)}))(${at})`;
    const parts = Array.from({ length: type.count }, (_, i) => reader(type.of, memory, `at+${i * stride}`, watched));
    return `((at)=>[${parts.join()}])(${at})`;
  }
  if (type.kind === "struct")
    return `((at)=>[${type.members.map((one) => reader(one.type, memory, `at+${one.at}`, watched)).join()}])(${at})`;
  const word = watched ? `L.read(${memory},${at})` : `L.constant(${memory},${at})`;
  if (type.kind === "bool") return `(${word}!==0)`;
  return type.kind === "i32" ? `(${word}|0)` : word;
}

export function writer(type: WgslType, memory: string, at: string, value: string): string {
  const parts = (t: WgslType, from: string, of: string): string => {
    if (t.kind === "vec" || t.kind === "array") {
      const stride = t.kind === "vec" ? 1 : t.stride;
      return `${of}.forEach((v,i)=>{const w=${from}+i*${stride};${parts(t.of, "w", "v")}});`;
    }
    if (t.kind === "struct")
      return `{const s=${of},q=${from};${t.members.map((one, i) => `{const u=s[${i}],x=q+${one.at};${parts(one.type, "x", "u")}}`).join("")}}`;
    return `L.write(${memory},${from},${raw(t, of)});`;
  };
  return `((at,v)=>{${parts(type, "at", "v")}})(${at},${value})`;
}
