import { expect, test } from "vitest";
import { createTable } from "../create.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { quotient } from "./quotient.js";

test("a table whose words 32 bits cannot number does not fit, also where the device binds enough", async () => {
  const gpu = Object.assign(new FakeGpu(), { maxBinding: 2 ** 32 });
  // 8 bytes a pair at load factor 0.5: 2^30 pairs are 2^29 buckets.
  const make = (n: number) => createTable(quotient, gpu, { n, loadFactor: 0.5, seed: 1, params: {}, counting: false });
  const message = "17179869184 bytes: words of the table have numbers of 32 bits, for 17179869180";
  await expect(make(2 ** 30)).rejects.toThrow(new DoesNotFit(message));
  expect(gpu.live).toEqual([]);
  (await make(2 ** 30 - 2)).destroy();
});
