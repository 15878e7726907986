/**
 * The data set `taobench`: a stand-in for GPH's TaoBenchmark (Cao et al., SIGMOD 2025, section 7.1). Its keys are different;
 * lookups ask for some far more often than for others. The fifth that is asked for most draws 82.14 % of them, as there. The
 * shape between is ours: a continuous power law over ranks 1 … n, with the exponent that gives this share (0.89 for
 * 165,000,000 keys, of which the first then draws 1 %).
 */
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { randomKeys } from "./random.js";

const TOP = 0.2;
const TOP_SHARE = 0.8214;

/** The data set. Throws a UsageError if n is more than the keys there are. */
export function taobenchKeys({ n, seed }: KeySourceOptions): KeySource {
  const keys = randomKeys({ n, seed });
  return {
    ...keys,
    id: "taobench",
    note: "stand-in for TaoBenchmark: random keys; lookups by a power law, 82.14 % of them for a fifth of the keys",
    rankAt: ranksOf(n),
  };
}

/** The rank, from 0, below which the share u of the lookups lies. */
export function ranksOf(n: number): (u: number) => number {
  const whole = Math.log(n + 1);
  const power = powerFor(n, whole);
  return (u) => {
    const log = power === 0 ? u * whole : Math.log1p(u * Math.expm1(power * whole)) / power;
    return Math.min(n - 1, Math.max(0, Math.floor(Math.exp(log)) - 1));
  };
}

/** 1 less the exponent of the law, by bisection: the larger it is, the smaller is the share of the first ranks. */
function powerFor(n: number, whole: number): number {
  const top = Math.log(TOP * n + 1);
  let [low, high] = [-64, 1];
  for (let step = 0; step < 60; step++) {
    const power = (low + high) / 2;
    const share = power === 0 ? top / whole : Math.expm1(power * top) / Math.expm1(power * whole);
    if (share > TOP_SHARE) low = power;
    else high = power;
  }
  return (low + high) / 2;
}
