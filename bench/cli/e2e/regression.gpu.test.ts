/** What CI does on a software adapter: measure, change a kernel, measure again, compare by counters. */
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import { COMMIT_FILE } from "../../results/environment.js";
import { device, hashbench, slow, temporary } from "./testing.js";

const suite = [
  ...["run", "tables/load-factor", "--tables", "bucketed,double-hashing", "--device", device, "--no-plots"],
  ...["--n", slow ? "2000" : "5000", "--load-factor", "0.8", "--max-noise", "0.9"],
];

const LEFT_OUT = new Set([".git", "biome.json", "results", "build", "node", "lib", "hashbench", "hashbench-results"]);

/** A copy of hashbench in which each lookup of bucketed reads the values of its first bucket once more, and counts that as a probe. */
function copyWithProbe(folder: string): void {
  for (const name of readdirSync(packageRoot)) {
    const [from, to] = [join(packageRoot, name), join(folder, name)];
    if (LEFT_OUT.has(name)) continue;
    if (name === "node_modules") symlinkSync(from, to);
    else cpSync(from, to, { recursive: true });
  }
  writeFileSync(join(folder, COMMIT_FILE), "planted\n");
  const file = join("kernels", "bucketed", "find.wgsl");
  const place = "    let values = halves.second;\n";
  const more =
    "    if (probe == 0u) { @if(COUNT) count_step(); @if(COUNT) count_read(); if (two_at(block_at(bucket, 2u)).second.x == DELETED) { return EMPTY; } }\n";
  const parts = readFileSync(join(packageRoot, file), "utf8").split(place);
  expect(parts).toHaveLength(2);
  writeFileSync(join(folder, file), parts.join(`${place}${more}`));
}

/** A run of which the budget left all to `--resume`. */
const before = temporary();

test("what a budget does not reach is postponed, and measured by --resume", async () => {
  // Starting takes a part of this, and what is left is not worth the first cell.
  const short = await hashbench(...suite, "--budget", "2s", "--out", before, "--json");
  expect(statuses(short.stdout)).toEqual(new Set(["postponed"]));
  expect(short.code).toBe(4);
  expect(short.lines.at(-1)).toContain(`--resume --out ${before} goes on`);
  const rest = await hashbench(...suite, "--budget", "1h", "--out", before, "--resume", "--json");
  expect(rest.code).toBe(0);
  expect(statuses(rest.stdout)).toEqual(new Set(["ok"]));
});

test("equal kernels raise no alarm; one more probe a lookup is found by counters, in that table's lookups alone", async () => {
  const [again, after, copy] = [temporary(), temporary(), temporary()];
  expect((await hashbench(...suite, "--out", again)).code).toBe(0);
  copyWithProbe(copy);
  const program = join(copy, "dist", "bench", "cli", "main.js");
  execFileSync(process.execPath, [program, ...suite, "--out", after], { stdio: "ignore" });

  const equal = await hashbench("compare", before, again);
  expect(equal.stdout).toContain("none became worse");
  expect(equal.code).toBe(0);
  const worse = await hashbench("compare", before, after, "--json");
  expect(worse.code).toBe(1);
  const { verdicts } = JSON.parse(worse.stdout) as { verdicts: { cell: string; metric: string; decision: string }[] };
  const found = verdicts.filter(({ decision }) => decision === "worse");
  expect(found.every(({ cell }) => cell.includes("bucketed find"))).toBe(true);
  const cells = new Set(verdicts.map(({ cell }) => cell).filter((cell) => cell.includes("bucketed find")));
  for (const cell of cells) expect(found).toContainEqual(expect.objectContaining({ cell, metric: "probes" }));
});

function statuses(stdout: string): Set<string> {
  const { rows } = JSON.parse(stdout) as { rows: { status: string }[] };
  return new Set(rows.map(({ status }) => status));
}
