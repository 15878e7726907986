/**
 * The CUDA originals under Nsight Compute, beside our counters of their ports (results/studies/profiles.md):
 *
 *     node dist/scripts/profiles.js measure NATIVE OUT [PAIRS]   # `ncu` counts the programs in NATIVE: OUT/<port>.csv, logs beside it
 *     node dist/scripts/profiles.js table OUT RESULTS [PAIRS]    # a Markdown table; RESULTS has rows of the ports
 *
 * `ncu` has to be on the path, and may have to be started by root.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { printMarkdown } from "../bench/base/document.js";
import { ORIGINALS } from "../bench/experiments/originals.js";
import { type Manifest, readManifests } from "../bench/native/manifest.js";
import { newestRuns } from "../bench/results/newest.js";
import { readResults } from "../bench/results/read.js";
import { keyConstants, keyRange, mix } from "../datasets/random.js";
import { UsageError } from "../kernels/device/errors.js";
import { KERNELS, launchesIn, NCU_METRICS, pairsOf, shownPairs } from "./profile-table.js";

const USAGE = "usage: node dist/scripts/profiles.js measure NATIVE OUT [PAIRS], or table OUT RESULTS [PAIRS]";
const LOAD_FACTOR = 0.8;
const SEED = 1;
const LIMIT_MS = 120_000;

/** Keys of the data set random: those inserted, as many of them drawn, and as many others. */
function writeArrays(folder: string, n: number): void {
  const constants = keyConstants(SEED);
  const keys = keyRange(0, n, constants);
  const present = keys.map((_, i) => keys[mix(i) % n] ?? 0);
  const arrays = [keys, keys, present, keyRange(n, n, constants), new Uint32Array(n)];
  arrays.forEach((words, i) => {
    writeFileSync(join(folder, String(i)), words);
  });
}

/** What the program is asked, a line each: the protocol of kernels/native/README.md. */
function requestsOf({ parameters }: Manifest, folder: string, n: number): string {
  const params = Object.fromEntries(parameters.map((one) => [one.name, one.default]));
  const arrays = [0, 1, 2, 3, 4];
  const requests = [
    ...arrays.map((array) => ({ do: "share", array, words: n, file: join(folder, String(array)), write: array === 4 })),
    ...arrays.map((array) => ({ do: "send", array })),
    { do: "create", n, insertions: n, loadFactor: LOAD_FACTOR, seed: SEED, params },
    { do: "insert", keys: 0, values: 1, first: 0, n },
    ...[2, 3].map((keys) => ({ do: "find", keys, answers: 4, first: 0, n })),
  ];
  return requests.map((request) => `${JSON.stringify(request)}\n`).join("");
}

function measure(native: string, out: string, n: number): void {
  mkdirSync(out, { recursive: true });
  const manifests = readManifests(native);
  const shared = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const folder = mkdtempSync(join(shared, "hashbench-profiles-"));
  try {
    writeArrays(folder, n);
    for (const [port, names] of Object.entries(KERNELS)) {
      const manifest = manifests.find(({ id }) => id === ORIGINALS[port]);
      if (!manifest) continue;
      const asked = join(folder, "requests");
      writeFileSync(asked, requestsOf(manifest, folder, n));
      const kernels = `regex:^(${Object.values(names).join("|")})$`;
      const about = ["--csv", "--page", "raw", "--print-units", "base", "--log-file", resolve(out, `${port}.csv`)];
      const how = ["-f", "--target-processes", "all", "--clock-control", "none", "-k", kernels];
      const program = ["sh", "-c", 'in=$0 out=$1; shift; exec "$@" < "$in" > "$out"', asked];
      const replies = resolve(out, `${port}.replies`);
      const metrics = ["--metrics", NCU_METRICS.join(",")];
      const args = [...how, ...about, ...metrics, ...program, replies, ...manifest.command];
      const ran = spawnSync("ncu", args, { cwd: manifest.folder, encoding: "utf8", timeout: LIMIT_MS });
      writeFileSync(join(out, `${port}.log`), `${ran.error ?? ""}${ran.stdout}${ran.stderr}`);
      console.error(`${port}: ncu ended with ${ran.status}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function shown(out: string, results: string, n: number): Promise<string> {
  const rows = newestRuns(await readResults(results)).filter(
    (row) => row.load_factor === LOAD_FACTOR && row.n === n && row.dataset === "random" && row.status === "ok",
  );
  const ports = Object.keys(KERNELS).filter((port) => existsSync(join(out, `${port}.csv`)));
  const pairs = ports.flatMap((port) =>
    pairsOf(port, launchesIn(readFileSync(join(out, `${port}.csv`), "utf8"), port), rows, n),
  );
  return printMarkdown(shownPairs(pairs));
}

const [what, first, second, pairs = "100000000"] = process.argv.slice(2);
try {
  if (first === undefined || second === undefined) throw new UsageError(USAGE);
  if (what === "measure") measure(first, second, Number(pairs));
  else process.stdout.write(await shown(first, second, Number(pairs)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
