/**
 * A table of equal parts, each for the keys of its own hashes: one larger than what a kernel binds. A batch is routed to the parts, and
 * answers are brought back, untimed; an operation is one of each part, one after another, whose times are added.
 */
import { step } from "../../kernels/common/bulk.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { GpuTable, Lookups, OpResult, Pairs } from "../../kernels/table.js";

/** Items that are routed at a time. */
const ROUTED = 2 ** 24;
const FILE = "bench/scenarios/workload/route.wgsl";

/** Pairs that a part is made for: so many of n as hardly any part has more of. */
export function partSize(n: number, parts: number): number {
  return Math.ceil(n / parts + 6 * Math.sqrt(n / parts));
}

/**
 * @param tables The parts, each for `partSize` pairs.
 * @param most Items that are routed at a time.
 */
export async function parted(gpu: Owner, tables: readonly GpuTable[], most = ROUTED): Promise<GpuTable> {
  const taking = ["keys", "own_keys", "own_words", "taken", "plan"] as const;
  const [takePairs, takeKeys, bring] = await Promise.all([
    gpu.kernel({ file: FILE, entry: "take", conditions: { ASKING: false }, takes: [...taking, "values"] }),
    gpu.kernel({ file: FILE, entry: "take", conditions: { ASKING: true }, takes: taking }),
    gpu.kernel({
      file: FILE,
      entry: "bring",
      conditions: { ASKING: true },
      takes: ["own_words", "answers", "results", "plan"],
    }),
  ]);
  const taken = await gpu.alloc("routed items", 4);
  const rooms = ["keys", "words", "answers"].map((use) =>
    gpu.kept((own, items: number) => own.alloc(`routed ${use}`, 4 * items)),
  );

  /** Does `work` with the items of each part, some of a range at a time, and adds up what it says. */
  async function routed(
    { keys, values, n, first = 0 }: Pick<Pairs, "keys" | "n" | "first"> & { readonly values?: GPUBuffer },
    work: (
      table: GpuTable,
      items: { keys: GPUBuffer; words: GPUBuffer; answers: GPUBuffer; n: number; first: number },
    ) => Promise<OpResult>,
  ): Promise<OpResult> {
    const largest = Math.min(n, most);
    const [own_keys, own_words, answers] = await Promise.all(rooms.map((room) => room.get(largest)));
    if (!own_keys || !own_words || !answers) throw new Error("three rooms");
    let sum: OpResult = { ns: 0, count: 0, restarts: 0 };
    for (let at = 0; at < n; at += most) {
      const some = { first: first + at, n: Math.min(most, n - at), parts: tables.length };
      for (const [part, table] of tables.entries()) {
        await gpu.zero(taken);
        const bound = { keys, own_keys, own_words, taken, plan: { ...some, part } };
        await gpu.run([values ? step(takePairs, some.n, { ...bound, values }) : step(takeKeys, some.n, bound)]);
        const [count = 0] = await gpu.read(taken, 1);
        if (count === 0) continue;
        const result = await work(table, { keys: own_keys, words: own_words, answers, n: count, first: some.first });
        sum = {
          ns: sum.ns + result.ns,
          count: sum.count + result.count,
          restarts: sum.restarts + result.restarts,
        };
      }
    }
    return sum;
  }

  const total = (of: (table: GpuTable) => number) => tables.reduce((sum, table) => sum + of(table), 0);
  return {
    slots: total(({ slots }) => slots),
    bytes: total(({ bytes }) => bytes),
    clear: async () => void (await Promise.all(tables.map((table) => table.clear()))),
    insert: (run, pairs: Pairs) =>
      routed(pairs, (table, { keys, words: values, n }) => table.insert(run, { keys, values, n })),
    find: (run, { results, keys: queries, n: all, first: from = 0 }: Lookups) =>
      routed({ keys: queries, n: all, first: from }, async (table, { keys, words, answers, n, first }) => {
        const result = await table.find(run, { keys, results: answers, n });
        await gpu.run([step(bring, n, { own_words: words, answers, results, plan: { first, n, part: 0, parts: 1 } })]);
        return result;
      }),
  };
}
