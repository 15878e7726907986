/** Adds up the records of counting variants on the device: those of 100 M pairs are 39 MB. */
import { dispatch } from "../../../kernels/device/bind.js";
import type { Step } from "../../../kernels/device/gpu.js";
import type { Owner } from "../../../kernels/device/owned.js";
import { REGION_NAMES } from "./weights.js";

/** What the first words of a record are, in the order of count.wgsl. After them: executions of each region, by lanes and by warps. */
export const WORDS = [
  "items",
  "steps",
  "warpSteps",
  "reads",
  "writes",
  "rmws",
  "failedCas",
  "longestWarp",
  "ownWarpSteps",
  "singleRequests",
  "blockRequests",
  "indexRequests",
  "buckets",
  "own0",
  "own1",
  "own2",
  "own3",
] as const;
/** Where a record's region pairs begin. */
export const REGIONS_AT = WORDS.length;
/** Words a workgroup's record takes. */
export const RECORD_WORDS = REGIONS_AT + 2 * REGION_NAMES.length;

/** Records that a workgroup of sums.wgsl adds up: its RUN. */
const RUN = 64;
/** A sum has a word more than a record. */
const SUM_WORDS = RECORD_WORDS + 1;

const LONGEST = WORDS.indexOf("longestWarp");

function add(total: number[], at: number, word: number): void {
  const before = total[at] ?? 0;
  total[at] = at === LONGEST ? Math.max(before, word) : before + word;
}

/** Of one dispatch: a record a workgroup, from that byte on. */
export interface Records {
  readonly offset: number;
  readonly groups: number;
}

/**
 * The sums of each dispatch's records: RECORD_WORDS numbers, of the longest warps the longest, and the sum of each record's
 * longest warp times its warps that have items. The dispatches are read together, because a mixed batch has a thousand.
 */
export async function sumRecords(own: Owner, records: GPUBuffer, dispatches: readonly Records[]): Promise<number[][]> {
  const places: { readonly first: number; readonly runs: number }[] = [];
  let end = 0;
  for (const { groups } of dispatches) {
    const runs = Math.ceil(groups / RUN);
    places.push({ first: end, runs });
    end += runs;
  }
  const sums = await own.alloc("sums of records", 4 * SUM_WORDS * end);
  const sizes = { words: RECORD_WORDS, longest: LONGEST };
  const kernel = await own.kernel({
    file: "bench/measure/counting/sums.wgsl",
    sizes,
    bound: { records, sums },
    takes: ["place"],
  });
  const steps = dispatches.map(({ offset, groups }, i): Step => {
    const { first, runs } = places[i] ?? { first: 0, runs: 0 };
    return dispatch(kernel, runs, { place: { first_word: offset / 4, records: groups, first_sum: first } });
  });
  await own.run(steps);
  const words = await own.read(sums, SUM_WORDS * end);
  return places.map(({ first, runs }) => {
    const total = new Array<number>(SUM_WORDS).fill(0);
    // By number: of 2^31 items there are 4 M words.
    for (let run = first; run < first + runs; run++)
      for (let at = 0; at < SUM_WORDS; at++) add(total, at, words[SUM_WORDS * run + at] ?? 0);
    return total;
  });
}
