/** How many groups the rows have, by a sample of them, and which plan that is for. */

/** Rows of a sample, and keys that it lists: SAMPLED and FEW of sample.wgsl. */
export const SAMPLED = 16384;
export const FEW = 8;

/**
 * `few`: each lane has words of its own for every group. `local`: tables in workgroup memory, with one in global memory behind them.
 * `global`: one table in global memory. `partition`: rows are partitioned first, so that the groups of a part fit workgroup memory. `sort`:
 * rows are sorted first. `global` is never chosen.
 */
export const PLANS = ["few", "local", "global", "partition", "sort"] as const;
export type Plan = (typeof PLANS)[number];

/** What a sample of min(SAMPLED, n) rows of n says. */
export interface Sample {
  /** Different keys. */
  readonly distinct: number;
  /** Keys that occur once. */
  readonly once: number;
  /** Rows of the most frequent key. */
  readonly most: number;
}

/** What a sample of n rows says on average, if so many groups are equally frequent. */
export function evenSample(groups: number, n: number): Sample {
  const sampled = Math.min(SAMPLED, n);
  const of = sampled / groups;
  return {
    distinct: groups * -Math.expm1(-of),
    once: sampled * Math.exp(-of),
    most: 1 + Math.ceil(2 * of),
  };
}

/** Groups of which a sample sees as many different keys, if all are equally frequent; at most n. */
export function evenGroups({ distinct }: Sample, n: number): number {
  const sampled = Math.min(SAMPLED, n);
  let [low, high] = [distinct, n];
  // As many halvings as a double has bits are enough.
  for (let turn = 0; turn < 53 && low < high; turn++) {
    const groups = (low + high) / 2;
    if (groups * -Math.expm1(-sampled / groups) < distinct) low = groups;
    else high = groups;
  }
  return high;
}

/**
 * Groups that n rows are expected to have: as many as would be seen if all were equally frequent, or, if that is more, by the
 * estimator of Charikar et al. (PODS 2000, GEE), for rows of which few keys are most.
 */
export function expectedGroups(sample: Sample, n: number): number {
  const { distinct, once } = sample;
  const skewed = Math.sqrt(n / Math.min(SAMPLED, n)) * once + distinct - once;
  // Bisection leaves the last bits of a double, which are not rounded up to a group.
  return Math.min(n, Math.ceil(Math.max(evenGroups(sample, n) - 1e-6, skewed)));
}

/** A table for so many groups is cleared and compacted in a small part of a run; and so it is for a group for each so many rows. */
const CHEAP_GROUPS = 2 ** 22;
const CHEAP_ROWS = 16;

/**
 * Groups of rows by a power law: their number grows as a power of the rows, whose exponent is the share of them that the sample sees once
 * (Heaps' law). They are too many where the law is cut off.
 */
function powerGroups({ distinct, once }: Sample, n: number): number {
  return distinct * (n / Math.min(SAMPLED, n)) ** (once / Math.max(1, distinct));
}

/** Groups that a table and an answer are made for, where `expected` are. */
export function capacityFor(sample: Sample, n: number, expected: number): number {
  const cheap = Math.min(CHEAP_GROUPS, n / CHEAP_ROWS);
  return Math.ceil(Math.max(1.5 * expected, Math.min(1.5 * powerGroups(sample, n), cheap)));
}

/** Fewer rows are added up before they are counted or partitioned. */
const LEAST_PARTITIONED = 2 ** 20;
/** Of more equally frequent groups, or of one for so many rows, a sample tells too little: few of its rows have the key of one before. */
const RARE_GROUPS = 1.2e6;
const RARE_ROWS = 8;
/** Rows that the most frequent of equally frequent keys has in a sample where most have none, at most. */
const MOST_OF_RARE = 5;

/**
 * Whether the groups have to be counted: there may be many more than are expected, as few keys of the sample repeat, or as some are far more
 * frequent than others.
 */
export function isUncertain(sample: Sample, n: number): boolean {
  if (n < LEAST_PARTITIONED) return false;
  const even = evenGroups(sample, n);
  if (even > Math.min(RARE_GROUPS, n / RARE_ROWS)) return true;
  const skewed = sample.most > MOST_OF_RARE * (1 + SAMPLED / even);
  return skewed && powerGroups(sample, n) > Math.min(CHEAP_GROUPS, n / CHEAP_ROWS);
}

/** Share of the rows for which tables in workgroup memory are worth it, at least: others go to global memory. */
const LOCAL_SHARE = 0.5;
/** A key with so many rows of a sample is more frequent than others. */
const UNEVEN = 16;

/** @param slots of a table in workgroup memory @param partitioned whether partitions with room for uneven keys can be made of the rows */
export function choosePlan(
  sample: Sample,
  { n, slots, partitioned }: { readonly n: number; readonly slots: number; readonly partitioned: boolean },
): Plan {
  if (sample.distinct <= FEW) return "few";
  if (!partitioned || n < LEAST_PARTITIONED) return "local";
  // The share of all rows whose key is in the sample is about that of its rows whose key occurs again (Good and Turing). Slots are for some of these keys.
  const share = (1 - sample.once / SAMPLED) * Math.min(1, slots / sample.distinct);
  return share < LOCAL_SHARE ? "partition" : "local";
}

/** The plan after one whose table was too small: there are more groups than a sample can tell, and sorted rows, where they can be, need no table for them. */
export function planAfter(plan: Plan, sortable: boolean): Plan {
  return sortable && plan === "local" ? "sort" : plan;
}

/** Groups of which nearly all have the first slot of workgroup memory that they are looked for in. */
const SPARSE_GROUPS = 512;
export function isSparse(sample: Sample, n: number): boolean {
  return evenGroups(sample, n) <= SPARSE_GROUPS;
}

/** From so many equally frequent groups on, most have no slot in workgroup memory soon: a warp then looks at few before it goes on. */
const FAR_GROUPS = 2048;

/** Slots of a table in workgroup memory that a search looks at (results/studies/group-by.md). */
export function reachFor(sample: Sample, n: number): number {
  return sample.most < UNEVEN && evenGroups(sample, n) > FAR_GROUPS ? 2 : 8;
}

/** Turns of a tile: as many as leave a tile to so many workgroups, which run at a time on the largest GPUs. */
const TURNS = [16, 4];
const BUSY = 264;

/** @param lanes of a workgroup, four rows each and turn */
export function turnsFor(n: number, lanes: number): number {
  return TURNS.find((turns) => n >= 4 * lanes * turns * BUSY) ?? 1;
}
