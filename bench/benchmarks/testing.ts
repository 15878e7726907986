/**
 * For tests of benchmarks: cells on the device, and a table on the host that can be made to answer wrongly, so that tests see
 * whether the benchmark notices.
 */
import { afterEach, expect } from "vitest";
import { EMPTY } from "../../kernels/common/steps.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Answer, GpuTable, Lookups, Pairs, RunSteps, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../experiment.js";
import { type Benchmark, type KeyCache, type PreparedCell, prepareCell } from "../measure/benchmark.js";
import { loadKeys } from "../workload/workload.js";
import { prepare as prepareByName } from "./index.js";

/** A cell of random keys, without what only some have. */
export function cellOf(change: Pick<CellSpec, "bench" | "table" | "op" | "n"> & Partial<CellSpec>): CellSpec {
  return {
    experiment: "none",
    variant: "",
    dataset: "random",
    loadFactor: null,
    positiveRatio: null,
    seed: 5,
    params: {},
    ...change,
  };
}

export interface Measured {
  /** What verification says. */
  readonly wrong: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly operations: number;
  readonly dataHash: string;
}

/** How a cell is prepared and sampled, where it is not as usual. */
export interface Measuring {
  /** Default: the cell's own, by its name. */
  readonly benchmark?: Pick<Benchmark, "prepare">;
  /** Median time of a sample, of which metrics are made; nanoseconds. */
  readonly ns?: number;
}

/** Cells like `usual` on the device; what is made of them is freed after each test. */
export function cellsOn(gpu: () => Gpu, usual: CellSpec) {
  const made: { destroy(): void }[] = [];
  afterEach(() => {
    for (const one of made.splice(0)) one.destroy();
  });
  const keys: KeyCache = {
    async get(...set) {
      const data = await loadKeys(gpu(), ...set);
      made.push(data);
      return data;
    },
  };
  const prepare = async (change: Partial<CellSpec>, benchmark?: Measuring["benchmark"]): Promise<PreparedCell> => {
    const cell = { ...usual, ...change };
    const prepared = await (benchmark ? prepareCell(benchmark, cell, gpu(), keys) : prepareByName(cell, gpu(), keys));
    made.push(prepared);
    return prepared;
  };
  /** Samples the cell twice, and asks for everything that it says. */
  const measured = async (change: Partial<CellSpec> = {}, { benchmark, ns = 1 }: Measuring = {}): Promise<Measured> => {
    const prepared = await prepare(change, benchmark);
    for (let i = 0; i < 2; i++) await sample(prepared);
    const wrong = await prepared.verify();
    const metrics = Object.fromEntries((await prepared.metrics(ns)).map(({ metric, value }) => [metric, value]));
    return { wrong, metrics, operations: prepared.operations, dataHash: prepared.dataHash };
  };
  return { keys, prepare, measured };
}

/** Resets a cell if it has to be, and samples it; nanoseconds. */
export async function sample(prepared: PreparedCell): Promise<number> {
  if (prepared.mutates) await prepared.reset();
  // A GPU repeats what is short and changes nothing.
  const ns = prepared.mutates ? await prepared.sample() : await prepared.sample(2);
  expect(ns).toBeGreaterThan(0);
  return ns;
}

/** What a table on the host gives away: its words may be changed before they reach the device. */
export interface Faults {
  list?(list: Uint32Array): void;
  results?(results: Uint32Array, keys: Uint32Array): void;
  distinct?(distinct: number): number;
}

/** A table in a JavaScript Map, which passes its answers through the device's buffers. */
class OnHost implements GpuTable {
  readonly bytes = 0;
  list: GPUBuffer;
  private ranges = new Map<number, readonly [first: number, count: number]>();

  constructor(
    private readonly gpu: Gpu,
    private readonly answers: Answer,
    private readonly faults: Faults,
    empty: GPUBuffer,
    readonly slots: number,
  ) {
    this.list = empty;
  }

  async clear(): Promise<void> {
    this.ranges.clear();
  }

  async insert(_: RunSteps, { keys, values, n }: Pairs) {
    const all = new Map<number, number[]>();
    const words = await this.gpu.read(values, n);
    for (const [i, key] of (await this.gpu.read(keys, n)).entries()) {
      const own = all.get(key) ?? [];
      own.push(words[i] ?? 0);
      all.set(key, own);
    }
    this.ranges = new Map();
    let first = 0;
    for (const [key, own] of all) {
      this.ranges.set(key, [first, own.length]);
      first += this.answers === "id" ? 1 : own.length;
    }
    const list = Uint32Array.from(this.answers === "id" ? [...all.keys()] : [...all.values()].flat());
    this.faults.list?.(list);
    this.list.destroy();
    this.list = await this.gpu.alloc("list", list.byteLength);
    this.gpu.write(this.list, 0, list);
    return { ns: 1000, count: 0, restarts: 1, distinct: this.faults.distinct?.(all.size) ?? all.size };
  }

  async find(_: RunSteps, { keys, results, n }: Lookups) {
    const asked = await this.gpu.read(keys, n);
    const answerTo = (key: number): readonly number[] => {
      const [first, count] = this.ranges.get(key) ?? [EMPTY, EMPTY];
      if (this.answers === "range") return [first, count];
      return [this.answers === "id" || first === EMPTY ? first : 1];
    };
    const words = Uint32Array.from([...asked].flatMap(answerTo));
    this.faults.results?.(words, asked);
    this.gpu.write(results, 0, words);
    return { ns: 500, count: 0, restarts: 0 };
  }
}

/** Its type. */
export const onHost = (answers: Answer, faults: Faults = {}): TableType => ({
  id: `on-host-${answers}`,
  title: "",
  source: "",
  ops: ["insert", "find"],
  answers,
  maxLoadFactor: 1,
  duplicates: true,
  incremental: false,
  parameters: [],
  access: () => ({ pattern: "lookup4", why: "" }),
  bytes: () => 0,
  create: async (device, { n, loadFactor }) =>
    new OnHost(device, answers, faults, await device.alloc("list", 16), Math.ceil(n / loadFactor)),
});
