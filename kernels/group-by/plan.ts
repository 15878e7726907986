/** How many groups the rows have, by a sample of them, and which plan that is for. */

/** Rows of a sample, keys that it lists, and what makes a key frequent: SAMPLED, FEW and OFTEN of sample.wgsl. */
export const SAMPLED = 16384;
export const FEW = 8;

/**
 * `few`: each lane has words of its own for every group. `local`: tables in workgroup memory, with one in global memory behind them.
 * `global`: one table in global memory. `partition`: rows are partitioned first, so that the groups of a part fit workgroup memory. `sort`:
 * rows are sorted first, which is never chosen.
 */
export const PLANS = ["few", "local", "global", "partition", "sort"] as const;
export type Plan = (typeof PLANS)[number];

/** What a sample of min(SAMPLED, n) rows of n says. */
export interface Sample {
  /** Different keys. */
  readonly distinct: number;
  /** Keys that occur once. */
  readonly once: number;
  /** Rows of keys that a table in workgroup memory would have before others. */
  readonly frequent: number;
}

/**
 * Groups that n rows are expected to have: as many as would be seen if all were equally frequent, or, if that is more, by the
 * estimator of Charikar et al. (PODS 2000, GEE), for rows of which few keys are most.
 */
export function expectedGroups({ distinct, once }: Sample, n: number): number {
  const sampled = Math.min(SAMPLED, n);
  const skewed = Math.sqrt(n / sampled) * once + distinct - once;
  let [low, high] = [distinct, n];
  // As many halvings as a double has bits are enough.
  for (let turn = 0; turn < 53 && low < high; turn++) {
    const groups = (low + high) / 2;
    if (groups * -Math.expm1(-sampled / groups) < distinct) low = groups;
    else high = groups;
  }
  return Math.min(n, Math.ceil(Math.max(high, skewed)));
}

/** Share of the slots in workgroup memory that groups may take. */
const LOCAL_LOAD = 0.75;
/** Share of the sampled rows for which it is worth to have frequent groups in workgroup memory. */
const FREQUENT = 0.5;
/** Fewer rows are added up before they are partitioned. */
const LEAST_PARTITIONED = 2 ** 20;

/** @param slots of a table in workgroup memory @param partitioned whether partitions can be made of the rows */
export function choosePlan(
  sample: Sample,
  expected: number,
  { n, slots, partitioned }: { readonly n: number; readonly slots: number; readonly partitioned: boolean },
): Plan {
  if (sample.distinct <= FEW) return "few";
  if (expected <= LOCAL_LOAD * slots || sample.frequent >= FREQUENT * Math.min(SAMPLED, n)) return "local";
  return partitioned && n >= LEAST_PARTITIONED ? "partition" : "global";
}
