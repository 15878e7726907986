/** Insertions and upserts that make a full table twice as large. */

import { kernel } from "../common/again.wgsl.js";
import { step } from "../common/bulk.js";
import { rangeOf } from "../common/steps.js";
import { DoesNotFit } from "../device/errors.js";
import type { Kernel, Part } from "../device/gpu.js";
import { type Owner, scoped } from "../device/owned.js";
import { statusOf } from "../device/status.js";
import type { Pairs, Recordable, Rows } from "../table.js";
import type { Capacity, Having } from "./offers.js";
import { replace } from "./rehash.js";

export const againKernel = kernel;

/** A row that a full table refuses looks at its slots. Rows of a piece times slots, at most: of the first, and of those after some that the table took. */
const FIRST_LOOKS = 2 ** 22;
const MOST_LOOKS = 2 ** 28;
/** Items at whose numbers a part of a buffer may begin on every device. */
const PART_ITEMS = 64;

type Buffers = Readonly<Record<string, unknown>> & { readonly n: number; readonly first?: number };

/** Rows done … done + n - 1 of those given, whose `first` is small then. */
export function pieceOf<T extends object>(
  given: T & { readonly n: number; readonly first?: number },
  done: number,
  n: number,
): T {
  const first = (given.first ?? 0) + done;
  const skipped = Math.floor(first / PART_ITEMS) * PART_ITEMS;
  const parts = Object.entries(given as Buffers).map(([name, value]) => {
    if (typeof value !== "object" || value === null) return [name, value];
    const { buffer, offset = 0 } = "buffer" in value ? (value as Part) : { buffer: value as GPUBuffer };
    return [name, { buffer, offset: offset + 4 * skipped, size: 4 * (first - skipped + n) }];
  });
  return { ...Object.fromEntries(parts), n, first: first - skipped };
}

/** Insertions and upserts of a table, which resolve with the number of rows that were refused. */
export function putting(having: Having, operations: Capacity) {
  const { gpu, table, making, run } = having;
  const usual = {
    insert: async (pairs: Pairs) => (await table.insert(run, pairs)).count,
    upsert: async (rows: Rows) => (await table.upsert?.(run, rows))?.count ?? 0,
  };
  if (making.onFull !== "grow") return usual;
  const grow = () => replace(having, operations, 2 * operations.capacity);
  return {
    insert: (pairs: Pairs) => inPieces(pairs, insert),
    upsert: (rows: Rows) => inPieces(rows, upsert),
  };

  /** Room for so many rows, or for a quarter of the table; less where memory ends, as the rows may need none. */
  async function roomFor(rows: number): Promise<number> {
    const free = async () => operations.capacity - ((await table.export?.(run, null))?.count ?? 0);
    const room = await free();
    if (room >= Math.min(rows, operations.capacity / 4)) return room;
    try {
      await grow();
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
    }
    return free();
  }

  /** In pieces that fit, or that are refused soon. */
  async function inPieces<T extends Pairs | Rows>(given: T, put: (piece: T, own: Owner) => Promise<number>) {
    let refused = 0;
    let looks = FIRST_LOOKS;
    for (let done = 0; done < given.n; ) {
      const { capacity } = operations;
      const room = await roomFor(given.n - done);
      const n = Math.min(given.n - done, Math.max(room, Math.ceil(looks / table.slots)));
      refused += await scoped(gpu, (own) => put(pieceOf(given, done, n) as T, own));
      done += n;
      looks = operations.capacity === capacity ? Math.min(4 * looks, MOST_LOOKS) : FIRST_LOOKS;
    }
    return refused;
  }

  /** Pairs that come again with the others: of a key that is there the value is stored again. */
  async function insert(pairs: Pairs, own: Owner): Promise<number> {
    let refused = await usual.insert(pairs);
    if (refused === 0) return 0;
    const reserved = pairs.n - (await left(pairs, own));
    while (refused > reserved) {
      await grow();
      refused = await usual.insert(pairs);
    }
    return reserved;
  }

  /** Rows that were refused come again, each alone: combined ones may be refused for their sum. */
  async function upsert(rows: Rows, own: Owner): Promise<number> {
    const end = (rows.first ?? 0) + rows.n;
    const room = (label: string) => own.alloc(`${label} of rows`, 4 * end);
    const { results } = rows;
    const all = { ...rows, states: rows.states ?? (await room("states")) };
    const refused = await usual.upsert(all);
    if (refused === 0) return 0;
    const again_keys = await room("keys");
    let more = await left(all, own, again_keys);
    const reserved = refused - more;
    if (more === 0) return reserved;
    const again_states = await room("further states");
    const again_results = results && (await room("further results"));
    const tell: Kernel = await own.kernel({
      file: "kernels/common/again.wgsl",
      entry: "tell",
      conditions: { STATES: true, RESULTS: Boolean(results), VALUES: false },
    });
    const told = { states: all.states, again_keys, again_states, ...(again_results && { results, again_results }) };
    while (more > 0) {
      await grow();
      await usual.upsert({
        ...rows,
        combine: false,
        keys: again_keys,
        states: again_states,
        ...(again_results && { results: again_results }),
      });
      await gpu.run([step<string>(tell, rows.n, { ...told, range: rangeOf(rows.n, rows.first) })]);
      more = await left(all, own, again_keys);
    }
    return reserved;
  }

  /** Rows that the table would take; with states those of them that it refused, whose keys are written. */
  async function left({ keys, values, states, n, first }: Omit<Rows, "rule">, own: Owner, again_keys?: GPUBuffer) {
    const { status } = having.recordable as Recordable;
    const count: Kernel = await own.kernel({
      file: "kernels/common/again.wgsl",
      conditions: { STATES: Boolean(states), RESULTS: false, VALUES: Boolean(values) },
    });
    const given = { keys, status, range: rangeOf(n, first), ...(values && { values }) };
    const asked = states && again_keys && { states, again_keys };
    return statusOf((await gpu.time([step<string>(count, n, { ...given, ...asked })], status)).status).left;
  }
}
