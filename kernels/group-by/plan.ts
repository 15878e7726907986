/** How many groups the rows have, by a sample of them, and which plan that is for. */

/** Rows of a sample, and keys that it lists, some of them or frequent ones: SAMPLED, FEW and HOT of sample.wgsl. */
export const SAMPLED = 16384;
export const FEW = 8;
export const HOT = 4;

/**
 * `few`: each lane has words of its own for every group. `local`: tables in workgroup memory, with one in global memory behind them.
 * `global`: one table in global memory. `partition`: rows are partitioned first, so that the groups of a part fit workgroup memory. `sort`:
 * rows are sorted first. `global` is never chosen. `hot`: as `local`, but each lane has words of its own for the most frequent keys.
 */
export const PLANS = ["few", "local", "global", "partition", "sort", "hot"] as const;
export type Plan = (typeof PLANS)[number];

/** What a sample of min(SAMPLED, n) rows of n says. */
export interface Sample {
  /** Different keys. */
  readonly distinct: number;
  /** Keys that occur once. */
  readonly once: number;
  /** Rows of the most frequent key. */
  readonly most: number;
  /** Keys that each have a sixteenth of the rows, HOT at most. */
  readonly hot: number;
}

/** What a sample of n rows says on average, if so many groups are equally frequent. */
export function evenSample(groups: number, n: number): Sample {
  const sampled = Math.min(SAMPLED, n);
  const of = sampled / groups;
  return {
    distinct: groups * -Math.expm1(-of),
    once: sampled * Math.exp(-of),
    most: 1 + Math.ceil(2 * of),
    hot: of >= sampled / 16 ? HOT : 0,
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
  return Math.min(n, Math.ceil(Math.max(evenGroups(sample, n), skewed)));
}

/** A table for so many groups is cleared and compacted in a small part of a run; and so it is for a group for each so many rows. */
const CHEAP_GROUPS = 2 ** 22;
const CHEAP_ROWS = 16;

/**
 * Groups that the table in global memory is made for. Of rows by a power law the different keys grow as a power of the rows, whose exponent
 * is the share of them that the sample sees once (Heaps' law). These are more than are expected, and count as far as they are cheap.
 */
export function capacityFor(sample: Sample, n: number): number {
  const { distinct, once } = sample;
  const byPower = distinct * (n / Math.min(SAMPLED, n)) ** (once / Math.max(1, distinct));
  return Math.ceil(Math.max(1.5 * expectedGroups(sample, n), Math.min(1.5 * byPower, CHEAP_GROUPS, n / CHEAP_ROWS)));
}

/** Groups for which the first slots of four rows are looked at together, at most. */
const TOGETHER_GROUPS = 512;
/** Groups, for each slot in workgroup memory, for which tables there are worth it, at most: what they have no room for goes to global memory. */
const LOCAL_GROUPS = 4;
/** A key with so many rows of a sample makes its partition larger than others. */
const UNEVEN = 16;
/** Fewer rows are added up before they are partitioned. */
const LEAST_PARTITIONED = 2 ** 20;

/** Fewer keys of a sample share their rows more evenly than one needs words of its own for. */
const LEAST_BESIDE = 32;

/** @param slots of a table in workgroup memory @param partitioned whether partitions can be made of the rows */
export function choosePlan(
  sample: Sample,
  { n, slots, partitioned }: { readonly n: number; readonly slots: number; readonly partitioned: boolean },
): Plan {
  if (sample.distinct <= FEW) return "few";
  const even = sample.most < UNEVEN && evenGroups(sample, n) > LOCAL_GROUPS * slots;
  if (even && partitioned && n >= LEAST_PARTITIONED) return "partition";
  return sample.hot > 0 && sample.distinct > LEAST_BESIDE ? "hot" : "local";
}

/** The plan after one whose table was too small: there are more groups than a sample can tell, and sorted rows, where they can be, need no table for them. */
export function planAfter(plan: Plan, sortable: boolean): Plan {
  return sortable && (plan === "local" || plan === "hot") ? "sort" : plan;
}

/** Whether few groups are expected, of which neighbouring rows find theirs at the first look. */
export function togetherFor(sample: Sample, n: number): boolean {
  return evenGroups(sample, n) <= TOGETHER_GROUPS;
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
