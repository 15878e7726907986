/**
 * Many lanes that race for the last slots of a table. Of tables that evict, a lane reads a victim, and another one may move it before the
 * first has its lock. A lane that does not look again writes over the pair that came to the slot.
 */
import { keyConstants, keyRange } from "../../../datasets/random.js";
import { EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import { Mismatch } from "../bulk.js";
import { type Case, isSlow, type PartEnded, roundSeed } from "../case.js";
import { valueWords } from "../draw.js";
import { compare, Harness } from "../harness.js";

/** Pairs, and how often the table is filled. Few enough for victims to be of many lanes' buckets, and lanes of many workgroups. */
interface Size {
  readonly n: number;
  readonly times: number;
}

const SMALL: Size = { n: 2000, times: 3 };
const LARGE: Size = { n: 20_000, times: 30 };

export const cases: readonly Case[] = [
  {
    name: "insertions that race for the last slots",
    random: true,
    needs: ["values", "additions"],
    async check(gpu, type, round, ended) {
      await fill(gpu, type, isSlow(gpu, type) ? SMALL : LARGE, round, ended);
    },
  },
];

/**
 * Fills a table to its largest load factor, so many times. Throws Mismatch if a pair that was not refused is not there, or has
 * another value.
 */
export async function fill(
  gpu: Gpu,
  type: TableType,
  { n, times }: Size,
  round: number,
  ended: PartEnded,
): Promise<void> {
  const constants = keyConstants(roundSeed(41, round));
  await Harness.on(gpu, type, n, 1, async (table) => {
    for (let time = 0; time < times; time++) {
      const keys = keyRange(time * n, n, constants);
      const inserted = valueWords(keys, time);
      const values = keys.map((key, i) => table.answerFor(key, inserted[i] ?? 0));
      const refused = await table.refused(keys, inserted);
      const answers = await table.answers(keys);
      // Of those that were refused nothing is known.
      compare(keys, answers, (i) => (answers[i] === EMPTY ? EMPTY : (values[i] ?? 0)));
      const absent = answers.reduce((sum, answer) => sum + (answer === EMPTY ? 1 : 0), 0);
      if (absent !== refused) throw new Mismatch(`${absent} of ${n} keys are not there, and ${refused} were refused`);
      await table.clear();
      ended();
    }
  });
}
