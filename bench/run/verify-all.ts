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
  /** Time by the host's clock; other cases may have run beside this one. */
  readonly seconds: number;
}

/** Cases of a variant that one worker runs. */
interface Job extends VariantPlan {
  readonly large: boolean;
}

/** Workers that run large cases, of those that there are: each may take several GiB. */
const FEW = 2;

/**
 * How many of the workers verify tables in host memory. Each probe is a trip between device and host, and processes wait for these in
 * turn: more workers are slower.
 */
const fewOnHost = (workers: number) => Math.max(2, Math.ceil(workers / 3));

/**
 * Runs all cases: each long one by itself; one worker runs a variant's large cases, another its remaining ones. `onVariant` gets the
 * results of each such job, and whether they are the variant's last.
 * @param renewAfter A worker ends after this number of jobs. Default: it does not.
 */
export async function verifyAll(
  pools: readonly Pick<Pool, "check" | "renew">[],
  plans: readonly VariantPlan[],
  rounds: Rounds,
  onVariant: (variant: Variant, results: readonly CaseResult[], last: boolean) => void,
  renewAfter = Number.POSITIVE_INFINITY,
): Promise<void> {
  const waiting = jobsOf(plans);
  const running = new Set<Job>();
  const next = (): Job | undefined => {
    const others = [...running];
    const few = others.filter(({ large }) => large).length < FEW;
    const fewHost = others.filter(({ variant }) => variant.host).length < fewOnHost(pools.length);
    const at = waiting.findIndex(({ large, variant }) => (few || !large) && (fewHost || !variant.host));
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const work = async (pool: Pick<Pool, "check" | "renew">): Promise<void> => {
    let done = 0;
    for (let job = next(); job; job = next()) {
      if (done > 0 && done % renewAfter === 0) pool.renew();
      done += 1;
      running.add(job);
      const results = await verifyOne(pool, job, rounds);
      running.delete(job);
      const { variant } = job;
      onVariant(variant, results, ![...running, ...waiting].some((other) => other.variant === variant));
    }
  };
  await Promise.all(pools.map(work));
}

/**
 * The longest first, so that none of them runs alone at the end: by what they are, and then by the number of cases. Tables in host memory
 * before all: few of them run at a time, so that the last of them would come out one after another.
 */
function jobsOf(plans: readonly VariantPlan[]): Job[] {
  const runs = ({ inapplicable }: Planned) => inapplicable === "";
  const alone = (one: Planned) => one.long && runs(one);
  const jobs = (large: boolean) =>
    plans.map(({ variant, cases }) => ({
      variant,
      cases: cases.filter((one) => one.large === large && !alone(one)),
      large,
    }));
  const long = plans.flatMap(({ variant, cases }) =>
    cases.filter(alone).map((one) => ({ variant, cases: [one], large: one.large })),
  );
  const number = ({ cases }: Job) => cases.filter(runs).length;
  const others = jobs(false).toSorted((a, b) => number(b) - number(a));
  const all = [...long, ...jobs(true), ...others].filter(({ cases }) => cases.length > 0);
  return all.toSorted((a, b) => Number(b.variant.host) - Number(a.variant.host));
}

async function verifyOne(
  pool: Pick<Pool, "check">,
  { variant, cases }: VariantPlan,
  rounds: Rounds,
): Promise<CaseResult[]> {
  const { table, host, params } = variant;
  const result = (one: Planned, status: string, reason: string, operations = 0, seconds = 0): CaseResult => {
    return { table, host, params, case: one.case, status, reason, operations, seconds };
  };
  const results = cases.flatMap((one) => (one.inapplicable ? [result(one, "inapplicable", one.inapplicable)] : []));
  const runnable = cases.filter(({ inapplicable }) => !inapplicable);
  await pool.check(
    runnable.map((one) => ({ table, host, params, name: one.case, rounds })),
    async (index, { status, reason, operations, seconds }) => {
      const one = runnable[index];
      if (one) results.push(result(one, status, reason, operations, seconds));
    },
  );
  return results;
}
