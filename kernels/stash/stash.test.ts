import { expect, test } from "vitest";
import { configure } from "../define.js";
import { FakeGpu } from "../device/fake.js";
import { owned } from "../device/owned.js";
import type { Params } from "../table.js";
import { layoutOf } from "./layout.js";
import { parameters } from "./parameters.js";
import { stash } from "./stash.js";

/** The banks of a table of n pairs on a device that binds 2 GiB at most in each of 16 storage buffers. */
async function banksOf(n: number, params: Params, counting = false): Promise<number> {
  const gpu = new FakeGpu();
  Object.assign(gpu, { info: { ...gpu.info, limits: { maxStorageBuffersPerShaderStage: 16 } } });
  const made = owned(gpu, async (own) => ({
    table: await configure(stash, params).create(own, { n, loadFactor: 0.8, seed: 1, counting }),
  }));
  try {
    const table = await made;
    const banks = gpu.live.filter((label) => label.startsWith("bank")).length;
    table.destroy();
    return banks;
  } finally {
    expect(gpu.live).toEqual([]);
  }
}

test.each<[number, Params, number]>([
  [2 ** 20, {}, 1],
  [2 ** 28, {}, 2],
  [2 ** 29 - 4, {}, 3],
  [2 ** 29 - 4, { passed: true }, 3],
  [2 ** 30, {}, 6],
  [2 ** 30, { ticket: 4, valueBytes: 8 }, 11],
])("a table of %i pairs with %o has %i banks", async (n, params, banks) => {
  expect(await banksOf(n, params)).toBe(banks);
});

test.each<[string, number, Params, boolean, string]>([
  ["more banks than insertions bind", 2 ** 31, { ticket: 4, valueBytes: 8 }, false, "in 11 storage buffers"],
  ["as many, where a buffer is for counting", 2 ** 30, { ticket: 4, valueBytes: 8 }, true, "in 10 storage buffers"],
  ["a ticket-board beyond a binding", 1.75 * 2 ** 30, {}, false, "ticket-board: 23"],
  ["more slots than there are numbers", 3.5 * 2 ** 30, { ticket: 1 }, false, "of which 32 bits number"],
])("%s: it does not fit", async (_, n, params, counting, message) => {
  await expect(banksOf(n, params, counting)).rejects.toThrow(message);
});

test.each([
  [4, 4, 8],
  [8, 4, 16],
  [4, 8, 16],
  [16, 4, 32],
  [4, 16, 32],
  [8, 8, 16],
] as const)("a key of %i and a value of %i bytes are %i bytes from the next pair's", (keyBytes, valueBytes, stride) => {
  expect(layoutOf(1000, 0.8, parameters.of({ keyBytes, valueBytes })).stride).toBe(stride);
});
