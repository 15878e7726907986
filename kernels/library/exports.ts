/** Operations on all pairs of a table. Their kernels are made when they are first wanted. */
import type { Recordable, Room } from "../table.js";
import { type BufferCheck, checkMembers } from "./check.js";
import type { Commands } from "./commands.js";
import type { Having } from "./offers.js";
import type { OutcomePlace } from "./types.js";

export function exportOperations({ gpu, table, recordable, recorder, check, run, alive, inTurn }: Having) {
  if (!table.export) return {};
  const list = (op: string, room: Room | null) => inTurn(op, async () => (await table.export?.(run, room))?.count ?? 0);
  return {
    size: () => list("size", null),
    async export(room: Room) {
      const own = checkedRoom(check, "export", `${gpu.label}.export`, room);
      return { size: await list("export", own.n === 0 ? null : own) };
    },
    ...(recordable?.exporting &&
      recorder && {
        async recordExport() {
          alive();
          const op = "recordExport";
          const { status, exporting } = recordable as Required<Recordable>;
          const make = await exporting();
          return (commands: Commands, given: Room, outcome?: OutcomePlace) => {
            recorder.ready(op, commands, status);
            const room = checkedRoom(check, op, `${gpu.label}.${op}`, given);
            recorder.checkOutcome(op, commands, room, outcome);
            recorder.recordCounted(commands, make(room), outcome);
          };
        },
      }),
  };
}

/** A copy. Throws a UsageError. */
function checkedRoom({ items, apart }: BufferCheck, op: string, whose: string, given: Room): Room {
  const { n, keys, values } = items(op, checkMembers(whose, given, ["keys", "values", "n"]), ["keys", "values"]);
  apart(whose, { keys, values }, ["keys"]);
  return { keys, values, n };
}
