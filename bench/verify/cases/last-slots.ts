/**
 * Many lanes that race for the last slots of a table. Of tables that evict, a lane reads a victim, and another one may move it before the
 * first has its lock. A lane that does not look again writes over the pair that came to the slot.
 */
import { keyConstants, keyRange } from "../../../datasets/random.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import { type Case, isSlow, type PartEnded, roundSeed } from "../case.js";
import { valueWords } from "../draw.js";
import { Harness } from "../harness.js";

/** Pairs, and how often the table is filled. Few enough for victims to be of many lanes' buckets, and lanes of many workgroups. */
const SMALL = { n: 2000, times: 3 };
const LARGE = { n: 20_000, times: 30 };

export const cases: readonly Case[] = [
  {
    name: "insertions that race for the last slots",
    random: true,
    needs: ["values", "additions"],
    check: fill,
  },
];

/**
 * Fills a table to its largest load factor, so many times. Throws Mismatch if a pair that was not refused is not there, or has
 * another value.
 */
async function fill(gpu: Gpu, type: TableType, round: number, ended: PartEnded): Promise<void> {
  const { n, times } = isSlow(gpu, type) ? SMALL : LARGE;
  const constants = keyConstants(roundSeed(41, round));
  await Harness.on(gpu, type, n, 1, async (table) => {
    for (let time = 0; time < times; time++) {
      const keys = keyRange(time * n, n, constants);
      await table.takesOrRefuses(keys, valueWords(keys, time));
      await table.clear();
      ended();
    }
  });
}
