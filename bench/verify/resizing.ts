/**
 * Histories of tables that resize themselves: from nothing to thousands of keys and back, several times. After every batch every key is
 * found with its last value, or not at all; the table has as many pairs as it should; the filled factor is within its bounds, as far as
 * there is a smaller size; and no sub-table is more than twice as large as another.
 */
import { keyOf } from "../../datasets/random.js";
import { uniform } from "../../datasets/rng.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { conflictOf, defaultsOf } from "../../kernels/parameters.js";
import type { TableType } from "../../kernels/table.js";
import { type Case, type PartEnded, roundSeed } from "./case.js";
import { Harness, Mismatch } from "./harness.js";

const RESIZE = { resize: true };
const KEYS = 4000;
const TIDES = 2;
/** Insertions, and then deletions, of a tide. */
const BATCHES = 5;
const LARGEST_BATCH = 2000;
/** Keys that no batch inserts. */
const absent = Array.from({ length: 500 }, (_, i) => keyOf(KEYS + i, 79));

export const resizingCases: readonly Case[] = [
  {
    name: "operations over many resizes",
    core: true,
    random: true,
    applies: (type) =>
      type.parameters.some(({ name }) => name === "resize") ? conflictOf(type, RESIZE) : "does not resize itself",
    check: history,
  },
];

async function history(gpu: Gpu, type: TableType, round: number, ended: PartEnded): Promise<void> {
  const draw = uniform(roundSeed(8, round));
  const below = (count: number) => Math.floor(draw() * count);
  const universe = Array.from({ length: KEYS }, (_, i) => keyOf(i, 79));
  const work = async (harness: Harness) => {
    const table = new Resizing(harness, universe, type);
    const insert = (keys: readonly number[], salt: number) =>
      table.does(
        harness.insert(
          keys,
          keys.map((key) => (Math.imul(key, 31) ^ salt) >>> 1),
        ),
      );
    const erase = (keys: readonly number[]) => table.does(harness.erase([...keys, ...absent]));
    for (let tide = 0; tide < TIDES; tide++) {
      await erase([]);
      for (let batch = 0; batch < BATCHES; batch++) {
        // New keys, keys that are there, and keys that come several times.
        const keys = Array.from({ length: 1 + below(LARGEST_BATCH) }, () => universe[below(KEYS)] ?? 0);
        await insert(keys, batch);
      }
      await insert(new Array<number>(LARGEST_BATCH).fill(universe[tide] ?? 0), BATCHES);
      for (let batch = 0; batch < BATCHES; batch++) {
        const some = universe.filter(() => draw() < 0.4);
        await erase([...some, ...some.slice(0, 50)]);
      }
      await erase(universe);
      ended();
    }
  };
  await Harness.on(gpu, type, 1, 0.8, work, { params: RESIZE });
}

class Resizing {
  private readonly alpha: number;
  private readonly beta: number;
  private readonly fewest: number;

  constructor(
    private readonly harness: Harness,
    private readonly universe: readonly number[],
    type: TableType,
  ) {
    const { alpha = 0, beta = 1 } = defaultsOf(type.parameters);
    this.alpha = Number(alpha);
    this.beta = Number(beta);
    this.fewest = harness.table.slots;
  }

  /** Awaits the batch. Throws Mismatch if the table is not as it should be after it. */
  async does(batch: Promise<void>): Promise<void> {
    await batch;
    const { harness, alpha, beta } = this;
    await harness.find([...this.universe, ...absent]);
    const filling = harness.table.filling?.();
    if (!filling) throw new Mismatch("a table that resizes itself does not say how full it is");
    const { pairs, slots, subTables } = filling;
    if (pairs !== harness.size) throw new Mismatch(`${pairs} pairs, where there should be ${harness.size}`);
    const sum = subTables.reduce((all, one) => all + one.pairs, 0);
    if (sum !== pairs) throw new Mismatch(`${sum} pairs in all sub-tables, ${pairs} in the table`);
    if (slots !== harness.table.slots) throw new Mismatch(`${slots} slots, and ${harness.table.slots}`);
    const filled = pairs / slots;
    if (filled > beta || (filled < alpha && slots > this.fewest))
      throw new Mismatch(`filled to ${filled.toFixed(3)}, not from ${alpha} to ${beta}`);
    const sizes = subTables.map((one) => one.slots);
    if (Math.max(...sizes) > 2 * Math.min(...sizes))
      throw new Mismatch(`sub-tables of ${sizes.join(", ")} slots: one is more than twice as large as another`);
  }
}
