import { UsageError } from "../../bench/errors.js";
import type { Gpu, Step } from "../../bench/gpu/gpu.js";
import { EMPTY, fillStep, groupsFor, variant } from "../common/steps.js";
import type { GpuTable, Lookups, OpResult, Pairs, RunSteps, TableOptions, TableType } from "../table.js";

/** The prime of the chapter's hash functions; the table has fewer slots than it. */
const P = 334214459;
/** Builds tried before the input is given up as unbuildable. */
const MAX_ATTEMPTS = 25;
const PAIR_BYTES = 8;
/** Smallest practical space a pair, by number of functions (4.3.1.1). */
const SMALLEST_SPACE: Readonly<Record<number, number>> = { 2: 2.1, 3: 1.1, 4: 1.03, 5: 1.02 };

/** Alcantara's single-level cuckoo table. See README.md. */
export const cuckoo: TableType = {
  id: "cuckoo",
  title: "Cuckoo",
  source: "Alcantara et al., GPU Computing Gems 2011, 4.3",
  ops: ["insert", "find"],
  maxLoadFactor: 1 / 1.03,
  duplicates: false,
  incremental: false,
  parameters: [{ name: "functions", default: 4, values: [2, 3, 4, 5], meaning: "hash functions a key has" }],
  access: (op) =>
    op === "find"
      ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
      : { pattern: "exchange", why: "one random 32-bit exchange (the value's own pass not counted)" },
  bytes: (n, loadFactor) => slotsFor(n, loadFactor) * PAIR_BYTES,
  create: createCuckoo,
};

function slotsFor(n: number, loadFactor: number): number {
  return Math.max(1, Math.ceil(n / loadFactor));
}

/**
 * Longest chain of evictions: the chapter's 7 lg n, which it gives for 1.25n slots and four functions. Nearer to the
 * smallest practical space chains grow as the headroom shrinks, and the limit with them (ours; the chapter only says that
 * it depends on both sizes).
 */
function chainLimit(n: number, loadFactor: number, smallestSpace: number): number {
  const headroom = 1 - loadFactor * smallestSpace;
  const usual = 1 - 0.8 * 1.03;
  return Math.ceil(7 * Math.log2(Math.max(2, n)) * Math.min(50, Math.max(1, usual / Math.max(1e-3, headroom))));
}

async function createCuckoo(gpu: Gpu, options: TableOptions): Promise<GpuTable> {
  const functions = Number(options.params.functions ?? 4);
  const slots = slotsFor(options.n, options.loadFactor);
  const smallest = SMALLEST_SPACE[functions];
  if (smallest === undefined) throw new UsageError(`cuckoo: functions is ${functions}; it takes 2, 3, 4 or 5`);
  if (options.loadFactor > 1 / smallest + 1e-9) {
    throw new UsageError(
      `cuckoo: load factor ${options.loadFactor} is beyond the ${(1 / smallest).toFixed(3)} that ${functions} functions reach`,
    );
  }
  if (slots >= P) throw new UsageError(`cuckoo: ${slots} slots; its hash functions reach fewer than ${P}`);
  const table = await gpu.alloc("cuckoo table", slots * PAIR_BYTES);
  const status = await gpu.alloc("status", 16);
  const fill = await fillStep(gpu, table, EMPTY);
  const constants = { SLOTS: slots, FUNCTIONS: functions };
  const kernel = (file: string, entry: string) =>
    variant(gpu, { file: `kernels/cuckoo/${file}.wgsl`, entry, constants }, options.counting);
  const [keysPass, valuesPass, findPass] = await Promise.all([
    kernel("insert", "keys_pass"),
    kernel("insert", "values_pass"),
    kernel("find", "main"),
  ]);
  const chain = chainLimit(options.n, options.loadFactor, smallest);
  /** Constants of the build that stands, drawn from the seed and the number of the attempt. */
  let uniforms: number[] = [];
  const parameters = gpu.uniform(new Array(24).fill(0));
  const setParameters = (n: number): void => {
    gpu.write(parameters, 0, new Uint32Array([n, chain, 0, 0, ...uniforms]));
  };
  const draw = (attempt: number): void => {
    const next = generator(options.seed + attempt * 0x9e3779b9);
    uniforms = Array.from({ length: 5 }, () => [next(), next() >>> 4, 0, 0]).flat();
  };
  draw(0);
  return {
    slots,
    bytes: slots * PAIR_BYTES,
    clear: () => gpu.run([fill]),
    async insert(run: RunSteps, { keys, values, n }: Pairs): Promise<OpResult> {
      const bind = { 0: table, 1: keys, 3: parameters, 4: status };
      const steps: Step[] = [
        { pipeline: keysPass, bindings: bind, groups: groupsFor(n) },
        { pipeline: valuesPass, bindings: { ...bind, 2: values }, groups: groupsFor(n) },
      ];
      let ns = 0;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        draw(attempt);
        setParameters(n);
        await gpu.zero(status);
        // The first attempt finds the table cleared; a later one has to clear it, and that counts.
        const pass = await run(attempt === 0 ? steps : [fill, ...steps], status);
        ns += pass.ns;
        if (pass.status[0] === 0) return { ns, count: pass.status[1] ?? 0, restarts: attempt };
      }
      return { ns, count: n, restarts: MAX_ATTEMPTS };
    },
    async find(run: RunSteps, { keys, results, n }: Lookups): Promise<OpResult> {
      setParameters(n);
      const bindings = { 0: table, 1: keys, 2: results, 3: parameters };
      const { ns } = await run([{ pipeline: findPass, bindings, groups: groupsFor(n) }]);
      return { ns, count: 0, restarts: 0 };
    },
    destroy: () => {
      for (const buffer of [table, status, parameters]) buffer.destroy();
    },
  };
}

/** u32 words from a seed: splitmix32. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}
