import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { checkOutFolder, kindOf } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { isOccupied, readFolders, replaceFolder } from "../results/folder.js";
import { locked } from "../results/lock.js";
import { merge } from "../results/merge.js";
import { checkShards, OF_ONE_SWEEP, type OfOneSweep, unfinished } from "../results/shards.js";
import { JSON_FLAG, OUT_FLAG } from "./options.js";
import { path, someOf } from "./parsers.js";

interface Flags {
  readonly out: string;
  readonly force?: boolean;
  readonly partial?: boolean;
  readonly allow: readonly OfOneSweep[];
  readonly json?: boolean;
}

export function add(program: Command): void {
  program
    .command("merge")
    .argument("<results...>", "results folders")
    .requiredOption(OUT_FLAG, "where the joint results go", path("--out"))
    .option("--force", "replace the results in --out")
    .option("--partial", "merge a sweep of which shards are missing, which else is exit code 1")
    .option(
      "--allow <list>",
      `what shards of one sweep may differ in: ${OF_ONE_SWEEP.join(", ")}`,
      someOf("--allow", OF_ONE_SWEEP),
      [],
    )
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample: hashbench merge shards/1 shards/2 shards/3 --out whole")
    .action(mergeCommand);
}

function mergeCommand(inputs: string[], { out, force, partial = false, allow, json }: Flags) {
  const what = `--out ${out}`;
  checkOutFolder(out, what);
  for (const input of inputs) requireApart(input, out);
  const requirePlace = (): void => {
    if (!force && isOccupied(out))
      throw new UsageError(`${what} is not empty; give --force to replace the results in it, or another --out`);
  };
  requirePlace();
  const folders = inputs.flatMap((input) => readFolders(input));
  const joint = merge(folders, allow);
  if (joint.cells.length === 0) throw new UsageError(`no results in ${inputs.join(", ")}`);
  checkShards(folders, { partial, allow });
  locked(out, what, () => {
    // Reading took a while.
    requirePlace();
    replaceFolder(out, joint, "--out");
  });
  const rows = joint.cells.map(({ rows: [row] }) => row);
  const count = (values: readonly string[]): number => new Set(values).size;
  const summary = {
    out: resolve(out),
    folders: folders.map((folder) => folder.path),
    cells: rows.length,
    runs: count(rows.map(({ run }) => run)),
    experiments: count(rows.map(({ experiment }) => experiment)),
    devices: [...new Set(rows.map(({ device }) => device))].sort(),
    unfinished: unfinished(folders),
  };
  for (const line of summary.unfinished) console.error(`hashbench: ${line}`);
  if (json) return console.log(JSON.stringify(summary, null, 1));
  const { cells, runs, experiments, devices } = summary;
  console.log(`${cells} cells of ${experiments} experiments, runs: ${runs}, ${devices.join(" and ")}`);
  console.log(`results: ${summary.out}`);
}

/** A folder is read with the folders below it, so that neither of two may lie in the other. */
function requireApart(input: string, out: string): void {
  const [from, to] = [real(input), real(out)];
  if (from === to) throw new UsageError(`--out ${out} is one of the inputs; give a folder of its own`);
  if (`${to}${sep}`.startsWith(`${from}${sep}`)) throw new UsageError(`--out ${out} lies in the input ${input}`);
  if (`${from}${sep}`.startsWith(`${to}${sep}`)) throw new UsageError(`the input ${input} lies in --out ${out}`);
}

/** The path without links, as far as it exists. */
function real(name: string): string {
  const whole = resolve(name);
  if (kindOf(whole, name) !== "nothing") return realpathSync(whole);
  return dirname(whole) === whole ? whole : join(real(dirname(whole)), basename(whole));
}
