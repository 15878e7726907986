/** Scores of claims from the rows of one environment. */

import type { CellSpec, Experiment } from "../base/experiment.js";
import type { Claim } from "../claims/claim.js";
import { evaluate, metricsOf } from "../claims/evaluate.js";
import { checkNames } from "../claims/names.js";
import type { DeviceRates } from "../claims/numbers.js";
import type { Score } from "../claims/score.js";
import type { Cell, Declared } from "../claims/select.js";
import { isSoftware } from "../results/device-name.js";
import { byClock } from "../results/metrics.js";
import { sharedNewestRuns } from "../results/newest.js";
import type { ResultRow } from "../results/record.js";
import { allSeries } from "../scenarios/index.js";
import { expand } from "./expand.js";
import { experiments } from "./index.js";
import { ORIGINALS } from "./originals.js";

const SPEED_OF_A_CPU = "A software adapter: a CPU runs the kernels, and its speed says nothing of a GPU's.";

/**
 * One score per claim, in the claims' order, with the claim as it was judged. The newest of several runs of a cell counts. Speeds of a CPU are not judged. Throws a
 * UsageError for a claim that names what there is not.
 */
export function scorecard(claims: readonly Claim[], rows: readonly ResultRow[]): Score[] {
  const newest = sharedNewestRuns(rows);
  const declared = declaredCells();
  for (const claim of claims) {
    if (!checked.has(claim)) checkNames(claim, declared);
    checked.add(claim);
  }
  const software = newest.some(({ device }) => isSoftware(device));
  const known = {
    experiments: declared,
    tables: new Set(allSeries().map(({ id }) => id)),
    originals: ORIGINALS,
    software,
  };
  const rates = deviceRates(newest);
  const judgeable = (claim: Claim): Claim =>
    software && metricsOf(claim.check).some(byClock) ? { ...claim, incomparable: SPEED_OF_A_CPU } : claim;
  return claims.map((claim) => evaluate(judgeable(claim), newest, rates, known));
}

/** Claims of which all names are there: a report judges them for each device. */
const checked = new WeakSet<Claim>();

/** Larger than any cache, and the array of the chapter's random accesses. */
const LARGE_MIB = 512;

/** What device/limits measured on tables that are larger than any cache: the fastest copy, random accesses at the smallest. */
export function deviceRates(rows: readonly ResultRow[]): DeviceRates {
  const measured = (pattern: string, wanted: string): number[] =>
    rows
      .filter(({ experiment, status }) => experiment === "device/limits" && status === "ok")
      .filter(({ table, metric }) => table === pattern && metric === wanted)
      .filter(({ params }) => Number(params.tableMiB) >= LARGE_MIB)
      .toSorted((a, b) => Number(a.params.tableMiB) - Number(b.params.tableMiB))
      .flatMap(({ value }) => value ?? []);
  const copies = measured("copy", "bandwidth");
  return {
    "copy bandwidth": copies.length > 0 ? Math.max(...copies) : null,
    "random updates": measured("exchange", "mops")[0] ?? null,
    "random reads": measured("read8", "mops")[0] ?? null,
  };
}

const cells = new WeakMap<Experiment, readonly Cell[]>();

/** The cells of every experiment at the papers' sizes; those of an experiment are worked out once, when they are asked for. */
export function declaredCells(): Declared {
  const byId = new Map(experiments.map((experiment) => [experiment.id, experiment]));
  return {
    has: (id) => byId.has(id),
    keys: () => byId.keys(),
    get(id) {
      const experiment = byId.get(id);
      if (!experiment) return undefined;
      const known = cells.get(experiment) ?? cellsOf(experiment);
      cells.set(experiment, known);
      return known;
    },
  };
}

/** Native tables among them, whether they are loaded or not. */
function cellsOf(experiment: Experiment): Cell[] {
  if (experiment.from) return [];
  const series = experiment.series.map(({ only: { loaded: _, ...only } = {}, ...one }) => ({ ...one, only }));
  return expand({ ...experiment, series }, { quick: false, seed: 1, scale: 1 }).map(cellOf);
}

function cellOf({ table, variant, op, dataset, n, loadFactor, positiveRatio, params }: CellSpec): Cell {
  return { table, variant, op, dataset, n, load_factor: loadFactor, positive_ratio: positiveRatio, params };
}
