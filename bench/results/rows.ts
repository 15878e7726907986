/** A cell's result as rows. */
import type { CellSpec } from "../base/experiment.js";
import { oneLine } from "./line.js";
import { unitOf } from "./metrics.js";
import { type CellResult, isQuantity, type ResultRow, type RunInfo } from "./record.js";

/**
 * The rows of one cell: one a metric. A cell that is not ok, or has a value that cannot be a quantity, is one row with metric
 * `mops`, no value and the reason in one line.
 */
export function rowsOf(cell: CellSpec, result: CellResult, run: RunInfo, time: Date): ResultRow[] {
  const odd = result.status === "ok" && result.metrics.find(({ value }) => !isQuantity(value));
  const failure = odd ? { status: "failed" as const, reason: `${odd.metric} is ${odd.value}` } : result;
  const { status, reason } = failure;
  const { loadFactor, positiveRatio, ...place } = cell;
  const shared = {
    run: run.run,
    time: time.toISOString(),
    commit: run.commit,
    device: oneLine(run.device),
    driver: oneLine(run.driver),
    dawn: oneLine(run.dawn),
    toggles: oneLine(run.toggles),
    api: run.api ?? "webgpu",
    system: run.system ?? {},
    ...place,
    load_factor: loadFactor,
    positive_ratio: positiveRatio,
    data_hash: result.dataHash,
    samples: result.samples.length,
    repetitions: result.repetitions,
    stopped: result.stopped,
    status,
    reason: oneLine(reason),
  };
  const none = { metric: "mops", unit: unitOf("mops"), value: null, lo: null, hi: null };
  const metrics = status === "ok" && result.metrics.length > 0 ? result.metrics : [none];
  return metrics.map((metric) => {
    return { ...shared, ...metric, lo: quantityOrNull(metric.lo), hi: quantityOrNull(metric.hi) };
  });
}

function quantityOrNull(value: number | null): number | null {
  return value !== null && isQuantity(value) ? value : null;
}
