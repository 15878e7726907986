/** `hashbench compare`: whether a run became slower, or counts worse, than another. */

import type { Command } from "@commander-js/extra-typings";
import { checkOutFile, kindOf, writeOut } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { AnswerIsNo } from "../base/errors.js";
import { BASELINES, baselinePath } from "../compare/baselines.js";
import { ALIKE, compare, GATES, objections } from "../compare/compare.js";
import { FORMATS, format } from "../compare/format.js";
import { readSide, type Side } from "../compare/side.js";
import { loadPlugins } from "../plugins/plugins.js";
import { requireNoResults } from "../results/files.js";
import { type FlagsOf, OF_DEVICE, PLUGIN } from "./options.js";
import { number, oneOf, path, share, someOf } from "./parsers.js";

const declared = (program: Command) =>
  program
    .command("compare")
    .argument("<before>", "results folder, or @name of a saved baseline of the device")
    .argument("<after>", "results folder")
    .optionsGroup("What decides:")
    .option("--threshold <share>", "slow-down that must not be missed: 0.05 is 5 %", share("--threshold"), 0.05)
    .option("--alpha <share>", "chance of a false alarm among all times", number("--alpha", 0, 0.5, true), 0.05)
    .option("--gate <what>", `one of ${GATES.join(", ")}`, oneOf("--gate", GATES), "auto")
    .option("--allow <list>", `accepted differences: ${ALIKE.join(", ")}`, someOf("--allow", ALIKE), [])
    .option("--require-all", "exit code 1 if a cell has no counterpart, no samples, or a counter on one side only")
    .option("--cpu-times", "times by the CPU's clock decide too, on a machine that does nothing else")
    .optionsGroup("What is compared:")
    .option(...OF_DEVICE)
    .option("--store <folder>", "where baselines are kept", path("--store"), BASELINES)
    .option(...PLUGIN)
    .optionsGroup("Output:")
    .option("--all", "list all that was compared, not only what changed")
    .option("--format <name>", `one of ${FORMATS.join(", ")}`, oneOf("--format", FORMATS), "text")
    .option("-o, --out <file>", "write there too, and the text to stdout", path("--out"))
    .option("--json", "the same as --format json")
    .addHelpText(
      "after",
      `
--gate auto: times and counters on a GPU, counters alone on a software adapter,
whose times are a CPU's.
Example: hashbench compare @main hashbench-results/pr --out result.txt`,
    );

type Flags = FlagsOf<typeof declared>;

export function add(program: Command): void {
  declared(program).action(compareCommand);
}

async function compareCommand(before: string, after: string, flags: Flags): Promise<void> {
  await loadPlugins(flags.plugin);
  if (flags.out !== undefined) {
    checkOutFile(flags.out, `--out ${flags.out}`);
    requireNoResults(flags.out, `--out ${flags.out}`);
  }
  // A baseline is of the device of the other side.
  const named = before.startsWith("@") ? null : await readSide(before, flags.ofDevice);
  const second = await readSide(after, flags.ofDevice);
  const first = named ?? (await readSide(baseline(before.slice(1), second, flags), flags.ofDevice));
  const { threshold, alpha, gate, allow, requireAll = false, cpuTimes = false, all = false } = flags;
  const comparison = compare(first, second, { threshold, alpha, gate, allow, requireAll, cpuTimes });
  const reasons = objections(comparison);
  const width = process.stdout.columns || undefined;
  const how = flags.json ? "json" : flags.format;
  if (flags.out === undefined) {
    process.stdout.write(format(comparison, how, { width, all }));
  } else {
    writeOut(flags.out, format(comparison, how, { all }), `--out ${flags.out}`);
    process.stdout.write(format(comparison, "text", { width, all }));
  }
  if (reasons.length > 0) throw new AnswerIsNo(reasons.join("; "));
}

function baseline(name: string, { path: results, distinct }: Side, { store }: Flags): string {
  const devices = distinct("device");
  const [device = ""] = devices;
  if (devices.length > 1) {
    throw new UsageError(`${results} holds several devices (${devices.join(", ")}); --of-device chooses one`);
  }
  const folder = baselinePath(store, device, name);
  if (kindOf(folder) === "nothing") {
    throw new UsageError(`no baseline ${name} of ${device} in ${store} (hashbench baseline save, or list)`);
  }
  return folder;
}
