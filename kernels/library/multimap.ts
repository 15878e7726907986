/** Searches for all values of keys, of tables in which a key has several. */
import type { Erasures, Lookups } from "../table.js";
import { type BufferCheck, checkMembers } from "./check.js";
import type { Having } from "./offers.js";
import type { Erased } from "./types.js";

export function multimapOperations({ gpu, type, table, check, run, alive, inTurn }: Having) {
  const { multimap } = table;
  if (!multimap || type.duplicates) return {};
  return {
    async findAll(lookups: Lookups) {
      alive();
      const own = checkedRanges(check, `${gpu.label}.findAll`, lookups);
      const { count, list } = await inTurn("findAll", () => multimap.findAll(run, own));
      return { found: count, list };
    },
    async eraseAll(keys: Erasures): Promise<Erased> {
      alive();
      const own = check.erasures("eraseAll", keys);
      return { erased: own.n === 0 ? 0 : (await inTurn("eraseAll", () => multimap.eraseAll(run, own))).count };
    },
  };
}

/** A copy, of which `results` are two words per key. Throws a UsageError. */
function checkedRanges({ items, holds, apart }: BufferCheck, whose: string, given: Lookups): Lookups {
  const { results, ...keys } = checkMembers(whose, given, ["keys", "results", "n"]);
  const own = items("findAll", keys, ["keys"]);
  holds(whose, { name: "results", buffer: results, first: 0, end: 2 * own.n });
  apart(whose, { keys: keys.keys, results });
  return { ...own, results };
}
