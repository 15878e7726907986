import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { keysFrom, valuesFor } from "../../bench/verify/draw.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesFor, testCases } from "../../bench/verify/testing.js";
import { configure } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { owned } from "../device/owned.js";
import type { Params, TableType } from "../table.js";
import { altered } from "../testing.js";
import { dycuckoo } from "./dycuckoo.js";

const gpu = testGpu();

/** The table on a device that binds so few bytes that the keys of no table are one array. */
const beyond = (type: TableType, params: Params) =>
  altered(configure(type, params), ({ create }) => ({
    create: (own, making) => create(Object.create(own, { maxBinding: { value: 1 } }), making),
  }));

describe.each<Params>([
  // As many as there can be are in dycuckoo.gpu.test.ts, which resize; compiling them takes longer.
  { subTables: 3, tile: 4, unique: false },
  // Two sub-tables, as MegaKV's.
  { subTables: 2, bucketSlots: 16, swap: true },
])("dycuckoo with %o, its sub-tables buffers of their own as one array would be beyond a binding", (params) => {
  const type = beyond(dycuckoo, params);
  testCases(casesFor(type, "core"), gpu, type);
});

test("a table beyond a binding that keeps its size refuses what does not fit, and no more", async () => {
  const type = beyond(dycuckoo, { bucketSlots: 16, swap: true });
  await Harness.on(gpu(), type, 1900, 0.95, async (it) => {
    const keys = keysFrom(0, 2400, 5);
    const refused = await it.refused(keys, valuesFor(keys, 1));
    expect(refused).toBeGreaterThanOrEqual(keys.length - it.table.slots);
    expect((keys.length - refused) / it.table.slots).toBeGreaterThan(0.97);
  });
});

async function made(n: number, params: Params): Promise<readonly string[]> {
  const fake = new FakeGpu();
  const making = { n, loadFactor: 0.8, seed: 1, counting: false };
  await owned(fake, async (own) => ({ table: await configure(dycuckoo, params).create(own, making) }));
  return fake.live;
}

test("2^29 pairs are four sub-tables, each below a binding of 2 GiB; as many as fit one are arrays of keys and of values", async () => {
  expect((await made(2 ** 29 - 4, {})).filter((label) => label.startsWith("sub-table"))).toHaveLength(4);
  expect(await made(2 ** 28, {})).toContain("keys of the table");
});

test.each([
  [
    "more pairs than four sub-tables of 2 GiB have",
    2 ** 30 + 2 ** 28,
    {},
    /sub-table of \d+ buckets: \d+ bytes, but the device binds/,
  ],
  ["eight sub-tables", 2 ** 29 - 4, { subTables: 8 }, /6 sub-tables at most, not 8/],
  ["ordered batches", 2 ** 29 - 4, { regionKiB: 32768 }, /tables of one array, which binds/],
])("%s do not fit, and say so", async (_, n, params, why) => {
  await expect(made(n, params)).rejects.toThrow(why);
  await expect(made(n, params)).rejects.toThrow(DoesNotFit);
});
