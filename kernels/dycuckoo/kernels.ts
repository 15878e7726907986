/** How the kernels of the folder are compiled, and what their steps bind. */
import { bankConditions } from "../common/banks.js";
import { inCache, variant } from "../common/steps.js";
import { groupsOf, tileConditions } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import type { Bindings, Gpu, Kernel, KernelSource, Step } from "../device/gpu.js";
import { BUCKET, pairsOf } from "./filling.js";
import { type CuckooParams, spanOf, tileOf } from "./parameters.js";
import { bindingsOf, type SubTables } from "./sub-tables.js";

const BATCH = ["keys_in", "values_in", "batch", "pending"] as const;
const ERASURES = ["keys_in", "batch"] as const;

/** Kernels whose lanes cooperate, and what each of their steps binds. */
const COOPERATIVE = {
  insert: { file: "insert", conditions: {}, takes: BATCH },
  // Keys that are nowhere in the table, or only in what came with them.
  insertNew: { file: "insert", conditions: { UNIQUE: false }, takes: BATCH },
  // After `vacant`.
  insertAsking: { file: "insert", conditions: {}, takes: BATCH },
  evict: { file: "evict", conditions: {}, takes: BATCH },
  find: { file: "find", conditions: {}, takes: ["queries", "results", "range"] },
  erase: { file: "erase", conditions: { SPARING: false }, takes: ERASURES },
  takeBack: { file: "erase", conditions: { SPARING: true }, takes: ERASURES },
} as const;
export type Cooperative = keyof typeof COOPERATIVE;
type Takes<What extends Cooperative> = (typeof COOPERATIVE)[What]["takes"][number];

type Conditions = Readonly<Record<string, boolean>>;
type Constants = Readonly<Record<string, number>>;

interface Making {
  readonly params: CuckooParams;
  readonly seed: number;
  readonly counting: boolean;
}

interface Made {
  readonly bound: Bindings;
  readonly kernel: Kernel;
  readonly groupLanes: number;
}

export class Kernels {
  /** Those whose lanes cooperate, for the sub-tables that they were asked for last; of evictions for each span. */
  private readonly made = new Map<string, Made>();
  /** The same for all. */
  private readonly conditions: Conditions;
  private readonly sizes: Constants;
  private readonly fixed: boolean;

  /** @param memory As it is at first. */
  constructor(
    private readonly gpu: Gpu,
    private readonly making: Making,
    { buckets, several, bytes, bucketSlots, layout }: SubTables,
    private readonly status: GPUBuffer,
  ) {
    const bindings = several ? bindingsOf(buckets.length, gpu.info) : 0;
    this.conditions = {
      SEVERAL: several,
      NARROW: bucketSlots < BUCKET,
      BESIDE: layout.beside,
      ...bankConditions(bindings),
    };
    this.sizes = { seed: making.seed, pairs: pairsOf(buckets.length).length };
    this.fixed = inCache(bytes);
  }

  /**
   * What makes steps of up to `most` items, with a lane an item, or a span of them.
   * @param bound The sub-tables, as `SubTables.bound` has them: the same object for the same ones.
   */
  async ready<What extends Cooperative>(
    what: What,
    bound: Bindings,
    most: number,
  ): Promise<(items: number, bindings: Bindings<Takes<What>>) => Step> {
    const spans = new Set([1, most].map((items) => this.span(what, items)));
    const made = new Map(
      await Promise.all([...spans].map(async (span) => [span, await this.get(what, bound, span)] as const)),
    );
    return (items, bindings) => {
      const span = this.span(what, items);
      const found = made.get(span);
      if (!found) throw new Error(`${items} items, and ${most} at most`);
      return stepOf(found, span, items, bindings);
    };
  }

  private span(what: Cooperative, items: number): number {
    return what === "evict" ? spanOf(this.making.params, items) : 1;
  }

  private async get(what: Cooperative, bound: Bindings, span: number): Promise<Made> {
    const known = this.made.get(`${what} ${span}`);
    return known?.bound === bound ? known : this.make(what, bound, span);
  }

  /** One of these steps. */
  async step<What extends Cooperative>(
    what: What,
    bound: Bindings,
    items: number,
    bindings: Bindings<Takes<What>>,
  ): Promise<Step> {
    const span = this.span(what, items);
    return stepOf(await this.get(what, bound, span), span, items, bindings);
  }

  private async make(what: Cooperative, bound: Bindings, span: number): Promise<Made> {
    const { warp: kind, unique, locks, swap, voter, bucketSlots, resize } = this.making.params;
    const tile = tileOf(this.making.params, what === "find" ? "find" : "update");
    const { file, conditions, takes } = COOPERATIVE[what];
    const warp = tileConditions(this.gpu.info, tile, kind);
    const source = this.source<string>(file, bound, takes, {
      ...warp.conditions,
      WORDS: tile === bucketSlots,
      WIDE: tile === 4,
      UNIQUE: unique,
      LOCKS: locks,
      SWAP: swap,
      VOTER: voter,
      GROWS: resize,
      ASKS: what === "insertAsking" && unique,
      ...conditions,
    });
    const constants = { TILE: tile, SPAN: span, ...warp.constants };
    const kernel = await variant(this.gpu, { ...source, constants }, this.making.counting);
    const made = { bound, kernel, groupLanes: warp.groupLanes };
    this.made.set(`${what} ${span}`, made);
    return made;
  }

  /** Has `insertAsking`, which comes after it, know whether there are pairs. */
  async vacant(bound: Bindings): Promise<Step> {
    return dispatch(await this.plain("vacant", bound, [], {}), 1, {});
  }

  upsize(): Promise<Kernel<"old" | "resized" | "before">> {
    return this.moving("upsize", {}, ["old", "resized", "before"]);
  }

  /** @param bound The sub-tables without the one that is resized. */
  downsize(bound: Bindings): Promise<Kernel<"old" | "resized" | "before" | "pending">> {
    return this.moving("downsize", bound, ["old", "resized", "before", "pending"]);
  }

  /** A kernel that has no lanes to cooperate, and nothing to count. */
  plain<Takes extends string>(
    name: string,
    bound: Bindings,
    takes: readonly Takes[],
    constants: Constants,
  ): Promise<Kernel<Takes>> {
    return this.gpu.kernel({ ...this.source(name, bound, takes, {}), constants });
  }

  /** A kernel that moves the pairs of a sub-table. */
  private moving<Takes extends string>(name: string, bound: Bindings, takes: readonly Takes[]): Promise<Kernel<Takes>> {
    const source = this.source(name, bound, takes, { SUBGROUPS: false, COOPERATIVE: false });
    return variant(this.gpu, source, this.making.counting);
  }

  private source<Takes extends string>(
    name: string,
    bound: Bindings,
    takes: readonly Takes[],
    conditions: Conditions,
  ): KernelSource<Takes> {
    return {
      file: `kernels/dycuckoo/${name}.wgsl`,
      conditions: { ...this.conditions, ...conditions },
      sizes: this.sizes,
      fixed: this.fixed,
      bound: { ...bound, status: this.status },
      takes,
    };
  }
}

/** The pairs of a span may begin in the middle of one. */
function stepOf({ kernel, groupLanes }: Made, span: number, items: number, bindings: Bindings): Step {
  const lanes = span > 1 ? Math.ceil(items / span) + 1 : items;
  return dispatch(kernel, groupsOf(lanes, groupLanes), bindings);
}
