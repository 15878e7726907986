/** The interpreter beside a device: what tables hold after each operation, of which one lane has something to do. */
import { expect, test } from "vitest";
import { DELETED } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { ownTables } from "../../../kernels/index.js";
import { testGpu } from "../../device/testing.js";
import { Bulk, makeTable } from "../bulk.js";
import { InterpretedGpu } from "./gpu.js";

const gpu = testGpu();
const LANES = 8;
const KEYS = [7, 9, 12, 7, 1001, DELETED];

/** The device, and the buffers that were allocated from it and are not yet freed. */
function watched(device: Gpu) {
  const buffers = new Set<GPUBuffer>();
  const alloc: Gpu["alloc"] = async (label, bytes, memory) => {
    const buffer = await device.alloc(label, bytes, memory);
    buffers.add(buffer);
    return buffer;
  };
  const free: Gpu["free"] = (buffer) => {
    buffers.delete(buffer);
    device.free(buffer);
  };
  return { buffers, device: Object.create(device, { alloc: { value: alloc }, free: { value: free } }) as Gpu };
}

/** Their kernels are those of double-hashing, DyCuckoo, slab-hash and sorted-multivalue, but for a condition. */
const TWINS = ["crystal", "linear-probing", "megakv", "slab-set", "sorted-compacting"];

test.each(ownTables.filter(({ id }) => !TWINS.includes(id)).map((type) => [type.id, type] as const))(
  "%s holds the same after each operation",
  async (_, type) => {
    const { info, maxBinding } = gpu();
    // Both choose the same kernels and sizes.
    const interpreter = Object.create(new InterpretedGpu(info.subgroupMin || LANES), {
      info: { value: info },
      maxBinding: { value: maxBinding },
    });
    const [one, other] = [watched(gpu()), watched(interpreter)];
    const made = [one, other].map(async ({ device }) => {
      const table = await makeTable(device, type, { n: 12, loadFactor: Math.min(0.8, type.safeLoadFactor) });
      await table.clear();
      return new Bulk(device, table);
    });
    const [real, interpreted] = await Promise.all(made);
    if (!real || !interpreted) throw new Error("no tables");
    const same = async (what: string) => {
      const hold = ({ buffers, device }: typeof one) =>
        Promise.all(
          [...buffers].map(async (buffer) => [
            buffer.label,
            await device.read(buffer, Math.min(buffer.size / 4, 4096)),
          ]),
        );
      expect({ what, holds: await hold(other) }).toEqual({ what, holds: await hold(one) });
    };
    await same("clear");
    // A build is of all pairs at once.
    const some = type.incremental ? KEYS : KEYS.slice(0, 1);
    const unique = type.duplicates ? some : [...new Set(some)];
    for (const [i, key] of unique.entries()) {
      const counts = [await interpreted.insert([key], [i + 5]), await real.insert([key], [i + 5])].map(
        ({ count }) => count,
      );
      expect(counts[0]).toBe(counts[1]);
      await same(`insert ${key}`);
    }
    const words = type.answers === "range" ? 2 : 1;
    const found = (bulk: Bulk) => bulk.find(KEYS, undefined, words);
    expect(await found(interpreted)).toEqual(await found(real));
    if (type.ops.includes("erase")) {
      for (const key of [9, 9, 5000]) {
        expect((await interpreted.erase([key])).count).toBe((await real.erase([key])).count);
        await same(`erase ${key}`);
      }
    }
    for (const bulk of [real, interpreted]) (bulk.table as unknown as { destroy(): void }).destroy();
  },
);
