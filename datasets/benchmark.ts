/**
 * Speed and memory of the generators. After a build:
 *
 *     node dist/datasets/benchmark.js [--n 100784453] [--seed 1] [data set …]
 *
 * Each data set runs in a process of its own, so that its peak memory is its own too.
 */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { decimals, whole } from "../bench/base/format.js";
import { openDataset } from "./index.js";

interface Measurement {
  readonly keys: number;
  readonly unique: number;
  readonly seconds: number;
  /** Peak resident set of the process, in MiB. */
  readonly peakMiB: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: "string", default: "100784453" },
    seed: { type: "string", default: "1" },
    /** Measure the one data set in this process and print the numbers as JSON. */
    child: { type: "boolean", default: false },
  },
});

async function measure(spec: string, n: number, seed: number): Promise<Measurement> {
  const start = performance.now();
  const source = await openDataset(spec, { n, seed });
  let keys = 0;
  for await (const chunk of source.chunks()) keys += chunk.length;
  const seconds = (performance.now() - start) / 1000;
  return { keys, unique: source.unique(), seconds, peakMiB: process.resourceUsage().maxRSS / 1024 };
}

async function measureApart(spec: string): Promise<Measurement> {
  const args = [fileURLToPath(import.meta.url), "--child", "--n", values.n, "--seed", values.seed, spec];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Measurement;
}

if (values.child) {
  console.log(JSON.stringify(await measure(positionals[0]!, Number(values.n), Number(values.seed))));
} else {
  const table: Record<string, Record<string, string>> = {};
  for (const spec of positionals.length > 0 ? positionals : ["random", "lineitem", "zipf:1"]) {
    const { keys, unique, seconds, peakMiB } = await measureApart(spec);
    table[spec] = {
      keys: whole(keys),
      unique: whole(unique),
      "time (s)": decimals(seconds, 2),
      "M keys/s": decimals(keys / seconds / 1e6, 1),
      "peak RSS (MiB)": decimals(peakMiB, 0),
    };
  }
  console.table(table);
}
