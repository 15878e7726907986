/** How the kernels of the slab hash are compiled, and what their steps bind. */
import { inCache, variant } from "../common/steps.js";
import { groupsOf, tileConditions } from "../common/warp.js";
import { dispatch } from "../device/bind.js";
import { UsageError } from "../device/errors.js";
import type { Bindings, Gpu, Kernel, KernelSource, Step } from "../device/gpu.js";
import { type SlabParams, tileOf } from "./parameters.js";
import type { SlabPool } from "./pool.js";

/** Storage buffers that kernels with super blocks bind, at most; the counting variant of mixed batches one more. */
const SUPER_BINDINGS = 12;

/** Operations that change the table: conditions of update.wgsl. */
const UPDATES = {
  insert: { INSERTS: true },
  erase: { ERASES: true },
  eraseAll: { ERASES: true, ALL: true },
  insertOnce: { INSERTS: true, ONCE: true },
  mixed: {},
} as const;
export type Update = keyof typeof UPDATES;

/** A step of lanes that cooperate, one an item. */
export type MakeStep<Takes extends string> = (items: number, bindings: Bindings<Takes>) => Step;

type Conditions = Readonly<Record<string, boolean>>;

interface Making {
  readonly params: SlabParams;
  readonly seed: number;
  readonly counting: boolean;
  /** Slabs of keys without values. */
  readonly keyOnly: boolean;
}

/** Storage buffers that insertions into several banks bind beside these: keys, values, status, bits; counters. */
export function boundBeside({ keyOnly, counting }: Pick<Making, "keyOnly" | "counting">): number {
  return 3 + Number(!keyOnly) + Number(counting);
}

/** Kernels bind the slabs that the pool has when they are asked for. */
export class Kernels {
  private readonly fixed: boolean;

  constructor(
    private readonly gpu: Gpu,
    private readonly making: Making,
    private readonly pool: SlabPool,
    private readonly status: GPUBuffer,
  ) {
    this.fixed = inCache(pool.bytes);
    const { maxStorageBuffersPerShaderStage: most = SUPER_BINDINGS } = gpu.info.limits;
    if (making.params.allocator === "slab-alloc" && most < SUPER_BINDINGS) {
      throw new UsageError(
        `slab-alloc binds ${SUPER_BINDINGS} buffers, the adapter ${most}; slab-alloc-light binds fewer`,
      );
    }
  }

  /** With batches of insertions and erasures lists grow. Other tables do one operation after another, as in the paper. */
  private get long(): boolean {
    return this.making.params.overwrite;
  }

  find(): Promise<MakeStep<"queries" | "results" | "range">> {
    const { tile: asked, queries } = this.making.params;
    const tile = tileOf(asked, "find");
    const conditions = { WORDS: tile === 32, WIDE: tile === 4, LONG: this.long };
    const takes = ["queries", "results", "range"] as const;
    const own = { conditions, constants: { QUERIES: queries }, takes };
    return this.cooperative(tile === 1 ? "find-alone" : "find", tile, own, queries);
  }

  /** SEARCHALL, first: counts the values of each query. */
  countAll(): Promise<MakeStep<"queries" | "n" | "counts">> {
    const conditions = { WORDS: false, COLLECT: false };
    return this.cooperative("find-all", 8, { conditions, takes: ["queries", "n", "counts"] });
  }

  /** SEARCHALL, second: collects them. */
  collectAll(): Promise<MakeStep<"queries" | "n" | "counts" | "ranges" | "list">> {
    const conditions = { WORDS: false, COLLECT: true };
    return this.cooperative("find-all", 8, { conditions, takes: ["queries", "n", "counts", "ranges", "list"] });
  }

  /**
   * @param batch Buffers of the batch, by name; which of them are used depends on the operation.
   * @param own Those that each step binds.
   */
  update<Own extends string = never>(
    what: Update,
    batch: Bindings,
    own: readonly Own[] = [],
  ): Promise<MakeStep<"batch" | Own>> {
    const { params, keyOnly } = this.making;
    const asked = tileOf(params.tile, "update");
    // A lane of a tile looks at no more than four words, and a slab has twice as many keys as pairs.
    const tile = asked === 1 ? 1 : Math.max(asked, keyOnly ? 8 : 4);
    const even = tile < 32 && !keyOnly;
    const looks = (even ? 16 : 32) / tile;
    const conditions = {
      INSERTS: false,
      ERASES: false,
      ALL: false,
      ONCE: false,
      ...UPDATES[what],
      OVERWRITES: what.startsWith("insert") && params.unique && params.overwrite,
      LONG: this.long,
      EVEN: even,
      ALONE: tile === 1,
      LOOKS_1: looks === 1,
      LOOKS_2: looks === 2,
      LOOKS_4: looks === 4,
    };
    return this.cooperative(tile === 1 ? "update-alone" : "update", tile, {
      conditions,
      takes: ["batch", ...own],
      bound: batch,
    });
  }

  /** A lane a list. */
  flush(): Promise<Kernel<"slabs">> {
    return variant(this.gpu, this.source("flush", { takes: ["slabs"] }), false);
  }

  /** LANES lanes a list. */
  occupancy(): Promise<Kernel<"slabs" | "counted">> {
    const source = this.source("occupancy", { conditions: { WORDS: false }, takes: ["slabs", "counted"] });
    return variant(this.gpu, source, false);
  }

  private async cooperative<Takes extends string>(
    name: string,
    tile: number,
    own: Own<Takes>,
    itemsOfLane = 1,
  ): Promise<MakeStep<Takes>> {
    const warp = tileConditions(this.gpu.info, tile, this.making.params.warp);
    // A lane that is alone has no others at its step.
    const conditions = { ...own.conditions, ...warp.conditions, COOPERATIVE: tile > 1 };
    const constants = { TILE: tile, ...own.constants, ...warp.constants };
    const source = this.source(name, { ...own, conditions, constants });
    const kernel = await variant(this.gpu, source, this.making.counting);
    return (items, bindings) => dispatch(kernel, groupsOf(items, warp.groupLanes * itemsOfLane), bindings);
  }

  private source<Takes extends string>(name: string, own: Own<Takes>): KernelSource<Takes> {
    const { making, pool, status } = this;
    const { unique, allocator } = making.params;
    const { conditions, constants, takes, bound } = own;
    return {
      file: `kernels/slab-hash/${name}.wgsl`,
      conditions: {
        KEYS: making.keyOnly,
        UNIQUE: unique,
        BUMP: allocator === "bump",
        SUPER: allocator === "slab-alloc",
        ...pool.conditions,
        ...conditions,
      },
      constants: { ...pool.constants, ...constants },
      sizes: { buckets: pool.base, seed: making.seed },
      fixed: this.fixed,
      bound: { ...pool.bound, status, ...bound },
      takes,
    };
  }
}

/** What a kernel has of its own. */
interface Own<Takes extends string> {
  readonly conditions?: Conditions;
  readonly constants?: Readonly<Record<string, number>>;
  readonly takes: readonly Takes[];
  readonly bound?: Bindings;
}
