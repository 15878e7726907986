import { basename, extname, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { checkOutFile, checkOutFolder, writeOut } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { printText } from "../base/document.js";
import { count } from "../base/format.js";
import { changeTable } from "../compare/change-table.js";
import {
  addToHistory,
  changesOf,
  type DeviceHistory,
  deviceHistory,
  HISTORY,
  historyFiles,
} from "../compare/history.js";
import { adapterName } from "../results/device-name.js";
import { requireNoResults } from "../results/files.js";
import { OF_DEVICE, ofStore } from "./options.js";
import { number, path } from "./parsers.js";

interface Flags {
  readonly store: string;
  readonly json?: boolean;
}

interface TrendFlags extends Flags {
  readonly minEffect: number;
  readonly ofDevice: string;
}

export function add(program: Command): void {
  const command = program
    .command("history")
    .addHelpText("after", "\nExample: hashbench history add hashbench-results/mine");
  const subcommand = ofStore(command, "histories", HISTORY);
  const trends = (...said: Parameters<typeof subcommand>) =>
    subcommand(...said)
      .option("--min-effect <share>", "least change of a rate that is shown", number("--min-effect", 0, 1), 0.025)
      .option(...OF_DEVICE);
  subcommand("add", "add the runs of a results folder", "add hashbench-results/mine")
    .argument("<results>", "results folder (or one CSV file of it)")
    .action(addRuns);
  trends("list", "devices, their runs and change points", "list").action(list);
  trends("page", "one offline HTML page per device", "page --of-device h200 --out trend.html")
    .option(
      "-o, --out <file>",
      "the page; of several devices, their names go before its ending",
      path("--out"),
      "trend.html",
    )
    .action(page);
}

function addRuns(from: string, { store, json }: Flags): void {
  checkOutFolder(store, `--store ${store}`);
  const added = addToHistory(from, store);
  if (json) console.log(JSON.stringify(added, null, 1));
  else
    for (const { file, lines } of added)
      console.log(`${file}: ${lines > 0 ? `${lines} lines added` : "all there already"}`);
}

/** Histories of the chosen devices; a UsageError where there is none. */
function histories({ store, ofDevice: device, minEffect }: TrendFlags): DeviceHistory[] {
  const all = historyFiles(store).map((file) => deviceHistory(file, minEffect));
  const found = all.filter((one) => one.device.toLowerCase().includes(device.toLowerCase()));
  if (found.length === 0) {
    const there = all.length > 0 ? `there are ${all.map((one) => one.device).join(", ")}` : "hashbench history add";
    throw new UsageError(`no history${device && ` of a device ${device}`} in ${store} (${there})`);
  }
  return found;
}

function list(flags: TrendFlags) {
  const all = histories(flags).map((history) => {
    const { device, file, runs, trends } = history;
    const cells = new Set(trends.map(({ cell }) => cell)).size;
    return { device, file, runs, cells, changes: changesOf(history) };
  });
  if (flags.json) return console.log(JSON.stringify(all, null, 1));
  for (const { device, runs, cells, changes } of all) {
    const [first, last] = [runs[0]?.time.slice(0, 10), runs.at(-1)?.time.slice(0, 10)];
    const counts = [count(cells, "cell"), count(changes.length, "change point")].join(", ");
    console.log(`${adapterName(device)}: ${count(runs.length, "run")}, ${first} … ${last}, ${counts}`);
    if (changes.length === 0) continue;
    process.stdout.write(printText([changeTable(changes)]));
  }
}

async function page(flags: TrendFlags & { out: string }): Promise<void> {
  const all = histories(flags);
  const pages = all.map((history) => {
    const slug = basename(history.file, extname(history.file));
    const name = all.length === 1 ? flags.out : flags.out.replace(/(\.html?)?$/, (end) => `-${slug}${end || ".html"}`);
    return { history, name };
  });
  for (const { name } of pages) {
    checkOutFile(name, `--out ${name}`);
    requireNoResults(name, `--out ${name}`);
  }
  const { trendPage } = await import("../../reports/report/trend.js");
  for (const { history, name } of pages) writeOut(name, await trendPage(history), `--out ${name}`);
  const files = pages.map(({ history, name }) => {
    return { device: history.device, file: resolve(name), changes: changesOf(history).length };
  });
  if (flags.json) console.log(JSON.stringify(files, null, 1));
  else for (const { file } of files) console.log(file);
}
