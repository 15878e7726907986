/**
 * Histories of tables that resize themselves: from nothing to thousands of keys and back, several times. After every batch every key is
 * found with its last value, or not at all. The table has as many pairs as it should; the filled factor is within its bounds, as far as
 * there is a smaller size; and no sub-table is more than twice as large as another.
 */
import { uniform } from "../../../datasets/rng.js";
import { conflictOf } from "../../../kernels/define.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { Filling, Params, TableType } from "../../../kernels/table.js";
import { decimals } from "../../base/format.js";
import { Mismatch } from "../bulk.js";
import { type Case, type PartEnded, roundSeed } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { Harness } from "../harness.js";

const RESIZE = { resize: true };
/** Half full: the pairs of two buckets are more than one has slots for, of half of all pairs of buckets. */
const CROWDED = { ...RESIZE, alpha: 0.5 };
const TIDES = 2;
/** A downsize by hand leaves the table no fuller than this. */
const CROWDED_MOST = 0.75;
/** With fewer pairs, two buckets seldom have more than fit into one. */
const FEW = 300;

/** Different keys that are inserted, the largest batch, and how many batches insert, and then erase, in a tide. */
const LARGE = { keys: 4000, largestBatch: 2000, batches: 5 };
/** On a software adapter: every sub-table is still doubled three times, and halved as often. */
const SMALL = { keys: 1600, largestBatch: 1200, batches: 3 };
const sizeFor = (gpu: Gpu) => (gpu.info.software ? SMALL : LARGE);

const keysOf = (first: number, count: number) => keysFrom(first, count, 79);
/** Keys that no batch inserts. */
const absent = keysOf(LARGE.keys, 500);

export const cases: readonly Case[] = [
  {
    name: "operations over many resizes",
    core: true,
    random: true,
    applies: (type) => inapplicable(type, RESIZE),
    check: history,
  },
  {
    name: "downsizings whose pairs do not fit into one bucket",
    core: true,
    random: true,
    applies: (type) => inapplicable(type, CROWDED),
    check: residuals,
  },
];

function inapplicable(type: TableType, params: Params): string {
  const resizes = type.parameters.some(({ name }) => name === "resize");
  return resizes ? conflictOf(type, params) : "does not resize itself";
}

async function history(gpu: Gpu, type: TableType, round: number, ended: PartEnded): Promise<void> {
  const draw = uniform(roundSeed(8, round));
  const below = (count: number) => Math.floor(draw() * count);
  const { keys: different, largestBatch, batches } = sizeFor(gpu);
  const universe = keysOf(0, different);
  const work = async (harness: Harness) => {
    const table = new Resizing(harness, type, RESIZE, universe);
    const insert = (drawn: readonly number[], salt: number) => {
      const keys = type.duplicates ? drawn : [...new Set(drawn)].filter((key) => !harness.has(key));
      return table.does(harness.insert(keys, valuesFor(keys, salt)));
    };
    const erase = (keys: readonly number[]) => table.does(harness.erase([...keys, ...absent]));
    for (let tide = 0; tide < TIDES; tide++) {
      await erase([]);
      for (let batch = 0; batch < batches; batch++) {
        // New keys, keys that are there, and keys that come several times.
        const keys = Array.from({ length: 1 + below(largestBatch) }, () => universe[below(different)] ?? 0);
        await insert(keys, batch);
      }
      await insert(new Array<number>(largestBatch).fill(universe[tide] ?? 0), batches);
      for (let batch = 0; batch < batches; batch++) {
        const some = universe.filter(() => draw() < 0.4);
        await erase([...some, ...some.slice(0, 50)]);
      }
      await erase(universe);
      ended();
    }
  };
  await Harness.on(gpu, type, 1, 0.8, work, { params: RESIZE });
}

/**
 * A table that is half full, or a little more, and halves one sub-table after another: as its policy says while keys are erased, and
 * beside that when it is told to. What other sub-tables have more after one of these are the residuals, and there have to be some.
 */
async function residuals(gpu: Gpu, type: TableType, round: number, ended: PartEnded): Promise<void> {
  const draw = uniform(roundSeed(9, round));
  const universe = keysOf(0, sizeFor(gpu).keys);
  const work = async (harness: Harness) => {
    const table = new Resizing(harness, type, CROWDED, universe);
    await table.does(harness.insert(universe, valuesFor(universe, round)));
    let moved = 0;
    while (harness.size > FEW) {
      await table.does(harness.erase(universe.filter(() => draw() < 0.15)));
      moved += await halved(gpu, table);
      ended();
    }
    if (moved === 0) throw new Error("no pair went to another sub-table: nothing is known of those that have to");
  };
  await Harness.on(gpu, type, 1, 0.8, work, { params: CROWDED });
}

/** One downsize more, unless it makes the table fuller than it may be; how many pairs other sub-tables took. */
async function halved(gpu: Gpu, table: Resizing): Promise<number> {
  const before = table.filling();
  const largest = Math.max(...before.subTables.map(({ slots }) => slots));
  if (before.pairs > Math.min(CROWDED_MOST, table.beta) * (before.slots - largest / 2)) return 0;
  const resize = table.harness.table.resizable?.resize((...pass) => gpu.timeNext(...pass), "down");
  if (!resize) throw new Error("a table that resizes itself does not do it when told to");
  await table.does(resize);
  const after = table.filling();
  // One that found no room for a residual says so, and has changed nothing.
  const { downsizes = 0, failed = 0 } = (await resize).resizing ?? {};
  if (downsizes + failed !== 1 || after.slots !== before.slots - downsizes * (largest / 2)) {
    throw new Mismatch(`${before.slots} slots became ${after.slots} by ${downsizes} downsizes, ${failed} given up`);
  }
  if (failed > 0) return 0;
  return after.subTables.reduce((sum, one, i) => {
    const { slots, pairs } = before.subTables[i] ?? one;
    return sum + (one.slots === slots ? one.pairs - pairs : 0);
  }, 0);
}

class Resizing {
  private readonly alpha: number;
  readonly beta: number;
  private readonly fewest: number;

  constructor(
    readonly harness: Harness,
    type: TableType,
    params: Params,
    private readonly universe: readonly number[],
  ) {
    const { alpha = 0, beta = 1 } = { ...type.params, ...params };
    this.alpha = Number(alpha);
    this.beta = Number(beta);
    this.fewest = harness.table.slots;
  }

  /** Awaits the batch. Throws Mismatch if the table is not as it should be after it. */
  async does(batch: Promise<unknown>): Promise<void> {
    await batch;
    const { harness, alpha, beta } = this;
    await harness.find([...this.universe, ...absent]);
    const { pairs, slots, subTables } = this.filling();
    if (pairs !== harness.size) throw new Mismatch(`${pairs} pairs, where there should be ${harness.size}`);
    const sum = subTables.reduce((all, one) => all + one.pairs, 0);
    if (sum !== pairs) throw new Mismatch(`${sum} pairs in all sub-tables, ${pairs} in the table`);
    if (slots !== harness.table.slots) throw new Mismatch(`${slots} slots, and ${harness.table.slots}`);
    const filled = pairs / slots;
    if (filled > beta || (filled < alpha && slots > this.fewest))
      throw new Mismatch(`filled to ${decimals(filled, 3)}, not from ${alpha} to ${beta}`);
    const sizes = subTables.map((one) => one.slots);
    if (Math.max(...sizes) > 2 * Math.min(...sizes))
      throw new Mismatch(`sub-tables of ${sizes.join(", ")} slots: one is more than twice as large as another`);
  }
  filling(): Filling {
    const filling = this.harness.table.resizable?.filling();
    if (!filling) throw new Mismatch("a table that resizes itself does not say how full it is");
    return filling;
  }
}
