import type { Command } from "@commander-js/extra-typings";
import { checkOutFolder } from "../../datasets/files/paths.js";
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { columns } from "../base/document.js";
import { formatNumber, percent } from "../base/format.js";
import { BASELINES, type Baseline, baselinePath, listBaselines, saveBaseline } from "../compare/baselines.js";
import { OF_DEVICE, ofStore } from "./options.js";
import { integer } from "./parsers.js";

interface Flags {
  readonly store: string;
  readonly json?: boolean;
}

export function add(program: Command): void {
  const command = program
    .command("baseline")
    .addHelpText("after", "\nExample: hashbench baseline save hashbench-results/mine --name main");
  const subcommand = ofStore(command, "baselines", BASELINES);
  subcommand("save", "add the runs of a results folder to a baseline", "save hashbench-results/mine --name main")
    .argument("<results>", "results folder")
    .option("--name <name>", "name of the baseline", "main")
    .option("--keep <runs>", "runs of each cell to keep, the newest", integer("--keep", 1, 1000), 10)
    .option("--replace", "forget what is stored: after another driver, or with other toggles")
    .action(save);
  subcommand("list", "the baselines there are", "list").action(({ store, json }) => print(listBaselines(store), json));
  subcommand("show", "cells of a baseline: medians, and how much runs differ by themselves", "show main")
    .argument("<name>", "name of the baseline")
    .option(...OF_DEVICE)
    .action(show);
}

function save(
  from: string,
  { store, name, keep, replace, json }: Flags & { name: string; keep: number; replace?: true },
): void {
  checkOutFolder(store, `--store ${store}`);
  const written = saveBaseline(from, { store, name, keep, replace: replace ?? false });
  const all = listBaselines(store).filter((one) => written.includes(one.path));
  print(all, json);
  for (const { path, withoutSamples, cells } of all)
    if (withoutSamples > 0)
      console.error(
        `${path}: ${withoutSamples} of ${cells.length} cells have no samples: compare has no times of them`,
      );
}

function print(baselines: readonly Baseline[], json: boolean | undefined) {
  if (json) {
    const summaries = baselines.map(({ cells, ...baseline }) => ({ ...baseline, cells: cells.length }));
    return console.log(JSON.stringify(summaries, null, 1));
  }
  const rows = baselines.map(({ device, name, runs, commits, dates: [first, last], cells }) => [
    device,
    name,
    String(runs.length),
    commits.join(" ") || "unknown",
    first === last ? first : `${first} … ${last}`,
    String(cells.length),
  ]);
  console.log(rows.length > 0 ? columns(["device", "name", "runs", "commits", "dates", "cells"], rows) : "none");
}

function show(name: string, { store, ofDevice: device, json }: Flags & { ofDevice: string }) {
  baselinePath(store, device, name);
  const all = listBaselines(store);
  const found = all.filter((one) => one.name === name && one.device.toLowerCase().includes(device.toLowerCase()));
  if (found.length === 0) {
    const others = new Set(all.map((one) => one.name).filter((other) => other !== name));
    const hint = didYouMean(name, others, "; ");
    throw new UsageError(`no baseline ${name}${device && ` of a device ${device}`} in ${store}${hint} (baseline list)`);
  }
  if (json) return console.log(JSON.stringify(found, null, 1));
  for (const baseline of found) console.log(describe(baseline));
}

function describe({ name, device, driver, toggles, dawn, runs, commits, cells }: Baseline): string {
  const rows = cells.map((cell) => [
    cell.cell,
    String(cell.runs),
    cell.mops === null ? cell.status : formatNumber(cell.mops, 5),
    cell.time === null ? "" : formatNumber(cell.time / 1000, 5),
    cell.spread === null ? "" : percent(cell.spread),
  ]);
  return [
    `${name}: ${device}, driver ${driver}${toggles && `, toggles ${toggles}`}, ${dawn.join(" and ")}`,
    `${runs.length} runs: ${runs.join(" ")}; commits ${commits.join(" ") || "unknown"}`,
    columns(["cell", "runs", "M op/s", "median µs", "spread"], rows),
    "spread: largest / smallest median time of the runs - 1",
  ].join("\n");
}
