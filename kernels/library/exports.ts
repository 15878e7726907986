/** Operations on all pairs of a table. Their kernels are made when they are first wanted. */
import { GpuError } from "../device/errors.js";
import { scoped } from "../device/owned.js";
import type { Recordable, Room } from "../table.js";
import { type BufferCheck, checkMembers } from "./check.js";
import type { Commands } from "./commands.js";
import type { Having } from "./offers.js";
import type { OutcomePlace } from "./types.js";

export function exportOperations({ gpu, table, recordable, recorder, check, run, alive, inTurn }: Having) {
  const { storage: { marked } = {} } = table;
  const list = (room: Room | null) => inTurn(async () => (await table.export?.(run, room))?.count ?? 0);
  const { exporting } = recordable ?? {};
  return {
    size: () => list(null),
    async export(room: Room) {
      const own = checkedRoom(check, "export", `${gpu.label}.export`, room);
      return { size: await list(own.n === 0 ? null : own) };
    },
    ...(exporting &&
      recorder && {
        async recordExport() {
          alive();
          const op = "recordExport";
          const make = await exporting();
          return (commands: Commands, given: Room, outcome?: OutcomePlace) => {
            recorder.ready(op, commands);
            const room = checkedRoom(check, op, `${gpu.label}.${op}`, given);
            recorder.checkOutcome(op, commands, room, outcome);
            recorder.recordCounted(commands, make(room), outcome);
          };
        },
      }),
    ...(marked && recordable && { rehash: () => inTurn(() => rehash(recordable)) }),
  };

  /** Throws DoesNotFit; then the table is as it was. */
  function rehash({ status, clear, insert }: Recordable): Promise<void> {
    return scoped(gpu, async (own) => {
      const { slots } = table;
      const keys = await own.alloc("keys to insert again", 4 * slots);
      const values = await own.alloc("values to insert again", 4 * slots);
      const n = (await table.export?.(run, { keys, values, n: slots }))?.count ?? 0;
      const pass = await gpu.time([...clear(), ...(n > 0 ? insert({ keys, values, n }) : [])], status);
      if (pass.status.some((word) => word > 0)) throw new GpuError(`${gpu.label}: not all pairs were stored again`);
    });
  }
}

/** A copy. Throws a UsageError. */
function checkedRoom({ items, apart }: BufferCheck, op: string, whose: string, given: Room): Room {
  const { n, keys, values } = items(op, checkMembers(whose, given, ["keys", "values", "n"]), ["keys", "values"]);
  apart(whose, { keys, values }, ["keys"]);
  return { keys, values, n };
}
