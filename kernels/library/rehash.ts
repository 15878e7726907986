/** A table of another capacity in the place of a table. */
import { createTable } from "../create.js";
import { DoesNotFit } from "../device/errors.js";
import { scoped } from "../device/owned.js";
import type { GpuTable, Moving, Recordable } from "../table.js";
import { checkMembers, checkWhole } from "./check.js";
import { commandRecorder } from "./commands.js";
import type { Capacity, Having } from "./offers.js";
import { readOutcome } from "./types.js";

/** Pairs of a piece of a table, at most: for them there is memory beside the two tables. */
const PIECE_PAIRS = 2 ** 22;

export function rehashOperation(having: Having, operations: Capacity) {
  const { gpu, alive, inTurn } = having;
  if (!having.recordable?.moving || !having.recorder) return {};
  return {
    async rehash(given: { readonly capacity?: number } = {}): Promise<void> {
      alive();
      const whose = `${gpu.label}.rehash`;
      const { capacity } = checkMembers(whose, given, ["capacity"]);
      if (capacity !== undefined) checkWhole(whose, "capacity", capacity, 1);
      await inTurn("rehash", () => replace(having, operations, capacity ?? operations.capacity));
    },
  };
}

/**
 * Members of the table and of what is recorded of it become those of a table of that capacity, which has its pairs. Throws DoesNotFit
 * where memory or slots do not suffice; then all is as it was.
 */
export async function replace(having: Having, operations: Capacity, capacity: number): Promise<void> {
  const { gpu, type, table, recordable, recorder, making } = having;
  const made = await createTable(type, gpu, { ...making, n: capacity }).catch(told(capacity));
  const { destroy } = table;
  try {
    const own = await made.recordable?.();
    const commands = own && (await commandRecorder(gpu, gpu, own.status));
    await made.clear();
    await takeOver(having, made, own?.moving).catch(told(capacity));
    Object.assign(recorder ?? {}, commands);
    Object.assign(recordable ?? {}, own);
    Object.assign(table, made);
    operations.capacity = capacity;
  } catch (error) {
    made.destroy();
    throw error;
  }
  destroy();

  function told(pairs: number) {
    return (error: unknown): never => {
      if (error instanceof DoesNotFit) throw new DoesNotFit(`${gpu.label} of ${pairs} pairs: ${error.message}`);
      throw error;
    };
  }
}

/** Inserts the pairs of a table into another one. Throws DoesNotFit. */
async function takeOver({ gpu, table, recordable, run }: Having, made: GpuTable, own: Moving | undefined) {
  const { status, moving } = recordable as Required<Recordable>;
  await scoped(gpu, async (scratch) => {
    const most = Math.min(PIECE_PAIRS, Math.floor(gpu.maxBinding / 4), table.slots);
    const [keys, values] = [
      await scratch.alloc("keys to move", 4 * most),
      await scratch.alloc("values to move", 4 * most),
    ];
    for (const list of await moving.pieces(most)) {
      const { size: n } = readOutcome((await gpu.time([list({ keys, values, n: most })], status)).status);
      const refused = n > 0 ? (await made.insert(run, { keys, values, n })).count : 0;
      if (refused > 0) throw new DoesNotFit(`${refused} pairs find no slot`);
    }
  });
  const [from, to] = [moving.next_id, own?.next_id];
  if (from && to) await gpu.submit([{ from, to, bytes: 4 }]);
}
