import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DoesNotFit } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { MemoryKind } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import type { KeyCache } from "./benchmark.js";
import { bytesOf, prepare } from "./index.js";
import { cellOf } from "./testing.js";
import { loadKeys } from "./workload/keys.js";

beforeAll(() => {
  vi.stubGlobal("GPUMapMode", { READ: 1, WRITE: 2 });
});
afterAll(() => vi.unstubAllGlobals());

const N = 1200;
const usual = cellOf({ n: N, loadFactor: 0.4, positiveRatio: 1 });
const slices = { op: "mixed", params: { slice: 500, apart: true } };
const repeated = { bench: "repeated", params: { multiplicity: 4 } };

/** Cells, and what a pass's status has to say for the benchmark to go on: here four words. */
const cells: readonly (Partial<CellSpec> & { readonly status?: readonly number[] })[] = [
  {},
  { op: "find", positiveRatio: 0.5, params: { lookups: 2 * N } },
  { op: "erase", status: [0, N, 0, 0] },
  { table: "stash", params: { chunk: 2, chunks: 3, keyBytes: 16 } },
  { bench: "join", table: "crystal", op: "join", params: { probeRatio: 2 } },
  { bench: "reach", table: "gph", loadFactor: 1, params: { refusals: true } },
  { table: "radix-sort", op: "find", loadFactor: null },
  { ...slices, bench: "mixed", table: "cuckoo" },
  { ...slices, bench: "mixed", table: "stash" },
  { ...repeated, table: "cuckoo-set", status: [0, 0, N / 4, 0] },
  { ...repeated, table: "cuckoo-compacting", op: "find", status: [0, 0, N / 4, 0] },
  { ...repeated, table: "cuckoo-multivalue", op: "find", status: [0, 0, N / 4, 0] },
  ...["relocate", "rehash"].map((how) => {
    return { bench: "resize", table: "dycuckoo", op: "upsize", params: { resize: true, alpha: 0, how } };
  }),
  ...["slab-hash", "misra"].map((table) => ({ bench: "gamma", table, op: "mixed" })),
  { bench: "aging", table: "stash", op: "aging", params: { round: 3, mixed: true } },
  { bench: "flush", table: "slab-hash", op: "flush", status: [0, N / 2, 0, 0] },
  { bench: "dynamic", table: "bucketed", op: "dynamic", params: { start: N } },
  ...["slab-hash", "cuckoo"].map((table) => ({ bench: "incremental", table, params: { batch: 400 } })),
  ...["slab-alloc", "bump"].map((table) => ({ bench: "alloc", table, op: "allocate", loadFactor: null })),
  { bench: "host", table: "cuckoo" },
  { bench: "host", table: "stash-hybrid", op: "find", params: { keyBytes: 8, valueBytes: 8 } },
  { ...slices, bench: "host-mixed", table: "stash" },
  ...["copy", "lookup8", "read4", "cas"].map((table) => ({ bench: "limit", table, params: { tableMiB: 1 } })),
  ...["update8", "cas"].map((table) => ({ bench: "strided", table, params: { stride: 4 } })),
  ...[false, true].map((gathers) => ({ bench: "model", table: "cuckoo", params: { gathers } })),
  ...[0.4, null].map((loadFactor) => {
    return { bench: "restarts", table: "cuckoo", loadFactor, params: { functions: 4, builds: 3 } };
  }),
];

/** The cell's life, as the worker leads it. */
async function lead(spec: CellSpec, gpu: FakeGpu, keys: KeyCache): Promise<void> {
  const cell = await prepare(spec, gpu, keys);
  try {
    for (let i = 0; i < 2; i++) {
      if (cell.mutates) await cell.reset();
      await cell.sample();
    }
    await cell.verify();
    await cell.metrics(1000);
  } finally {
    cell.destroy();
  }
}

test.each(cells)("%o leaves nothing on the device, whichever allocation fails", async ({ status, ...change }) => {
  const elsewhere = new FakeGpu();
  const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(elsewhere, dataset, n, seed) };
  for (let failing = 1; ; failing++) {
    const gpu = new FakeGpu(failing, status);
    const error = await lead({ ...usual, ...change }, gpu, keys).catch((thrown: unknown) => thrown);
    if (error !== undefined && !(error instanceof DoesNotFit)) throw error;
    expect(gpu.live, `allocation ${failing}`).toEqual([]);
    if (error === undefined) break;
  }
});

/** Knows the most bytes that were there at a time. */
class Weighing extends FakeGpu {
  most = 0;

  override async alloc(label: string, bytes: number, memory?: MemoryKind): Promise<GPUBuffer> {
    const buffer = await super.alloc(label, bytes, memory);
    this.most = Math.max(this.most, this.bytes);
    return buffer;
  }
}

/** So many pairs that what has one size for any number of them does not count. */
const MANY = 2 ** 16;

test.each(cells)("%o holds about as many bytes as are planned for it", async ({ status, ...change }) => {
  // Operations that count in their status count as many as there are pairs.
  const gpu = new Weighing(
    0,
    status?.map((word) => (word * MANY) / N),
  );
  const elsewhere = new FakeGpu();
  const keys: KeyCache = { get: (dataset, n, seed) => loadKeys(elsewhere, dataset, n, seed) };
  const cell = { ...usual, ...change, n: MANY };
  await lead(cell, gpu, keys);
  const share = gpu.most / bytesOf(cell).all;
  expect(share).toBeGreaterThan(0.6);
  expect(share).toBeLessThan(1.6);
});

test("a data set that does not fit leaves nothing on the device", async () => {
  for (const failing of [1, 2, 3, 4]) {
    const gpu = new FakeGpu(failing);
    await expect(loadKeys(gpu, "random", N, 1)).rejects.toThrow(DoesNotFit);
    expect(gpu.live).toEqual([]);
  }
});

test("a table beyond all that kernels can bind is refused before any data are made", async () => {
  const asked = vi.fn();
  const keys: KeyCache = { get: asked };
  const cell = { ...usual, table: "bucketed", n: 2 ** 31, loadFactor: 0.8 };
  await expect(prepare(cell, new FakeGpu(), keys)).rejects.toThrow(
    /^\d{11} bytes: the device binds \d{11}, in 5 storage/,
  );
  expect(asked).not.toHaveBeenCalled();
});
