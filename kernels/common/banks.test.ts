import { expect, test } from "vitest";
import { linkKernel } from "../../bench/gpu/link.js";
import { WgslModule } from "../../bench/gpu/module.js";
import { addPackageKernels } from "../../bench/gpu/sources.js";
import { configure } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { owned } from "../device/owned.js";
import { quotient } from "../quotient/quotient.js";
import { bankConditions, banksOf, MAX_BANKS, namedBanks, passesOf } from "./banks.js";

const BINDING = 2 ** 31 - 16;

test.each([
  [2 ** 31 - 16, 1],
  [2 ** 31, 2],
  [2 ** 32, 3],
  // 2^30 pairs at load factor 0.8.
  [10 * 2 ** 30, 6],
  [6 * (2 ** 31 - 32), 6],
  [6 * (2 ** 31 - 32) + 4, 7],
])("a table of %i bytes has %i banks where 2 GiB can be bound", (bytes, count) => {
  const banks = banksOf(bytes, BINDING);
  expect(banks.count).toBe(count);
  expect(banks.words * 4).toBeLessThanOrEqual(BINDING);
  expect(banks.words * 4 * count).toBeGreaterThanOrEqual(bytes);
  if (count > 1) expect(banks.words % 8).toBe(0);
});

test("passes are as few as go to so many bytes each, and have all buckets between them", () => {
  const sizes = { buckets: 1001 };
  const bytes = 32 * 1001;
  expect(passesOf({ bytes, sizes })).toEqual([{ first: 0, end: 1001 }]);
  expect(passesOf({ bytes, sizes, passBytes: bytes })).toEqual([{ first: 0, end: 1001 }]);
  expect(passesOf({ bytes, sizes, passBytes: bytes - 1 })).toEqual([
    { first: 0, end: 501 },
    { first: 501, end: 1001 },
  ]);
  const three = passesOf({ bytes, sizes, passBytes: 11_000 });
  expect(three.map(({ first }) => first)).toEqual([0, ...three.slice(0, -1).map(({ end }) => end)]);
  expect([three.length, three.at(-1)?.end]).toEqual([3, 1001]);
});

test("a partitioned build of a table in banks does not fit: it would be measured under a wrong name", async () => {
  const gpu = new FakeGpu();
  const n = Math.ceil((2 * gpu.maxBinding * 0.8) / 8);
  const make = (partitioned: boolean) =>
    owned(gpu, async (own) => ({
      table: await configure(quotient, { partitioned }).create(own, { n, loadFactor: 0.8, seed: 1, counting: false }),
    }));
  await expect(make(true)).rejects.toThrow("a partitioned build is of one buffer");
  (await make(false)).destroy();
  expect(gpu.live).toEqual([]);
});

test("a table of more banks than kernels bind does not fit, and leaves nothing", async () => {
  const gpu = new FakeGpu();
  const n = Math.ceil(((MAX_BANKS + 1) * gpu.maxBinding * 0.8) / 8);
  const made = owned(gpu, async (own) => ({
    table: await quotient.create(own, { n, loadFactor: 0.8, seed: 1, counting: false }),
  }));
  await expect(made).rejects.toThrow(DoesNotFit);
  expect(gpu.live).toEqual([]);
});

test.each([
  ["find", 2],
  ["find", 3],
  ["find", 5],
  ["evict", 4],
  ["evict", 6],
])("dycuckoo/%s uses %i banks, by their names, where there are so many", async (name, count) => {
  addPackageKernels();
  const conditions = { SEVERAL: true, SUBGROUPS: true, ...bankConditions(count) };
  const { dest } = await linkKernel({ file: `kernels/dycuckoo/${name}.wgsl`, conditions });
  const bank = await new FakeGpu().alloc("a bank", 16);
  const used = [...new WgslModule(dest).resources("main").keys()].filter((one) => /bank/.test(one));
  expect(used.sort()).toEqual(Object.keys(namedBanks(Array.from({ length: count }, () => bank))).sort());
});
