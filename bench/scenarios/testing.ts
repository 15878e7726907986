/** For tests: cells that run as in a worker, and a table on the host that can be made to answer wrongly. */

import { afterEach, expect } from "vitest";
import { EMPTY } from "../../kernels/common/steps.js";
import { declare } from "../../kernels/declare.js";
import { defineTable } from "../../kernels/define.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import type { Owned } from "../../kernels/device/owned.js";
import type { Answer, GpuTable, Lookups, Pairs, RunSteps, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { Metric } from "../results/metrics.js";
import { type Benchmark, type KeyCache, type PreparedCell, prepareCell } from "./benchmark.js";
import { prepare as prepareByName } from "./index.js";
import { loadKeys } from "./workload/keys.js";

/** A cell of no experiment: an insertion of random keys at load factor 0.8, but for what `change` says. */
export function cellOf(change: Partial<CellSpec>): CellSpec {
  return {
    experiment: "none",
    bench: "table",
    table: "bucketed",
    variant: "",
    op: "insert",
    dataset: "random",
    n: 3001,
    loadFactor: 0.8,
    positiveRatio: null,
    seed: 5,
    params: {},
    ...change,
  };
}

export function byName(metrics: readonly Metric[]): Record<string, number> {
  return Object.fromEntries(metrics.map(({ metric, value }) => [metric, value]));
}

/** Samples so often, after a reset where that is needed; the nanoseconds. */
export async function sampled(cell: PreparedCell, times: number): Promise<number[]> {
  const samples: number[] = [];
  for (let i = 0; i < times; i++) {
    if (cell.mutates) await cell.reset();
    // A GPU repeats what is short and changes nothing.
    samples.push(await cell.sample(...(cell.mutates ? [] : [2])));
    expect(samples.at(-1)).toBeGreaterThan(0);
  }
  return samples;
}

/** Cells on this device, which are freed after the test that made them, as are their keys. */
export function cellsOn(gpu: () => Gpu) {
  const made: { destroy(): void }[] = [];
  afterEach(() => {
    for (const one of made.splice(0)) one.destroy();
  });
  const keep = <T extends object>(one: Owned<T>): Owned<T> => {
    made.push(one);
    return one;
  };
  const keys: KeyCache = { get: async (...set) => keep(await loadKeys(gpu(), ...set)) };
  /** @param by Default: the benchmark that the cell names. */
  const prepare = async (spec: CellSpec, by?: Pick<Benchmark, "prepare">): Promise<Owned<PreparedCell>> =>
    keep(await (by ? prepareCell(by, spec, gpu(), keys) : prepareByName(spec, gpu(), keys)));
  /** Two samples, and what verification and metrics say then. */
  const measured = async (spec: CellSpec, by?: Pick<Benchmark, "prepare">) => {
    const cell = await prepare(spec, by);
    await sampled(cell, 2);
    const { operations, dataHash } = cell;
    return { wrong: await cell.verify(), metrics: byName(await cell.metrics(1)), operations, dataHash };
  };
  return { keep, keys, prepare, measured };
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
  private ranges = new Map<number, readonly [first: number, count: number]>();

  constructor(
    private readonly gpu: Gpu,
    private readonly answers: Answer,
    private readonly faults: Faults,
    private list: GPUBuffer,
    readonly slots: number,
  ) {}

  get storage() {
    return { list: this.list };
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
export const onHost = (answers: Answer, faults: Faults = {}): TableType =>
  defineTable({
    id: `on-host-${answers}`,
    title: "",
    source: "",
    parameters: declare({}),
    configure: () => ({
      ops: ["insert", "find"],
      answers,
      maxLoadFactor: 1,
      duplicates: true,
      incremental: false,
      access: () => ({ pattern: "lookup4", why: "" }),
      bytes: () => 0,
      create: async (device, { n, loadFactor }) =>
        new OnHost(device, answers, faults, await device.alloc("list", 16), Math.ceil(n / loadFactor)),
    }),
  });
