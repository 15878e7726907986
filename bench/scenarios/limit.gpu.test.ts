import { expect, test, vi } from "vitest";
import { keyOfWith } from "../../datasets/random.js";
import { mix32 } from "../../kernels/common/random.js";
import { dispatch } from "../../kernels/device/bind.js";
import { scoped } from "../../kernels/device/owned.js";
import type { WebGpu } from "../device/gpu.js";
import { testGpu } from "../device/testing.js";
import { Shared } from "../measure/shared.js";
import type { BenchContext } from "./benchmark.js";
import { limitBenchmark, limitCell, pitchOf } from "./limit.js";
import { patterns } from "./limits/patterns.js";

const gpu = testGpu();
const MIB = 2 ** 20;

const BINDING_MIB = 4;

/** With an owner of a device that binds no more than that. */
function bound(work: (context: BenchContext) => Promise<void>): Promise<void> {
  const small: WebGpu = Object.create(gpu(), { maxBinding: { value: BINDING_MIB * MIB } });
  return scoped(small, (gpu) => work({ gpu, shared: new Shared(small) } as unknown as BenchContext));
}

test("cells of one size read one table and ask with the same keys, and each verification leaves them as they were", async () => {
  await bound(async (context) => {
    const made: [label: string, buffer: GPUBuffer][] = [];
    const alloc = gpu().alloc.bind(gpu());
    const spied = vi.spyOn(gpu(), "alloc").mockImplementation(async (label, bytes) => {
      const buffer = await alloc(label, bytes);
      made.push([label, buffer]);
      return buffer;
    });
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

/** A table in six bindings, and for each of these a number of items of which the last one's block, or that of its key, lies there. */
function inEachBinding(pattern: string): (readonly [tableMiB: number, n: number])[] {
  const { blockBytes = 4, conditions } = patterns.find(({ id }) => id === pattern) ?? {};
  const keyOf = (item: number) => (conditions?.LOOKUP ? keyOfWith(item, [1, 2, 3]) : item);
  const bindingOf = (n: number) =>
    Math.floor(((mix32(keyOf(n - 1)) % ((24 * MIB) / blockBytes)) * blockBytes) / (BINDING_MIB * MIB));
  return [0, 1, 2, 3, 4, 5].map((binding) => {
    let n = 4315;
    while (bindingOf(n) !== binding || n % 256 === 0) n += 1;
    return [24, n];
  });
}

test.each(["read4", "lookup32", "lookup128x4", "read128x32", "cas", "cas-line", "write4", "write8", "move4"])(
  "%s of one binding to six, and of items that fill no workgroup, reads the block that is the needle's, or writes its own",
  async (pattern) => {
    const smaller = [4, 5, 6, 6.5, 8, 11.25].map((size, i) => [size, 3001 + 219 * i] as const);
    for (const [tableMiB, n] of [...smaller, ...inEachBinding(pattern)]) {
      await bound(async (context) => {
        const cell = await limitBenchmark.prepare(limitCell(pattern, tableMiB, n), context);
        expect(await cell.sample()).toBeGreaterThan(0);
        expect(await cell.verify()).toBe("");
        expect(cell.access?.tableBytes).toBe(tableMiB * MIB);
      });
    }
  },
);

test("blocks that 32 bits do not number lie further apart", () => {
  const GIB = 2 ** 30;
  expect([12, 16, 24, 40].map((gib) => pitchOf(4, gib * GIB))).toEqual([4, 8, 8, 16]);
  expect([12, 24].map((gib) => pitchOf(32, gib * GIB))).toEqual([32, 32]);
});

test("reads one after another, of one lane or of many, are of a table in one binding", async () => {
  await bound(async (context) => {
    const one = limitCell("chain4", 1, 1);
    for (const lanes of [1, 3, 5000]) {
      const cell = await limitBenchmark.prepare({ ...one, params: { ...one.params, lanes } }, context);
      await cell.sample();
      expect(await cell.verify()).toBe("");
      expect(cell.operations / lanes).toBe(lanes === 5000 ? 64 : 4096);
    }
    await expect(limitBenchmark.prepare(limitCell("chain4", 6, 1), context)).rejects.toThrow(/binds at most 4 MiB/);
  });
  expect(limitBenchmark.exists?.(limitCell("chain4", 3072, 1))).toBe(false);
  expect(limitBenchmark.exists?.(limitCell("read4", 3072, 1))).toBe(true);
});

test("each run of reads one after another reads other words than the one before", async () => {
  await scoped(gpu(), async (own) => {
    const [blocks, n] = [2 ** 20, 64];
    const kernel = await own.kernel({
      file: "bench/scenarios/limits/chain.wgsl",
      sizes: { blocks, lanes: 300 },
      takes: ["table", "n", "seen"],
    });
    const table = await own.alloc("table", blocks * 4);
    const seen = await own.alloc("seen", 4 * 301);
    // The word that the first run begins with.
    own.write(table, 4 * (mix32(0) % blocks), Uint32Array.of(0x6e656564));
    const words: number[][] = [];
    for (let run = 0; run < 3; run++) {
      await own.run([dispatch(kernel, 2, { table, n, seen })]);
      const [needles = 0, first = 0] = await own.read(seen, 2);
      const [last = 0] = await own.read(seen, 1, 300);
      words.push([needles, first, last]);
    }
    expect(words).toEqual([1, 2, 3].map((runs) => [1, runs * n, runs * n]));
  });
});
