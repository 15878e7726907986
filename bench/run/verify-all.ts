/** Conformance of many variants, on several workers at a time: the host compares answers, and has more cores than one. */
import type { Rounds } from "../verify/case.js";
import type { Planned } from "../verify/plan.js";
import type { Variant } from "../verify/variants.js";
import type { Pool } from "./pool.js";

export interface VariantPlan {
  readonly variant: Variant;
  readonly cases: readonly Planned[];
}

export interface CaseResult extends Pick<Variant, "table" | "host" | "params"> {
  readonly case: string;
  /** `ok`, `inapplicable` to the table, `skipped` as this adapter cannot decide it, or what went wrong. */
  readonly status: string;
  readonly reason: string;
  /** Operations whose answers were compared. */
  readonly operations: number;
  /** Of the host's clock. */
  readonly seconds: number;
}

/** Workers that run large cases, of those that there are: each may take several GiB. */
const FEW = 2;

/**
 * Runs all cases, each variant's by one worker, and then the large ones by few. `onVariant` gets the results of a variant when all of
 * its cases of a turn have ended.
 */
export async function verifyAll(
  pools: readonly Pool[],
  plans: readonly VariantPlan[],
  rounds: Rounds,
  onVariant: (variant: Variant, results: readonly CaseResult[], last: boolean) => void,
): Promise<void> {
  for (const large of [false, true]) {
    const waiting = plans.map(({ variant, cases }) => ({ variant, cases: cases.filter((one) => one.large === large) }));
    const left = waiting.filter(({ cases }) => cases.length > 0);
    const more = (one: Variant) =>
      !large && plans.some(({ variant, cases }) => variant === one && cases.some((c) => c.large));
    const work = async (pool: Pool): Promise<void> => {
      for (let next = left.shift(); next; next = left.shift()) {
        onVariant(next.variant, await verifyOne(pool, next, rounds), !more(next.variant));
      }
    };
    await Promise.all(pools.slice(0, large ? FEW : pools.length).map(work));
  }
}

async function verifyOne(pool: Pool, { variant, cases }: VariantPlan, rounds: Rounds): Promise<CaseResult[]> {
  const { table, host, params } = variant;
  const result = (one: Planned, status: string, reason: string, operations = 0, seconds = 0): CaseResult => ({
    table,
    host,
    params,
    case: one.case,
    status,
    reason,
    operations,
    seconds,
  });
  const results = cases.flatMap((one) => (one.inapplicable ? [result(one, "inapplicable", one.inapplicable)] : []));
  const runnable = cases.filter(({ inapplicable }) => !inapplicable);
  let begun = performance.now();
  await pool.check(
    runnable.map((one) => ({ table, host, params, name: one.case, rounds })),
    async (index, { status, reason, operations }) => {
      const one = runnable[index];
      const now = performance.now();
      if (one) results.push(result(one, status, reason, operations, (now - begun) / 1000));
      begun = now;
    },
  );
  return results;
}
