/** Chains of a cuckoo table's keys, each with hash functions of its own: which of them fail, and how long insertions take. */
import { mix } from "../../../datasets/random.js";
import { step } from "../../../kernels/common/bulk.js";
import { EMPTY, fillStep } from "../../../kernels/common/steps.js";
import { drawFunctions, type Form, hashConditions } from "../../../kernels/cuckoo/functions.js";
import { wordsOf } from "../../../kernels/device/bind.js";
import type { Owner } from "../../../kernels/device/owned.js";
import type { DeviceKeys } from "../workload/keys.js";

/** `Report` in chains.wgsl has BINS words of lengths, and LENGTHS words before them. */
const BINS = 64;
const LENGTHS = 4;
const REPORT_WORDS = LENGTHS + BINS;
/** Builds of one submission: their reports are a short read, which is of a buffer that is kept. */
const BATCH = 15;

export interface BuildOptions extends Form {
  readonly slots: number;
  readonly functions: number;
  /** Longest chain of evictions: a longer one fails the build. */
  readonly chain: number;
  readonly seed: number;
}

export interface Build {
  /** The build would have to start again, as some chain was too long. */
  readonly failed: boolean;
  /** Sum over all insertions, and the longest one. */
  readonly iterations: number;
  readonly longest: number;
  /** lengths[i]: insertions of i + 1 iterations; the last one also has all longer ones. */
  readonly lengths: Uint32Array;
}

export type Chains = Awaited<ReturnType<typeof makeChains>>;

/** A table of keys alone. All builds are of the same keys, each number's with functions independent of the others'. Throws DoesNotFit. */
export async function makeChains(gpu: Owner, { keys, n }: Pick<DeviceKeys, "keys" | "n">, options: BuildOptions) {
  const { slots, chain, seed } = options;
  const table = await gpu.alloc("keys of a cuckoo table", slots * 4);
  const kernel = (entry: string) =>
    gpu.kernel({
      file: "bench/scenarios/restarts/chains.wgsl",
      entry,
      conditions: hashConditions(slots, options),
      constants: { FUNCTIONS: options.functions },
      sizes: { slots },
      bound: { table, keys },
      takes: ["f", "report"],
    });
  const [build, check] = await Promise.all([kernel("build"), kernel("check")]);
  /** A build's own functions and report, and the step that makes it. */
  const place = async () => {
    const report = await gpu.alloc("report", REPORT_WORDS * 4);
    const functions = gpu.uniform(new Array(24).fill(0));
    return { functions, report, building: step(build, n, { f: functions, report }) };
  };
  const first = await place();
  const places = [first, ...(await Promise.all(Array.from({ length: BATCH - 1 }, place)))];
  const reports = await gpu.alloc("reports", BATCH * REPORT_WORDS * 4);
  const clearing = await fillStep(gpu, table, EMPTY);
  const checking = step(check, n, { f: first.functions, report: first.report });
  /** Undefined on a device without kernels. */
  const fields = build.resources?.get("f")?.fields;

  function draw({ functions }: { readonly functions: GPUBuffer }, number: number): void {
    const constants = drawFunctions(mix(seed ^ mix(number)), 0).flat();
    if (!fields) return;
    gpu.write(functions, 0, Uint32Array.from(wordsOf("functions", fields, { n, chain, constants })));
  }
  return {
    clear: async () => void (await Promise.all([gpu.run([clearing]), gpu.zero(first.report)])),
    /** Build number `number` into the cleared table; nanoseconds. */
    async build(number: number): Promise<number> {
      draw(first, number);
      return (await gpu.time([first.building])).ns;
    },
    /** The result of the last build into the cleared table. */
    last: async () => reported(await gpu.read(first.report, REPORT_WORDS)),
    /** Builds from number `from` on, `count` of them or as many as a submission has, each into the table when it is cleared. */
    async several(from: number, count: number): Promise<Build[]> {
      const some = places.slice(0, count);
      for (const [i, one] of some.entries()) draw(one, from + i);
      const bytes = REPORT_WORDS * 4;
      // At the same time: all are submitted in this order, and waited for at the end.
      const [, , , words] = await Promise.all([
        gpu.submit(some.map(({ report }) => ({ buffer: report, zero: bytes }))),
        gpu.run(some.flatMap(({ building }) => [clearing, building])),
        gpu.submit(some.map(({ report }, i) => ({ from: report, to: reports, toOffset: i * bytes, bytes }))),
        gpu.read(reports, some.length * REPORT_WORDS),
      ]);
      return some.map((_, i) => reported(words.subarray(i * REPORT_WORDS, (i + 1) * REPORT_WORDS)));
    },
    /** Keys that the last build did not leave in a slot of one of their functions. */
    async missing(): Promise<number> {
      await gpu.run([checking]);
      const [, , , missing = 0] = await gpu.read(first.report, LENGTHS);
      return missing;
    },
  };
}

function reported(words: Uint32Array): Build {
  const [failed = 0, iterations = 0, longest = 0] = words;
  return { failed: failed > 0, iterations, longest, lengths: words.subarray(LENGTHS) };
}

/** The sums of several builds. */
export class Tally {
  builds = 0;
  failed = 0;
  longest = 0;
  private insertions = 0;
  private iterations = 0;
  private readonly lengths = new Array<number>(BINS).fill(0);

  /** Adds a build; how long its insertions took counts only if it did not fail. */
  add(build: Build): void {
    this.builds += 1;
    if (build.failed) {
      this.failed += 1;
      return;
    }
    this.longest = Math.max(this.longest, build.longest);
    this.iterations += build.iterations;
    for (const [i, insertions] of build.lengths.entries()) {
      this.insertions += insertions;
      this.lengths[i] = (this.lengths[i] ?? 0) + insertions;
    }
  }

  /** Iterations of an insertion; NaN if every build failed. */
  get mean(): number {
    return this.iterations / this.insertions;
  }

  /** Iterations that half of the insertions do not exceed (64: at least 64); NaN if every build failed. */
  get median(): number {
    let below = 0;
    for (const [i, insertions] of this.lengths.entries()) {
      below += insertions;
      if (insertions > 0 && 2 * below >= this.insertions) return i + 1;
    }
    return Number.NaN;
  }
}
