import { expect, test } from "vitest";
import { linkKernel } from "../../bench/device/link.js";
import { WgslModule } from "../../bench/device/module.js";
import { addPackageKernels } from "../../bench/device/sources.js";
import { configure } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { owned } from "../device/owned.js";
import { gph } from "../gph/gph.js";
import { quotient } from "../quotient/quotient.js";
import { bankConditions, banksOf, fittingBanks, MAX_BANKS, mostBanks, mostBlocks, namedBanks } from "./banks.js";
import { planned } from "./planned.js";

const BINDING = 2 ** 31 - 16;

const MOST = Math.floor(BINDING / 32) * 32;

test.each([
  [2 ** 31 - 16, 1],
  [2 ** 31, 2],
  [2 ** 32, 3],
  // 2^30 pairs at load factor 0.8.
  [10 * 2 ** 30, 6],
  [6 * MOST, 6],
  [6 * MOST + 32, 7],
])("a table of %i bytes has %i banks where 2 GiB can be bound", (bytes, count) => {
  const { blocks, sizes } = banksOf({ bytes, blockBytes: 32 }, BINDING);
  expect(sizes.length).toBe(count);
  expect(sizes.reduce((all, one) => all + one)).toBe(bytes);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(BINDING);
  if (count > 1) expect(new Set(sizes.slice(0, -1))).toEqual(new Set([blocks * 32]));
});

test.each([2 ** 32, 2 ** 32 + 2 ** 20, 2 ** 34])("a bank has 4 GiB at most where %i bytes can be bound", (binding) => {
  const info = { limits: { maxStorageBuffersPerShaderStage: 8 } };
  for (const blockBytes of [8, 32, 128]) {
    const sizesOf = (bytes: number) => banksOf({ bytes, blockBytes }, binding).sizes;
    expect(sizesOf(2 ** 32)).toEqual([2 ** 32]);
    expect(sizesOf(2 ** 32 + blockBytes)).toEqual([2 ** 32, blockBytes]);
    expect(sizesOf(2 ** 33)).toEqual([2 ** 32, 2 ** 32]);
    const most = { banks: 5, blocks: (5 * 2 ** 32) / blockBytes };
    expect(mostBlocks({ info, maxBinding: binding }, blockBytes, 3)).toEqual(most);
  }
});

test.each([
  [8, 5, 3],
  [16, 5, 11],
  [64, 5, MAX_BANKS],
])("of %i storage buffers, %i of other things leave %i banks", (most, others, banks) => {
  expect(mostBanks({ limits: { maxStorageBuffersPerShaderStage: most } }, others)).toBe(banks);
});

test("a table of more banks than can be bound says how many bytes it has and how many can be", () => {
  const gpu = new FakeGpu();
  const bytes = 6 * gpu.maxBinding;
  const bound = 5 * Math.floor(gpu.maxBinding / 32) * 32;
  expect(() => fittingBanks(gpu, { bytes, blockBytes: 32 }, 3)).toThrow(
    `${bytes} bytes: the device binds ${bound}, in 5 storage buffers`,
  );
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

test("gph has no numbers for the words of more than 16 GiB", async () => {
  const gpu = new FakeGpu();
  const made = owned(gpu, async (own) => ({
    table: await gph.create(own, { n: 2 ** 31, loadFactor: 0.5, seed: 1, counting: false }),
  }));
  await expect(made).rejects.toThrow("gph buckets: 34359738368 bytes; gph takes 17179869184 at most");
  expect(gpu.live).toEqual([]);
});

test("kernels that number no blocks have one buffer, and a larger table does not fit", async () => {
  const gpu = new FakeGpu();
  const made = (bytes: number) =>
    owned(gpu, async (own) => {
      const plan = { folder: "kernels/template", sizes: { slots: bytes / 8, seed: 1 }, slots: bytes / 8, bytes };
      return { table: await planned(own, plan, false) };
    });
  await expect(made(gpu.maxBinding + 16)).rejects.toThrow(DoesNotFit);
  (await made(1600)).destroy();
  expect(gpu.live).toEqual([]);
});

test.each([
  ["find", 2],
  ["find", 3],
  ["find", 5],
  ["evict", 4],
  ["evict", 6],
  ["evict", 9],
])("dycuckoo/%s uses %i banks, by their names, where there are so many", async (name, count) => {
  addPackageKernels();
  const conditions = { SEVERAL: true, SUBGROUPS: true, ...bankConditions(count) };
  const { dest } = await linkKernel({ file: `kernels/dycuckoo/${name}.wgsl`, conditions });
  const bank = await new FakeGpu().alloc("a bank", 16);
  const used = [...new WgslModule(dest).resources("main").keys()].filter((one) => /bank/.test(one));
  expect(used.sort()).toEqual(Object.keys(namedBanks(Array.from({ length: count }, () => bank))).sort());
});
