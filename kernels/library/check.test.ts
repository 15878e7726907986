/** Checks of a caller's buffers: each argument of each operation, by itself and with each other one. */
import { describe, expect, test } from "vitest";
import { USAGE } from "../device/commands.js";
import type { MixedBatch } from "../table.js";
import { bufferCheck, recordedCheck } from "./check.js";
import { checkedBatch } from "./mixed.js";
import { OUTCOME_BYTES } from "./types.js";

const MOST = 2 ** 35;
const check = bufferCheck({ maxStorageBufferBindingSize: MOST } as GPUSupportedLimits, "mine");
const recorded = recordedCheck(check, "mine");
const batch = (given: MixedBatch) => checkedBatch(check, "mine.mixed", given);
const buffer = (size: number, usage: number = USAGE.STORAGE) => ({ size, usage }) as GPUBuffer;

type Buffers = Readonly<Record<string, GPUBuffer>>;
interface Operation {
  readonly name: string;
  readonly buffers: readonly string[];
  run(buffers: Buffers, n: number, first: number): void;
}

const operations: readonly Operation[] = [
  {
    name: "insert",
    buffers: ["keys", "values"],
    run: (own, n, first) => check.pairs("insert", { ...own, n, first } as never),
  },
  {
    name: "find",
    buffers: ["keys", "results"],
    run: (own, n, first) => check.lookups("find", { ...own, n, first } as never),
  },
  { name: "erase", buffers: ["keys"], run: (own, n, first) => check.erasures("erase", { ...own, n, first } as never) },
  {
    name: "mixed",
    buffers: ["kinds", "keys", "values", "results"],
    run: (own, count, first) =>
      batch({
        ...own,
        slices: [
          { first: 0, count: 1 },
          { first, count },
        ],
      } as never),
  },
];
const buffersOf = ({ buffers }: Operation, size: number) =>
  Object.fromEntries(buffers.map((name) => [name, buffer(size)]));
const cases = operations.flatMap((operation) =>
  operation.buffers.flatMap((name) => [0, 7].map((first) => ({ operation, name, first }))),
);

describe.each(cases)("$operation.name from $first on: $name", ({ operation, name, first }) => {
  const n = 5;
  const bytes = 4 * (first + n);

  test("has all items, or is refused by its name", () => {
    const fitting = buffersOf(operation, bytes);
    operation.run(fitting, n, first);
    const run = (size: number) => () => operation.run({ ...fitting, [name]: buffer(size) }, n, first);
    expect(run(bytes - 1)).toThrow(`${name}: the buffer has ${bytes - 1} bytes; ${first + n} items take ${bytes}`);
    expect(run(bytes + 1)).not.toThrow();
    expect(run(MOST + 1)).not.toThrow();
  });

  test("has them where the device can bind them", () => {
    const few = bufferCheck({ maxStorageBufferBindingSize: bytes - 4 } as GPUSupportedLimits, "few");
    expect(() =>
      few.pairs("insert", { ...buffersOf(operation, MOST), values: buffer(MOST), n, first } as never),
    ).toThrow(/few\.insert has no|few\.insert: keys: \d+ items take \d+ bytes; the device binds at most/);
  });

  test("is a buffer, or is refused by its name and as what it is", () => {
    const fitting = buffersOf(operation, bytes);
    const run = (given: unknown) => () => operation.run({ ...fitting, [name]: given as GPUBuffer }, n, first);
    expect(run(new Uint32Array(9))).toThrow(`mine.${operation.name}: ${name} is a Uint32Array; it takes a GPUBuffer`);
    expect(run([1])).toThrow(`mine.${operation.name}: ${name} is an Array; it takes a GPUBuffer`);
    expect(run(undefined)).toThrow(`mine.${operation.name}: ${name} is missing; it takes a GPUBuffer`);
  });

  test("has the usage STORAGE, or is refused by its name", () => {
    const own = { ...buffersOf(operation, bytes), [name]: buffer(bytes, USAGE.COPY_DST | USAGE.COPY_SRC) };
    expect(() => operation.run(own, n, first)).toThrow(`${name}: the buffer lacks the usage STORAGE`);
  });
});

const LAST = 2 ** 32 - 1;

test.each(operations)("$name: numbers of items are whole, from 0 to 2^32 - 1", (operation) => {
  const run =
    (n: number, first = 0) =>
    () =>
      operation.run(buffersOf(operation, 4 * (LAST + 1)), n, first);
  for (const n of [0, 1, LAST]) expect(run(n)).not.toThrow();
  for (const n of [-1, 0.5, LAST + 1, Number.NaN]) expect(run(n)).toThrow(/: (n|count) is .*from 0 to 2\^32 - 1$/);
  expect(run(2n as never)).toThrow(/: (n|count) is 2n; it takes a whole number/);
  expect(run("2" as never)).toThrow(/: (n|count) is "2"; it takes a whole number/);
  expect(run(1, LAST - 1)).not.toThrow();
  for (const first of [-1, LAST + 1]) expect(run(1, first)).toThrow(`first is ${first}`);
  expect(run(1, LAST)).toThrow(/: first \+ (n|count) is 4294967296/);
});

test.each(["STORAGE", "COPY_DST"] as const)("an outcome lies within a buffer of the usage %s, on a word", (usage) => {
  const at =
    (offset: number | undefined, size = OUTCOME_BYTES + 8, has: number = USAGE[usage]) =>
    () =>
      recorded.outcome("erase", { buffer: buffer(size, has), ...(offset !== undefined && { offset }) }, usage, read);
  const read = { keys: buffer(64), n: 4 };
  expect(() => recorded.outcome("erase", undefined, usage, read)).not.toThrow();
  for (const offset of [undefined, 0, 4, 8]) expect(at(offset)).not.toThrow();
  for (const offset of [-4, 2, 12, Number.NaN])
    expect(at(offset)).toThrow(`bytes from ${offset} on are not in a buffer`);
  expect(at(undefined, OUTCOME_BYTES - 1)).toThrow("from 0 on are not in a buffer");
  const other = usage === "STORAGE" ? USAGE.COPY_DST : USAGE.STORAGE;
  expect(at(0, OUTCOME_BYTES, other)).toThrow(`outcome: the buffer lacks the usage ${usage}`);
});

test.each(operations)("$name: a member of another name is refused with the nearest one", (operation) => {
  const own = { ...buffersOf(operation, 64), frist: buffer(64), kyes: buffer(64) };
  if (operation.name !== "mixed")
    expect(() => operation.run(own, 1, 0)).toThrow(/has no frist; did you mean first\? It has keys/);
  const { frist: _, ...rest } = own;
  expect(() => operation.run(rest, 1, 0)).toThrow(`mine.${operation.name} has no kyes; did you mean keys?`);
});

test("what an operation gets is a copy of what it was given", () => {
  const pairs = { keys: buffer(64), values: buffer(64), n: 2, first: 3 };
  const own = check.pairs("insert", pairs);
  Object.assign(pairs, { n: 9, first: 9 });
  expect([own.n, own.first]).toEqual([2, 3]);
  const given = { ...buffersOf(operations[3]!, 64), slices: [{ first: 0, count: 2 }] } as never as MixedBatch;
  const copy = batch(given);
  Object.assign(given.slices[0]!, { count: 9 });
  expect(copy.slices).toEqual([{ first: 0, count: 2 }]);
});

test("no argument at all is refused with what there should be", () => {
  expect(() => check.pairs("insert", undefined as never)).toThrow(
    "mine.insert takes an object: keys, values, n, first",
  );
  expect(() => batch(null as never)).toThrow("mine.mixed takes an object: kinds, keys, values, results, slices");
  expect(() => batch({ slices: 3 } as never)).toThrow("mine.mixed: slices is a Number; it takes an array");
});

test("a key of two words takes 8 bytes in a buffer, and in the part of it that is bound", () => {
  const wide = bufferCheck({ maxStorageBufferBindingSize: 4096 } as GPUSupportedLimits, "wide", 2);
  const [keys, values] = [buffer(8 * 1000), buffer(4 * 1000)];
  expect(() => wide.pairs("insert", { keys: values, values, n: 501 })).toThrow(
    "wide.insert: keys: the buffer has 4000 bytes; 501 items take 4008",
  );
  expect(() => wide.erasures("erase", { keys, n: 513 })).toThrow("keys: 513 items take 4104 bytes; the device binds");
  expect(wide.pairs("insert", { keys, values, n: 512 })).toEqual({ keys, values, n: 512, first: 0 });
  expect(wide.pairs("insert", { keys, values, n: 400, first: 600 })).toEqual({
    keys: { buffer: keys, offset: 4608, size: 3392 },
    values: { buffer: values, offset: 2304, size: 1696 },
    n: 400,
    first: 24,
  });
  const place = (offset: number) => () =>
    recordedCheck(wide, "wide").outcome("erase", { buffer: keys, offset }, "STORAGE", { keys, n: 10, first: 20 });
  for (const offset of [160 - OUTCOME_BYTES, 240]) expect(place(offset)).not.toThrow();
  for (const offset of [164 - OUTCOME_BYTES, 236]) expect(place(offset)).toThrow("outcome and keys overlap");
});

test("an outcome may lie beside what the operation reads in one buffer, and not over it", () => {
  const one = buffer(4 * 100);
  const at = (offset: number) => () =>
    recorded.outcome("insert", { buffer: one, offset }, "STORAGE", {
      keys: one,
      values: buffer(400),
      n: 10,
      first: 20,
    });
  for (const offset of [0, 80 - OUTCOME_BYTES, 120]) expect(at(offset)).not.toThrow();
  for (const offset of [84 - OUTCOME_BYTES, 80, 116])
    expect(at(offset)).toThrow("mine.insert: outcome and keys overlap in one buffer");
});
