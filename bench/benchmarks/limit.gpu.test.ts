import { expect, test, vi } from "vitest";
import { mix32 } from "../../kernels/common/random.js";
import type { Owner } from "../../kernels/device/owned.js";
import { scoped } from "../../kernels/device/owned.js";
import { testGpu } from "../gpu/testing.js";
import type { BenchContext } from "../measure/benchmark.js";
import { Shared } from "../measure/shared.js";
import { limitBenchmark, limitCell } from "./limit.js";

const gpu = testGpu();
const MIB = 2 ** 20;

const BINDING_MIB = 4;

/** As if no more could be bound. */
function binding(own: Owner): Owner {
  return new Proxy(own, {
    get(target, name) {
      if (name === "maxBinding") return BINDING_MIB * MIB;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const contextOf = (own: Owner) => ({ gpu: binding(own), shared: new Shared(binding(own)) }) as unknown as BenchContext;

test("cells of one size read one table and ask with the same keys, and each verification leaves them as they were", async () => {
  await scoped(gpu(), async (own) => {
    const made: [label: string, buffer: GPUBuffer][] = [];
    const alloc = gpu().alloc.bind(gpu());
    const spied = vi.spyOn(gpu(), "alloc").mockImplementation(async (label, bytes) => {
      const buffer = await alloc(label, bytes);
      made.push([label, buffer]);
      return buffer;
    });
    const context = contextOf(own);
    const cells = [];
    for (const id of ["lookup32", "lookup4", "read128"])
      cells.push(await limitBenchmark.prepare(limitCell(id, 1, 3001), context));
    spied.mockRestore();
    const [table, ...others] = made.filter(([label]) => label.startsWith("table"));
    if (!table) throw new Error("no table");
    expect(others).toEqual([]);
    expect(made.filter(([label]) => label === "keys")).toHaveLength(1);
    const words = async () => [...(await gpu().read(table[1], MIB / 4))];
    const before = await words();
    for (const cell of cells) expect(await cell.verify()).toBe("");
    expect(await words()).toEqual(before);
  });
});

test.each(["read4", "lookup8", "lookup32", "lookup128x4", "read128x32", "lookup64x16"])(
  "%s of one binding and of two, and of items that fill no workgroup, reads the block that is the needle's",
  async (pattern) => {
    // The needle's block is in either binding, by the table's size.
    for (const [tableMiB, n] of [4, 5, 6, 6.5, 7, 8].map((size, i) => [size, 3001 + 219 * i] as const)) {
      await scoped(gpu(), async (own) => {
        const context = contextOf(own);
        const cell = await limitBenchmark.prepare(limitCell(pattern, tableMiB, n), context);
        expect(await cell.sample()).toBeGreaterThan(0);
        expect(await cell.verify()).toBe("");
        expect(cell.access?.tableBytes).toBe(tableMiB * MIB);
      });
    }
  },
);

test("reads one after another are of a table in one binding", async () => {
  await scoped(gpu(), async (own) => {
    const context = contextOf(own);
    const cell = await limitBenchmark.prepare(limitCell("chain4", 1, 1), context);
    await cell.sample();
    expect(await cell.verify()).toBe("");
    await expect(limitBenchmark.prepare(limitCell("chain4", 6, 1), context)).rejects.toThrow(/binds at most 4 MiB/);
  });
  expect(limitBenchmark.exists?.(limitCell("chain4", 3072, 1))).toBe(false);
  expect(limitBenchmark.exists?.(limitCell("read4", 3072, 1))).toBe(true);
});

test("each run of reads one after another reads other words than the one before", async () => {
  await scoped(gpu(), async (own) => {
    const [blocks, n] = [2 ** 20, 64];
    const kernel = await own.kernel({ file: "bench/benchmarks/limits/chain.wgsl", sizes: { blocks } });
    const table = await own.alloc("table", blocks * 4);
    const status = await own.alloc("status", 16);
    // The word that the first run begins with.
    own.write(table, 4 * (mix32(0) % blocks), Uint32Array.of(0x6e656564));
    const seen: number[][] = [];
    for (let run = 0; run < 3; run++) {
      await own.run([{ kernel, bindings: { 0: table, 3: own.constant(n), 4: status }, groups: 1 }]);
      seen.push([...(await own.read(status, 2))]);
    }
    expect(seen).toEqual([1, 2, 3].map((runs) => [1, runs * n]));
  });
});
