/** Insertions in which the first or the last row of each key wins. */
import { step } from "../common/bulk.js";
import { rangeOf } from "../common/steps.js";
import { kernel } from "../common/winners.wgsl.js";
import { scoped } from "../device/owned.js";
import type { Pairs } from "../table.js";
import { pieceOf, type putting } from "./growing.js";
import type { Having } from "./offers.js";

export const winnersKernel = kernel;

/** Rules that keep the number of the row that wins. */
export const WINNING = { first: "min", last: "max" } as const;

/** Resolves with the number of rows that were refused. Where it rejects, the table has values all the same. */
export function insertWinners(
  { gpu, table, run }: Having,
  put: ReturnType<typeof putting>,
  pairs: Pairs,
  rule: (typeof WINNING)[keyof typeof WINNING],
): Promise<number> {
  return scoped(gpu, async (own) => {
    const { keys, values, n, first = 0 } = pieceOf(pairs, 0, pairs.n);
    const file = "kernels/common/winners.wgsl";
    const [number, keep] = [
      await own.kernel({ file, takes: ["values", "numbers", "range"] }),
      await own.kernel({ file, entry: "keep", takes: ["keys", "found", "range"] }),
    ];
    const [numbers, found] = [
      await own.alloc("numbers of rows", 4 * (first + n)),
      await own.alloc("rows found", 4 * (first + n)),
    ];
    const range = rangeOf(n, first);
    const numbered = { keys, values: numbers, n, first };
    await gpu.run([step(number, n, { values, numbers, range })]);
    // In the place of values that were there, which are no numbers of rows.
    const inserted = put.insert(numbered);
    await inserted.catch(() => undefined);
    await table.upsert?.(run, { ...numbered, rule });
    await table.find(run, { keys, results: found, n, first });
    await gpu.run([step(keep, n, { keys, found, range })]);
    await table.insert(run, { keys: found, values, n, first });
    return inserted;
  });
}
