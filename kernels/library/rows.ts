/** Operations on rows whose keys may be there, and on all pairs of a table. Their kernels are made when they are first wanted. */
import { GpuError } from "../device/errors.js";
import { scoped } from "../device/owned.js";
import type { GpuTable, Recordable, Room, Rows, RunSteps, TableType } from "../table.js";
import type { bufferCheck } from "./check.js";
import type { UserDevice } from "./device.js";
import type { Inserted, Upserts } from "./types.js";

interface Having {
  readonly gpu: UserDevice;
  readonly type: TableType;
  readonly table: GpuTable;
  readonly recordable: Recordable | undefined;
  readonly check: ReturnType<typeof bufferCheck>;
  /** Runs an operation in which the host has a part, after those called before. Throws a UsageError where the table was destroyed. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export function rowOperations({ gpu, type, table, recordable, check, inTurn }: Having) {
  const { ops } = type;
  const run: RunSteps = (...pass) => gpu.time(...pass);
  const { upsert, export: listed, storage: { marked } = {} } = table;
  const list = (room: Room | null) => inTurn(async () => (await listed?.call(table, run, room))?.count ?? 0);
  const settling = async (op: string, given: Rows, told: readonly string[]): Promise<Inserted> => {
    const rows = check.rows(op, given, told);
    const count = () => inTurn(async () => (await upsert?.call(table, run, rows))?.count ?? 0);
    const refused = rows.n === 0 ? 0 : await count();
    return { stored: rows.n - refused, refused };
  };
  return {
    ...(ops.includes("upsert") && {
      upsert: (rows: Upserts) => settling("upsert", rows, []),
      findOrInsert: (rows: Omit<Upserts, "rule">) => settling("findOrInsert", { ...rows, rule: "first" }, ["results"]),
      insertAndTell: (rows: Omit<Upserts, "rule">) =>
        settling("insertAndTell", { ...rows, rule: "replace" }, ["states"]),
    }),
    ...(ops.includes("export") && {
      size: () => list(null),
      async export(room: Room) {
        const own = check.room("export", room);
        return { size: await list(own.n === 0 ? null : own) };
      },
    }),
    ...(marked && recordable && ops.includes("export") && { rehash: () => inTurn(() => rehash(recordable)) }),
  };

  /** Throws DoesNotFit; then the table is as it was. */
  function rehash({ status, clear, insert }: Recordable): Promise<void> {
    return scoped(gpu, async (own) => {
      const { slots } = table;
      const keys = await own.alloc("keys to insert again", 4 * slots);
      const values = await own.alloc("values to insert again", 4 * slots);
      const n = (await listed?.call(table, run, { keys, values, n: slots }))?.count ?? 0;
      const pass = await gpu.time([...clear(), ...(n > 0 ? insert({ keys, values, n }) : [])], status);
      if (pass.status.some((word) => word > 0)) throw new GpuError(`${gpu.label}: not all pairs were stored again`);
    });
  }
}
