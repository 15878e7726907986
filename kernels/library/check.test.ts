/** Checks of a caller's buffers: each argument of each operation, by itself and with each other one. */
import { describe, expect, test } from "vitest";
import { USAGE } from "../device/commands.js";
import { bufferCheck } from "./check.js";
import { OUTCOME_BYTES } from "./types.js";

const MOST = 2 ** 35;
const check = bufferCheck({ maxStorageBufferBindingSize: MOST } as GPUSupportedLimits);
const buffer = (size: number, usage: number = USAGE.STORAGE) => ({ size, usage }) as GPUBuffer;

type Buffers = Readonly<Record<string, GPUBuffer>>;
interface Operation {
  readonly name: string;
  readonly buffers: readonly string[];
  /** Its items begin where the caller says. */
  readonly first?: true;
  run(buffers: Buffers, n: number, first: number): void;
}

const operations: readonly Operation[] = [
  {
    name: "insert",
    buffers: ["keys", "values"],
    first: true,
    run: (own, n, first) => check.pairs({ ...own, n, first } as never),
  },
  { name: "find", buffers: ["keys", "results"], run: (own, n) => check.lookups({ ...own, n } as never) },
  { name: "erase", buffers: ["keys"], run: (own, n) => check.erasures({ ...own, n } as never) },
  {
    name: "mixed",
    buffers: ["kinds", "keys", "values", "results"],
    first: true,
    run: (own, count, first) =>
      check.batch({
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
  operation.buffers.flatMap((name) => (operation.first ? [0, 7] : [0]).map((first) => ({ operation, name, first }))),
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
    expect(run(MOST)).not.toThrow();
    expect(run(MOST + 1)).toThrow(`${name}: the buffer has ${MOST + 1} bytes; the device binds at most ${MOST}`);
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
  for (const n of [-1, 0.5, LAST + 1, Number.NaN]) expect(run(n)).toThrow(/^(n|count) is .*from 0 to 2\^32 - 1$/);
  if (!operation.first) return;
  expect(run(1, LAST - 1)).not.toThrow();
  for (const first of [-1, LAST + 1]) expect(run(1, first)).toThrow(`first is ${first}`);
  expect(run(1, LAST)).toThrow(/^first \+ (n|count) is 4294967296/);
});

test.each(["STORAGE", "COPY_DST"] as const)("an outcome lies within a buffer of the usage %s, on a word", (usage) => {
  const at =
    (offset: number | undefined, size = OUTCOME_BYTES + 8, has: number = USAGE[usage]) =>
    () =>
      check.outcome({ buffer: buffer(size, has), ...(offset !== undefined && { offset }) }, usage);
  expect(() => check.outcome(undefined, usage)).not.toThrow();
  for (const offset of [undefined, 0, 4, 8]) expect(at(offset)).not.toThrow();
  for (const offset of [-4, 2, 12, Number.NaN])
    expect(at(offset)).toThrow(`bytes from ${offset} on are not in a buffer`);
  expect(at(undefined, OUTCOME_BYTES - 1)).toThrow("from 0 on are not in a buffer");
  const other = usage === "STORAGE" ? USAGE.COPY_DST : USAGE.STORAGE;
  expect(at(0, OUTCOME_BYTES, other)).toThrow(`outcome: the buffer lacks the usage ${usage}`);
});
