/** Every operation checks the buffers that it is given: promised, recorded in an encoder, and in a pass. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { EMPTY, GpuError, MIXED_KINDS, type OutcomePlace } from "./index.js";
import { buffersOn, type Commands, createTable } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { using, wordsOf } = buffersOn(device);

interface Asked extends Readonly<Record<"kinds" | "keys" | "values" | "results", GPUBuffer>> {
  readonly n: number;
  readonly first: number;
  readonly outcome?: OutcomePlace;
}

const makeQuotient = () => createTable(device(), "quotient", { capacity: 100 });

/** Every operation, by each way to ask for it. */
function asking(table: Awaited<ReturnType<typeof makeQuotient>>, own: Asked, to: Commands) {
  const { kinds, keys, values, results, n, first, outcome } = own;
  const [pairs, lookups, erasures] = [
    { keys, values, n, first },
    { keys, results, n, first },
    { keys, n, first },
  ];
  return {
    insert: () => table.insert(pairs),
    find: () => table.find(lookups),
    erase: () => table.erase(erasures),
    mixed: () => table.mixed({ kinds, keys, values, results, slices: [{ first, count: n }] }),
    encodeInsert: () => table.encodeInsert(to, pairs, outcome),
    encodeFind: () => table.encodeFind(to, lookups),
    encodeErase: () => table.encodeErase(to, erasures, outcome),
  };
}

const refusals = (
  [
    ["insert", ["keys", "values"]],
    ["find", ["keys", "results"]],
    ["erase", ["keys"]],
    ["mixed", ["kinds", "keys", "values", "results"]],
    ["encodeInsert", ["keys", "values", "outcome"]],
    ["encodeFind", ["keys", "results"]],
    ["encodeErase", ["keys", "outcome"]],
  ] as const
).flatMap(([op, names]) => names.flatMap((name) => [0, 5].map((first) => ({ op, name, first }))));

test.each(refusals)(
  "$op from item $first on refuses a buffer of $name that is too short",
  async ({ op, name, first }) => {
    const table = await makeQuotient();
    const n = 20;
    const [long, short] = [first + n, first + n - 1];
    await using([long, long, long, long, short, 7], async (...[keys, values, results, kinds, less, outcome]) => {
      const all = { keys: keys!, values: values!, results: results!, kinds: kinds!, n, first };
      const own = name === "outcome" ? { ...all, outcome: { buffer: outcome! } } : { ...all, [name]: less };
      const bytes = name === "outcome" ? "32 bytes from 0 on are not in a buffer of 28" : `has ${4 * short} bytes`;
      const encoder = device().createCommandEncoder();
      // What is recorded throws at once.
      const asked = async (to: Commands, some: Asked) => asking(table, some, to)[op]();
      await expect(asked(encoder, own)).rejects.toThrow(`${name}: `);
      await expect(asked(encoder, own)).rejects.toThrow(bytes);
      const pass = encoder.beginComputePass();
      await expect(asked(pass, own)).rejects.toThrow(bytes);
      pass.end();
      await asked(encoder, all);
    });
    table.destroy();
  },
);

test("what the device rejects is told with the table's label and the operation", async () => {
  const table = await createTable(device(), "quotient", { capacity: 100, label: "cache of x" });
  await using([1, 1], async (...[keys, results]) => {
    keys!.destroy();
    const refused = async (op: string, work: Promise<unknown>) => {
      await expect(work).rejects.toThrow(GpuError);
      await expect(work).rejects.toThrow(new RegExp(`^cache of x\\.${op}: .*destroyed`));
    };
    await refused("insert", table.insert({ keys: keys!, values: results!, n: 1 }));
    await refused("find", table.find({ keys: keys!, results: results!, n: 1 }));
  });
  table.destroy();
});

test("stash erases in mixed batches", async () => {
  const table = await createTable(device(), "stash", { capacity: 100 });
  const kinds = Uint32Array.of(MIXED_KINDS.erase, MIXED_KINDS.erase, MIXED_KINDS.find, MIXED_KINDS.find);
  await using([kinds, Uint32Array.of(2, 9, 2, 3), 4], async (...[of, keys, results]) => {
    await table.insert({ keys: keys!, values: keys!, n: 2, first: 2 });
    const slices = [0, 1, 2, 3].map((first) => ({ first, count: 1 }));
    const batch = { kinds: of!, keys: keys!, values: keys!, results: results!, slices };
    expect(await table.mixed(batch)).toEqual({ refused: 0 });
    expect(await wordsOf(results!, 4)).toEqual(Uint32Array.of(1, 0, EMPTY, 3));
  });
  table.destroy();
});
