/** Which cases `verify` runs of which variants, on which kind of adapter. */
import { configure } from "../../kernels/define.js";
import type { Experiment } from "../base/experiment.js";
import { largestN } from "../experiments/expand.js";
import { type Case, inapplicable } from "./case.js";
import { cases } from "./index.js";
import { hasDefaults, typeFor, type Variant } from "./variants.js";

export interface Planned {
  readonly case: string;
  /** Why the case does not apply to the table; "" if it does. */
  readonly inapplicable: string;
  readonly long: boolean;
  readonly large: boolean;
}

export interface PlanOptions {
  readonly software: boolean;
  /** The variant was asked for by its parameters: it gets all cases, as the defaults do. */
  readonly asked: boolean;
  readonly experiments: readonly Experiment[];
}

/** Pairs from which on a variant is verified at the sizes of the large cases too. */
const LARGE_N = 2 ** 26;

/** The cases of a variant. */
export function casesOf(variant: Variant, options: PlanOptions): Planned[] {
  const type = configure(typeFor(variant), variant.params);
  return cases
    .filter((one) => runs(one, variant, options))
    .map((one) => ({
      case: one.name,
      inapplicable: inapplicable(one, type),
      long: one.long === true,
      large: one.large === true,
    }));
}

function runs({ core, long, large }: Case, variant: Variant, { software, asked, experiments }: PlanOptions): boolean {
  // Every pair of a table in host memory passes to the host: the kernels are those of the table on the device.
  if (variant.host) return core === true;
  const usual = asked || hasDefaults(variant);
  if (usual) return true;
  if (software || long) return core === true;
  return !large || experiments.some((one) => variant.timedBy.includes(one.id) && largestN(one) >= LARGE_N);
}
