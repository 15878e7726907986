/** How the kernels of the folder are compiled. */
import { inCache, variant } from "../common/steps.js";
import { groupsOf, tileConditions } from "../common/warp.js";
import type { Gpu, Kernel, KernelSource, Step } from "../device/gpu.js";
import type { TableOptions } from "../table.js";
import { pairsOf } from "./filling.js";
import { bindingsOf } from "./sub-tables.js";

/** Lanes that read a bucket together: parameter `tile`. */
export const TILES = ["auto", 4, 8, 32] as const;
/** Fastest on an H200, of the slab hash. */
export const USUAL = { find: 4, update: 8 } as const;

/** Pairs of a lane that evicts: SPAN of evict.wgsl. */
const SPAN = 8;

/** Kernels whose lanes cooperate. */
export type Cooperative = "insert" | "insertNew" | "evict" | "find" | "erase" | "takeBack";

const FILES: Readonly<Record<Cooperative, { file: string; conditions?: Readonly<Record<string, boolean>> }>> = {
  insert: { file: "insert" },
  // Keys that are nowhere in the table, or only in what came with them.
  insertNew: { file: "insert", conditions: { UNIQUE: false } },
  evict: { file: "evict" },
  find: { file: "find" },
  erase: { file: "erase", conditions: { SPARING: false } },
  takeBack: { file: "erase", conditions: { SPARING: true } },
};

export class Kernels {
  /**
   * @param several Every sub-table is a buffer.
   * @param bytes Of the table.
   */
  constructor(
    private readonly gpu: Gpu,
    private readonly options: TableOptions,
    private readonly subTables: number,
    private readonly several: boolean,
    private readonly bytes: number,
  ) {}

  /** A step with a lane an item. */
  async step(what: Cooperative, items: number, bindings: Step["bindings"]): Promise<Step> {
    const { tile: asked, warp: kind, unique, locks } = this.options.params;
    const tile = typeof asked === "number" ? asked : what === "find" ? USUAL.find : USUAL.update;
    const { file, conditions } = FILES[what];
    const warp = tileConditions(this.gpu.info, tile, kind);
    const kernel = await this.compile(
      file,
      {
        ...warp.conditions,
        WORDS: tile === 32,
        WIDE: tile === 4,
        UNIQUE: unique === true,
        LOCKS: locks === true,
        ...conditions,
      },
      { TILE: tile, ...warp.constants },
    );
    // The pairs of a span may begin in the middle of one.
    const lanes = what === "evict" ? Math.ceil(items / SPAN) + 1 : items;
    return { kernel, bindings, groups: groupsOf(lanes, warp.groupLanes) };
  }

  resizing(what: "upsize" | "downsize"): Promise<Kernel> {
    return this.compile(what, { SUBGROUPS: false, COOPERATIVE: false }, {});
  }

  /** A kernel of tables in one array that has no lanes to cooperate, and nothing to count. */
  plain(name: string, constants: Readonly<Record<string, number>> = {}): Promise<Kernel> {
    return this.gpu.kernel({ ...this.source(name, { SEVERAL: false }), constants });
  }

  private compile(
    name: string,
    conditions: Readonly<Record<string, boolean>>,
    constants: Readonly<Record<string, number>>,
  ): Promise<Kernel> {
    const { options, several } = this;
    const source = { ...this.source(name, { SEVERAL: several, ...conditions }), constants };
    return variant(this.gpu, source, options.counting);
  }

  private source(name: string, conditions: Readonly<Record<string, boolean>>): KernelSource {
    const sizes = { seed: this.options.seed, pairs: pairsOf(this.subTables).length };
    const bindings = this.several ? bindingsOf(this.subTables, this.gpu.info) : 0;
    const bound = { T3: bindings >= 3, T4: bindings >= 4, T5: bindings >= 5, T6: bindings >= 6 };
    const file = `kernels/dycuckoo/${name}.wgsl`;
    return { file, conditions: { ...conditions, ...bound }, sizes, fixed: inCache(this.bytes) };
  }
}
