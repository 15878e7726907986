import { expect, test } from "vitest";
import { createTable } from "../create.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import { idleBuffer } from "../device/idle.js";
import { STATUS_BYTES } from "../device/status.js";
import { cuckoo, slotsFor } from "./cuckoo.js";

const loadFactor = 0.8;

/** A device whose buffers are counted. */
class Counting extends FakeGpu {
  allocated = 0;

  override async alloc(label: string, bytes: number): Promise<GPUBuffer> {
    const buffer = await super.alloc(label, bytes);
    this.allocated += bytes;
    return buffer;
  }
}

const open = (gpu: FakeGpu, n: number) =>
  createTable(cuckoo, gpu, { n, loadFactor, seed: 1, params: {}, counting: false });

test.each([
  { n: 1000 },
  // The last table of one binding, and the first of two.
  { n: 214_748_363 },
  { n: 214_748_364 },
  // The most pairs that an insertion can have where 2 GiB can be bound.
  { n: 2 ** 29 - 4 },
])("a build of $n pairs allocates what the table says that it takes", async ({ n }) => {
  const gpu = new Counting();
  const table = await open(gpu, n);
  await table.clear();
  const [keys, values] = [idleBuffer("keys", 16), idleBuffer("values", 16)];
  await table.insert((steps) => gpu.time(steps), { keys, values, n });
  expect(gpu.allocated - STATUS_BYTES).toBe(cuckoo.bytes(n, loadFactor));
  expect(cuckoo.held(n, loadFactor)).toBe(table.bytes);
  table.destroy();
});

test("a table of more banks than can be bound says how many bytes it has and how many can be", async () => {
  const gpu = new FakeGpu();
  const n = 1.3e9;
  const most = 5 * gpu.maxBinding;
  const made = open(gpu, n);
  await expect(made).rejects.toThrow(DoesNotFit);
  await expect(made).rejects.toThrow(
    `${8 * slotsFor(n, loadFactor)} bytes: the device binds ${most}, in 5 storage buffers`,
  );
  expect(gpu.live).toEqual([]);
});
