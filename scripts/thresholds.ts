/** The hybrid's thresholds on a device, for kernels/stash/lanes.ts: `node dist/scripts/thresholds.js RESULTS [CHUNKS]`. */
import { LARGE_CHUNKS } from "../bench/experiments/stadium/fig13.js";
import { hybridThresholds } from "../bench/experiments/stadium/thresholds.js";
import { newestRuns } from "../bench/results/newest.js";
import { readResults } from "../bench/results/read.js";
import { UsageError } from "../kernels/device/errors.js";

const USAGE =
  "usage: node dist/scripts/thresholds.js RESULTS [CHUNKS]; RESULTS has rows of stadium/fig13 of one device";

async function main([results, chunks = String(LARGE_CHUNKS)]: readonly string[]): Promise<string> {
  if (results === undefined) throw new UsageError(USAGE);
  const thresholds = hybridThresholds(newestRuns(await readResults(results)), Number(chunks));
  if (thresholds.size === 0)
    throw new UsageError(`${results}: no ticket size has three of ${chunks} chunks of both tables`);
  const lines = [...thresholds].sort(([a], [b]) => a - b);
  return lines.map(([ticket, threshold]) => `ticket ${ticket}: ${threshold.toFixed(2)}\n`).join("");
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
