/** The hybrid's thresholds on a device, for kernels/stash/lanes.ts: `node dist/scripts/thresholds.js RESULTS [CHUNKS]`. */
import { decimals } from "../bench/base/format.js";
import { LARGE_CHUNKS } from "../bench/experiments/stadium/fig13.js";
import { hybridThresholds, type Threshold } from "../bench/experiments/thresholds.js";
import { groupBy } from "../bench/results/group.js";
import { newestRuns } from "../bench/results/newest.js";
import { readResults } from "../bench/results/read.js";
import { UsageError } from "../kernels/device/errors.js";

const USAGE =
  "usage: node dist/scripts/thresholds.js RESULTS [CHUNKS]; RESULTS has rows of stadium/fig13 or stadium/thresholds, of one device";

async function main([results, chunks = String(LARGE_CHUNKS)]: readonly string[]): Promise<string> {
  if (results === undefined) throw new UsageError(USAGE);
  const thresholds = hybridThresholds(newestRuns(await readResults(results)), Number(chunks));
  if (thresholds.length === 0)
    throw new UsageError(`${results}: no ticket and pair size has three of ${chunks} chunks of both tables`);
  return [...groupBy(thresholds, ({ pairBytes }) => String(pairBytes))]
    .map(([bytes, own]) => lineOf(bytes, own))
    .join("");
}

/** As it stands in lanes.ts. */
function lineOf(pairBytes: string, thresholds: readonly Threshold[]): string {
  const tickets = thresholds.map(({ ticket, occupancy }) => `${ticket}: ${Number(decimals(occupancy, 2))}`);
  return `${pairBytes}: { ${tickets.join(", ")} },\n`;
}

try {
  process.stdout.write(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
