/** How the kernels of the slab hash are compiled. */
import { inCache, variant } from "../common/steps.js";
import { tileConditions } from "../common/warp.js";
import { UsageError } from "../device/errors.js";
import type { Gpu, Kernel } from "../device/gpu.js";
import type { TableOptions } from "../table.js";

/** Lanes that read a slab together: parameter `tile`. */
export const TILES = [4, 8, 32] as const;
/** Fastest on an H200. */
export const USUAL = { find: 4, update: 8 } as const;
/** Storage buffers that kernels with super blocks bind, at most; the counting variant of mixed batches one more. */
const SUPER_BINDINGS = 12;

/** Operations that change the table: conditions of update.wgsl. */
const UPDATES = {
  insert: { INSERTS: true },
  erase: { ERASES: true },
  eraseAll: { ERASES: true, ALL: true },
  mixed: {},
} as const;
export type Update = keyof typeof UPDATES;

/** A kernel whose lanes cooperate, and the lanes of its workgroups. */
export interface Compiled {
  readonly kernel: Kernel;
  readonly groupLanes: number;
}

export class Kernels {
  /**
   * @param keyOnly Slabs of keys without values.
   * @param bytes Of the table.
   */
  constructor(
    private readonly gpu: Gpu,
    private readonly options: TableOptions,
    private readonly keyOnly: boolean,
    private readonly buckets: number,
    private readonly bytes: number,
  ) {
    const { maxStorageBuffersPerShaderStage: most = SUPER_BINDINGS } = gpu.info.limits;
    if (options.params.allocator === "slab-alloc" && most < SUPER_BINDINGS) {
      throw new UsageError(
        `slab-alloc binds ${SUPER_BINDINGS} buffers, the adapter ${most}; slab-alloc-light is one array`,
      );
    }
  }

  find(): Promise<Compiled> {
    const tile = this.tile("find");
    return this.cooperative("find", tile, { WORDS: tile === 32, WIDE: tile === 4 });
  }

  /** SEARCHALL: its counting dispatch, and the one that collects values. */
  findAll(collect: boolean): Promise<Compiled> {
    return this.cooperative("find-all", 8, { WORDS: false, COLLECT: collect });
  }

  update(what: Update): Promise<Compiled> {
    // A lane looks at no more than four words, and a slab has twice as many keys as pairs.
    const tile = Math.max(this.tile("update"), this.keyOnly ? 8 : 4);
    const even = tile < 32 && !this.keyOnly;
    const looks = (even ? 16 : 32) / tile;
    return this.cooperative("update", tile, {
      ...{ INSERTS: false, ERASES: false, ALL: false, ...UPDATES[what] },
      ...{ EVEN: even, LOOKS_1: looks === 1, LOOKS_2: looks === 2, LOOKS_4: looks === 4 },
    });
  }

  /** A kernel with a lane a list. */
  lists(name: "flush" | "occupancy"): Promise<Kernel> {
    return this.compile(name, {}, {});
  }

  private tile(what: keyof typeof USUAL): number {
    const { tile } = this.options.params;
    return typeof tile === "number" ? tile : USUAL[what];
  }

  private async cooperative(name: string, tile: number, conditions: Conditions): Promise<Compiled> {
    const warp = tileConditions(this.gpu.info, tile, this.options.params.warp);
    const constants = { TILE: tile, ...warp.constants };
    const kernel = await this.compile(name, { ...conditions, ...warp.conditions }, constants);
    return { kernel, groupLanes: warp.groupLanes };
  }

  private compile(name: string, conditions: Conditions, constants: Readonly<Record<string, number>>): Promise<Kernel> {
    const { gpu, options, keyOnly, buckets } = this;
    const { unique = true, allocator } = options.params;
    const of = {
      KEYS: keyOnly,
      UNIQUE: unique === true,
      BUMP: allocator === "bump",
      SUPER: allocator === "slab-alloc",
    };
    const source = { file: `kernels/slab-hash/${name}.wgsl`, conditions: { ...of, ...conditions }, constants };
    const sizes = { sizes: { buckets, seed: options.seed }, fixed: inCache(this.bytes) };
    return variant(gpu, { ...source, ...sizes }, options.counting && name !== "flush" && name !== "occupancy");
  }
}

type Conditions = Readonly<Record<string, boolean>>;
