/** The hybrid's thresholds on a device, for kernels/stash/lanes.ts: `node dist/scripts/thresholds.js RESULTS [CHUNKS]`. */
import { LARGE_CHUNKS } from "../bench/experiments/stadium/fig13.js";
import { hybridThresholds } from "../bench/experiments/stadium/thresholds.js";
import { newestRuns } from "../bench/results/newest.js";
import { readResults } from "../bench/results/read.js";

const [results, chunks = LARGE_CHUNKS] = process.argv.slice(2);
if (results === undefined) {
  process.stderr.write("usage: node dist/scripts/thresholds.js RESULTS [CHUNKS]; RESULTS has rows of stadium/fig13\n");
  process.exit(2);
}
const newest = newestRuns(await readResults(results));
const thresholds = [...hybridThresholds(newest, Number(chunks))].sort(([a], [b]) => a - b);
if (thresholds.length === 0) {
  process.stderr.write(`${results}: no ticket size has three of ${chunks} chunks of both tables\n`);
  process.exit(1);
}
for (const [ticket, threshold] of thresholds) process.stdout.write(`ticket ${ticket}: ${threshold.toFixed(2)}\n`);
