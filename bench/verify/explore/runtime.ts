/** What compiled kernels call beside their lane: values that are arrays in JavaScript. */

type Value = number | boolean | Value[];
interface Pointer {
  get(): Value;
  set(value: Value): void;
}

export const runtime = {
  copy: (value: Value): Value => (Array.isArray(value) ? value.map(runtime.copy) : value),
  select: (no: Value, yes: Value, condition: boolean): Value => (condition ? yes : no),
  made<T>(count: number, value: (i: number) => T): T[] {
    const all: T[] = [];
    for (let i = 0; i < count; i++) all.push(value(i));
    return all;
  },
  splat: (value: Value, count: number): Value[] => new Array<Value>(count).fill(value),
  swizzle: (value: readonly Value[], places: readonly number[]): Value[] => places.map((i) => value[i] as Value),
  inside(index: number, count: number): number {
    if (index >= count) throw new Error(`index ${index} of an array of ${count}`);
    return index;
  },
  /** What a pointer points to, to be read and written. */
  of: (pointer: Pointer) => ({
    get value() {
      return pointer.get();
    },
    set value(value: Value) {
      pointer.set(value);
    },
  }),
  /** Component by component; what is no vector stands for one of equal components. */
  map(f: (...words: number[]) => Value, a: Value, b: Value = 0, c: Value = 0): Value[] {
    const { length } = [a, b, c].find(Array.isArray) as Value[];
    const part = (value: Value, i: number) => (Array.isArray(value) ? value[i] : value) as number;
    return runtime.made(length, (i) => f(part(a, i), part(b, i), part(c, i)));
  },
  ones(word: number): number {
    let [rest, count] = [word, 0];
    for (; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count += 1;
    return count;
  },
};

/** Compiled code; R is the runtime. */
export function evaluate<T>(text: string): T {
  return new Function("R", `"use strict";${text}`)(runtime) as T;
}
