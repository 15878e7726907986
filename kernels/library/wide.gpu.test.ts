/** Keys of two words in buffers of a program. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { DELETED, EMPTY, OUTCOME_BYTES, readOutcome } from "./index.js";
import { linearProbing } from "./tables/linear-probing.js";
import { routed } from "./tables/routed.js";
import { buffersOn, createTable } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { bufferOf, wordsOf, using } = buffersOn(device);

const params = { keyBytes: 8 };
/** Of n keys: 16 first words and 16 second ones, so that each is in many keys, or in each one the same. */
const keysOf = (n: number) => Uint32Array.from({ length: 2 * n }, (_, i) => (i % 2 === 0 ? (i >> 1) & 15 : i >> 5));

test.each(["linear-probing", "bucketed", "warpcore"] as const)(
  "%s tells keys of two words apart by each of them",
  async (name) => {
    const n = 3000;
    const table = await createTable(device(), name, { capacity: n, params });
    const values = Uint32Array.from({ length: n }, (_, i) => 7 * i);
    await using([keysOf(2 * n), values, 2 * n], async (...[keys, given, results]) => {
      const pairs = { keys: keys!, values: given!, n: n - 1000 };
      expect(await table.insert(pairs)).toEqual({ stored: n - 1000, refused: 0 });
      expect(await table.insert({ ...pairs, n: 1000, first: n - 1000 })).toEqual({ stored: 1000, refused: 0 });
      expect(await table.erase({ keys: keys!, n: 1000, first: 500 })).toEqual({ erased: 1000 });
      expect(await table.erase({ keys: keys!, n: 1000 })).toEqual({ erased: 500 });
      const outcome = bufferOf(OUTCOME_BYTES / 4);
      const encoder = device().createCommandEncoder();
      table.encodeInsert(encoder, { keys: keys!, values: given!, n: 100 }, { buffer: outcome });
      table.encodeFind(encoder, { keys: keys!, results: results!, n: 2 * n });
      device().queue.submit([encoder.finish()]);
      expect(readOutcome(await wordsOf(outcome))).toMatchObject({ refused: 0, failed: false });
      outcome.destroy();
      const expected = values.map((value, i) => (i < 100 || i >= 1500 ? value : EMPTY));
      expect(await wordsOf(results!)).toEqual(Uint32Array.from({ length: 2 * n }, (_, i) => expected[i] ?? EMPTY));
    });
    const lacking = ["device", "upsert", "findOrInsert", "export", "size", "rehash"];
    expect(Object.keys(table).filter((member) => lacking.includes(member))).toEqual([]);
    table.destroy();
  },
);

test("the first word is neither EMPTY nor DELETED, and the second is not EMPTY", async () => {
  const table = await createTable(device(), "linear-probing", { capacity: 100, params });
  const keys = Uint32Array.of(EMPTY, 1, DELETED, 1, 1, EMPTY, 1, DELETED, EMPTY, EMPTY, 1, 1);
  await using([keys, Uint32Array.of(1, 2, 3, 4, 5, 6), 6], async (...[own, values, results]) => {
    expect(await table.insert({ keys: own!, values: values!, n: 6 })).toEqual({ stored: 2, refused: 4 });
    await table.find({ keys: own!, results: results!, n: 6 });
    expect(await wordsOf(results!)).toEqual(Uint32Array.of(EMPTY, EMPTY, EMPTY, 4, EMPTY, 6));
    expect(await table.erase({ keys: own!, n: 6 })).toEqual({ erased: 2 });
    const short = table.find({ keys: own!, results: results!, n: 6, first: 1 });
    await expect(short).rejects.toThrow("linear-probing.find: keys: the buffer has 48 bytes; 7 items take 56");
  });
  table.destroy();
});

test("keys of two words have kernels apart", async () => {
  const create = linearProbing.create(device(), { capacity: 100, params });
  await expect(create).rejects.toThrow("take the option kernels: wide of webgpu-hash-table/wide");
  const others = linearProbing.create(device(), { capacity: 100, params, kernels: routed });
  await expect(others).rejects.toThrow("kernels has no keys of two words");
  for (const name of ["linear-probing", "warpcore"] as const)
    await expect(createTable(device(), name, { capacity: 100, params, onFull: "grow" })).rejects.toThrow(
      'onFull is "grow"; with these params it takes "refuse"',
    );
});
