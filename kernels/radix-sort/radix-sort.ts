import { bulk, checkSubgroups, Status, step } from "../common/bulk.js";
import { lazily, PAIR_BYTES, variant } from "../common/steps.js";
import { declare, oneOf } from "../declare.js";
import { defineTable } from "../define.js";
import { dispatch } from "../device/bind.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { GpuTable, Making, Pairs, UnavoidableAccess } from "../table.js";
import { type HybridSort, hybridScratchBytes, hybridSort, onePassPairs, takesHybrid } from "./hybrid.js";
import { RadixSort, scratchBytes } from "./sort.js";

const parameters = declare({
  sort: oneOf(["hybrid", "stable", "lsd"], {
    default: "hybrid",
    meaning:
      "hybrid: most significant digits first, then parts in workgroup memory; stable: so with few equal keys; lsd: least significant " +
      "digit first, as the others where keys are uneven or too many",
  }),
});

type Sort = "hybrid" | "stable" | "lsd";

/** A copy moves 32 bytes. */
const BUILDS: Readonly<Record<Sort, UnavoidableAccess>> = {
  hybrid: {
    pattern: "copy",
    times: (2 * 16 + 8 + 8) / 32,
    why: "48 bytes, read and written in a row: two passes of pairs, pairs once more, the array",
  },
  stable: {
    pattern: "copy",
    times: (8 + 3 * 12 + 12 + 8) / 32,
    why: "64 bytes, read and written in a row: two passes of pairs and, from the first's output on, their numbers, both once more, the array",
  },
  // The histogram reads the keys, each pass reads and writes both.
  lsd: {
    pattern: "copy",
    times: (4 + 4 * 16) / 32,
    why: "68 bytes, read and written in a row: the keys, then four passes",
  },
};

/** The sorted array that the hash tables of Alcantara's chapter are compared with. See README.md. */
export const radixSort = defineTable({
  id: "radix-sort",
  title: "Sorted array (radix sort)",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.5.1",
  parameters,
  configure({ sort }) {
    const hybrid = sort !== "lsd";
    return {
      ops: ["insert", "find"],
      maxLoadFactor: 1,
      duplicates: true,
      incremental: false,
      sizing: {
        dense: true,
        thresholds: hybrid ? [onePassPairs(sort === "stable")] : [],
        held: (n) => n * PAIR_BYTES,
      },
      access: (op) =>
        op === "find"
          ? { pattern: "lookup4", why: "one random word of the values, the key, the result" }
          : BUILDS[sort],
      // Of the two sorts' scratch there is one at a time.
      bytes: (n) => n * PAIR_BYTES + Math.max(scratchBytes(n), hybrid ? hybridScratchBytes(n, sort === "stable") : 0),
      create: (gpu, making) => create(gpu, making, sort),
    };
  },
});

interface Sorters {
  readonly hybrid?: HybridSort;
  readonly lsd?: RadixSort;
}

async function create(gpu: Owner, options: Making, sort: Sort): Promise<GpuTable> {
  const { counting } = options;
  const stable = sort === "stable";
  const source = {
    file: "kernels/radix-sort/find.wgsl",
    takes: ["keys", "values", "queries", "results", "search"],
  } as const;
  const finder = lazily(() => variant(gpu, source, counting));
  const status = await Status.make(gpu);
  const refusing = { file: "kernels/radix-sort/refused.wgsl", bound: { status: status.buffer } };
  const refused = lazily(() => gpu.kernel({ ...refusing, takes: ["keys", "pairs"] }));
  const refusedByValue = lazily(() =>
    gpu.kernel({ ...refusing, entry: "by_value", takes: ["keys", "values", "pairs"] }),
  );
  const arrays = gpu.kept(async (own, n: number) => ({
    capacity: n,
    keys: await own.alloc("sorted keys", n * 4),
    values: await own.alloc("sorted values", n * 4),
  }));
  const sorters = gpu.kept(
    async (own, { n, hybrid }: { readonly n: number; readonly hybrid: boolean }): Promise<Sorters> =>
      hybrid
        ? { hybrid: await hybridSort(own, n, { stable, counting }) }
        : { lsd: await RadixSort.make(own, n, { counting }) },
    (has, wanted) => has.hybrid === wanted.hybrid && has.n >= wanted.n,
  );
  const hybridFor = (n: number) => sort !== "lsd" && takesHybrid(gpu, n, stable);
  let array = await arrays.get(options.n);
  await sorters.get({ n: options.n, hybrid: hybridFor(options.n) });
  /** Pairs in the array. */
  let pairs = 0;

  /** What sorts the input into the array. */
  async function sorting({ keys, values, n }: Pairs, hybrid: boolean): Promise<Step[]> {
    const made = await sorters.get({ n, hybrid });
    const input = { keys, values };
    if (made.hybrid) return made.hybrid.steps(input, array, n, status.buffer);
    // In a step of its own: a test in the passes of this sort makes them much slower.
    const counting = step(await refusedByValue(), Math.ceil(n / 4), { ...input, pairs: n });
    return [counting, ...(made.lsd?.steps(input, array, n) ?? [])];
  }

  return {
    get slots() {
      return array.capacity;
    },
    get bytes() {
      return array.capacity * PAIR_BYTES;
    },
    storage: { reads: { sorted: true } },
    async clear() {
      pairs = 0;
    },
    /**
     * Replaces what was in the array. Keys that occur more than once are all kept: the array grows to hold the input. `restarts`
     * is 1 where the hybrid sort gave up, and the pairs were sorted again.
     */
    async insert(run, input) {
      pairs = 0;
      array = await arrays.get(input.n);
      const counting = dispatch(await refused(), 1, { keys: array.keys, pairs: input.n });
      const sorted = async (hybrid: boolean) => {
        const pass = await status.run(run, [...(await sorting(input, hybrid)), counting]);
        checkSubgroups(pass.said);
        return pass;
      };
      const hybrid = hybridFor(input.n);
      let pass = await sorted(hybrid);
      let { ns } = pass;
      const gaveUp = hybrid && pass.said.failed > 0;
      if (gaveUp) {
        pass = await sorted(false);
        ns += pass.ns;
      }
      pairs = input.n;
      return { ns, count: pass.said.refused, restarts: gaveUp ? 1 : 0 };
    },
    async find(run, { keys, results, n }) {
      const search = { queries: n, pairs };
      return bulk(
        run,
        step(await finder(), n, { keys: array.keys, values: array.values, queries: keys, results, search }),
      );
    },
  };
}
