/**
 * How often the build of a cuckoo table has to start again, over many draws of its hash functions (Alcantara et al., GPU
 * Computing Gems 2011, 4.3.1.1). A sample is one build of the keys alone. Parameters: `functions`, `hash`, and `builds` to count, as
 * far as there is time for them. Without a load factor the smallest practical space is looked for first.
 */
import { chainLimit, cuckoo, parameters, SMALLEST_SPACE, slotsFor } from "../../kernels/cuckoo/cuckoo.js";
import { UsageError } from "../../kernels/device/errors.js";
import { type Owner, scoped } from "../../kernels/device/owned.js";
import type { CellSpec } from "../base/experiment.js";
import { wilson } from "../measure/proportion.js";
import { exact, type Metric, within } from "../results/metrics.js";
import type { Benchmark } from "./benchmark.js";
import { INSERT } from "./operations.js";
import { whole } from "./parameters.js";
import { type Chains, makeChains, Tally } from "./restarts/chains.js";
import type { DeviceKeys } from "./workload/keys.js";

/** A software adapter is for trying, not for rare events. */
const BUILDS_SOFTWARE = 20;
/** Wall time for the builds that are counted. */
const COUNT_MS = 5_000;
/** Space, in slots a pair, is looked for in steps of this size up to the largest. */
const STEP = 0.005;
const LARGEST_SPACE = 3;
/** A space is practical if no more than this share of the builds in it has to start again. */
const PRACTICAL = 0.1;

export const restartsBenchmark: Benchmark = {
  measures: "GPU table",
  operations: [INSERT],
  series: () => [{ id: cuckoo.id, title: cuckoo.title, ops: [INSERT.id] }],
  parameters: [
    ...cuckoo.parameters.filter(({ name }) => name === "functions" || name === "hash"),
    whole("builds", 1, 1e6, "builds to count, as far as there is time for them"),
  ],
  clock: "gpu",
  bytes: ({ n, loadFactor }) => 4 * slotsFor(n, loadFactor ?? 1 / LARGEST_SPACE),
  async prepare(cell, context) {
    const data = await context.keys.get(cell.dataset, cell.n, cell.seed);
    if (data.unique < data.n) throw new UsageError(`cuckoo takes every key once; ${cell.dataset} has duplicates`);
    const { gpu } = context;
    const builds = Number(cell.params.builds);
    const wanted = gpu.info.software ? Math.min(builds, BUILDS_SOFTWARE) : builds;
    const counted: Counted = { cell, data, wanted };
    const searched = cell.loadFactor === null;
    const loadFactor = cell.loadFactor ?? 1 / (await smallestSpace(gpu, counted));
    const chains = await open(gpu, counted, loadFactor, searched);
    let number = 0;
    return {
      mutates: true,
      reset: () => chains.clear(),
      sample: () => chains.build(number++),
      operations: data.n,
      dataHash: data.digest,
      access: null,
      verify: async () => {
        const { failed } = await chains.last();
        const missing = await chains.missing();
        if (failed) return missing > 0 ? "" : "a build that failed has all keys";
        return missing === 0 ? "" : `${missing} of ${data.n} keys are in none of their slots`;
      },
      metrics: async () => metricsOf(chains, wanted, searched ? 1 / loadFactor : null),
    };
  },
};

/** The keys that are built, and how often. */
interface Counted {
  readonly cell: CellSpec;
  readonly data: DeviceKeys;
  readonly wanted: number;
}

/**
 * Chains as in the table's own build. Beyond its load factors they are the longest that it ever allows, and the number of slots is odd:
 * the chapter's functions are worse the larger the power of two in it.
 */
function open(gpu: Owner, { cell, data }: Counted, loadFactor: number, beyond: boolean): Promise<Chains> {
  const { n } = data;
  const { functions, hash } = parameters.of(cell.params);
  const slots = beyond ? slotsFor(n, loadFactor) | 1 : slotsFor(n, loadFactor);
  const chain = beyond ? chainLimit(n, 1, 1) : chainLimit(n, loadFactor, SMALLEST_SPACE[functions]);
  return makeChains(gpu, data, { slots, functions, hash, chain, seed: cell.seed });
}

/** Found by bisection: more space never makes more builds fail. */
async function smallestSpace(gpu: Owner, counted: Counted): Promise<number> {
  // With as many slots as pairs no build ends.
  let fails = Math.round(1 / STEP);
  let works = Math.round(LARGEST_SPACE / STEP);
  while (works - fails > 1) {
    const middle = Math.floor((fails + works) / 2);
    if (await isPractical(gpu, counted, middle * STEP)) works = middle;
    else fails = middle;
  }
  return works * STEP;
}

function isPractical(gpu: Owner, counted: Counted, space: number): Promise<boolean> {
  const { wanted } = counted;
  const most = Math.floor(PRACTICAL * wanted);
  return scoped(gpu, async (own) => {
    const chains = await open(own, counted, 1 / space, true);
    let failed = 0;
    for (let made = 0; made < wanted && failed <= most; ) {
      const some = await chains.several(made, wanted - made);
      failed += some.filter((build) => build.failed).length;
      made += some.length;
    }
    return failed <= most;
  });
}

async function metricsOf(chains: Chains, wanted: number, smallest: number | null): Promise<Metric[]> {
  const tally = new Tally();
  const began = performance.now();
  while (tally.builds < wanted && performance.now() - began < COUNT_MS) {
    for (const build of await chains.several(tally.builds, wanted - tally.builds)) tally.add(build);
  }
  const lengths = [
    exact("median_probes", tally.median),
    exact("probes", tally.mean),
    exact("longest_probes", tally.longest),
  ];
  return [
    smallest === null ? within("restart_share", wilson(tally.failed, tally.builds)) : exact("smallest_space", smallest),
    exact("builds", tally.builds),
    ...(tally.failed < tally.builds ? lengths : []),
  ];
}
