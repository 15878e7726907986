import { dirname, join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { checkOutFile, checkOutFolder } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { rowsOf } from "../../reports/figures/rows.js";
import { printText } from "../base/document.js";
import { isPapers } from "../claims/claim.js";
import { TOUR } from "../claims/papers.js";
import { becauseOf, type Score } from "../claims/score.js";
import { type Implementation, isBrowser } from "../device/adapter/deno.js";
import { claims, experiments } from "../experiments/index.js";
import { scorecard } from "../experiments/scorecard.js";
import { withIntervals } from "../measure/intervals.js";
import { builtTables } from "../native/manifest.js";
import { deviceSlug } from "../results/device-name.js";
import { requireUnlocked } from "../results/lock.js";
import { readResults, readSampleLines } from "../results/read.js";
import type { ResultRow } from "../results/record.js";
import { chosen, paramsOf } from "../run/choice.js";
import { runId } from "../run/configuration.js";
import type { PlanOptions } from "../run/plan.js";
import { type RunOptions, run } from "../run/run.js";
import { fan, setting } from "../run/settings.js";
import { loadTables } from "../run/tables.js";
import { showDryRun } from "./dry-run.js";
import { interruptible, resumed } from "./interrupt.js";
import {
  CELL_TIMEOUT,
  DEFAULT_LIMITS,
  DEVICE,
  type FlagsOf,
  JSON_FLAG,
  MAX_NOISE,
  NATIVE,
  NO_LARGE_PAGES,
  NO_SUBGROUPS,
  OUT_FLAG,
  PLUGIN,
  QUIET,
  SEVERAL_WEBGPU,
} from "./options.js";
import { datasetNames, duration, integer, list, loadFactors, number, path, text, toggles } from "./parsers.js";
import { allBlocks, exportBlocks, tourText } from "./printed.js";
import { profileTable } from "./profile.js";
import { endLines, judge, wideCells } from "./run-end.js";
import { drawnFiles, runSeveral } from "./run-several.js";
import { shard } from "./shard.js";
import { fitted } from "./status-line.js";

/** Where results go that were given no --out. */
const RESULTS = "hashbench-results";

const declared = (program: Command) =>
  program
    .command("run")
    .argument("[ids...]", "experiments, or prefixes of their ids, or all but those by name only (list)")
    .optionsGroup("Size (one of --quick, --scale and --n):")
    .option("--quick", "the largest scale that takes about a minute on this kind of adapter")
    .option("--scale <factor>", "factor on the number of pairs and of lookups", number("--scale", 0, 1000, true))
    .option("-n, --n <pairs>", "most pairs of each experiment: 64k, 1M, 2^20", integer("--n", 1, 2 ** 32 - 2))
    .optionsGroup("What is measured:")
    .option("-t, --tables <list>", "only these tables", list("--tables"))
    .option("--datasets <list>", "these data sets instead of the experiment's", datasetNames)
    .option("--load-factor <list>", "these load factors instead of the experiment's", loadFactors)
    .option("--param <name=value>", "set a parameter of all tables that have it; may be repeated", setting, [])
    .option(
      "--series <name=list>",
      "draw a series for each value of a parameter: bucket=4,8,16; may be repeated",
      fan,
      [],
    )
    .option("--seed <u32>", "seed of keys, queries and hash constants", integer("--seed", 0, 2 ** 32 - 1), 1)
    .option("--no-count", "skip the counting variants (probes, transactions, warp efficiency)")
    .option(...PLUGIN)
    .option(...NATIVE)
    .optionsGroup("Time:")
    .option(
      "--dry-run",
      "print the cells of one --webgpu, their memory and an estimate of the time; measure and write nothing",
    )
    .option("--budget <time>", "time for all cells together: 90s, 15m, 2h; --resume goes on", duration("--budget"))
    .option("--min-time <seconds>", "least measured time per cell (default: 0)", number("--min-time", 0, 3600))
    .option(...MAX_NOISE)
    .option(...CELL_TIMEOUT)
    .option("--profile", "print where the time went, by experiment and phase")
    .optionsGroup("Device:")
    .option(...DEVICE)
    .option(...SEVERAL_WEBGPU)
    .option("--headed", "show the browser's window, on a machine with a display (default: the browser has none)")
    .option(
      "--gpus <count>",
      "GPUs of this host to use, NVIDIA on Linux (default: all for `run all`, else 1)",
      integer("--gpus", 1, 64),
    )
    .option(
      "--memory <GiB>",
      "device memory for cells measured in turn (default: 4; software 1)",
      number("--memory", 0, 1024, true),
    )
    .option("--toggles <list>", "more Dawn toggles: name to switch on, -name off (--toggles=-name)", toggles, [])
    .option("--robust", "keep Dawn's bounds clamps in timed runs")
    .option(...DEFAULT_LIMITS)
    .option(...NO_SUBGROUPS)
    .option(...NO_LARGE_PAGES)
    .optionsGroup("Results:")
    .option(OUT_FLAG, "results folder (default: hashbench-results/<device>/<time>)", path("--out"))
    .option("--resume", "measure the cells that are missing in --out")
    .option("--force", "replace the results in --out")
    .option(
      "--shard <i/k>",
      "the i-th of k parts of about equal time, a figure's cells together; auto: the one of this Slurm or Kubernetes task",
      (text) => shard(text),
    )
    .option("--commit <text>", "what rows name as the commit (default: the checkout's)", text("--commit"))
    .optionsGroup("Output:")
    .option("--no-plots", "draw no figures")
    .option("--export-markdown <file>", "write the printed tables there, as Markdown", path("--export-markdown"))
    .option("--export-csv <file>", "write the printed tables there, as CSV", path("--export-csv"))
    .option(...QUIET)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample: hashbench run gph/fig10 --quick --seed 7 --out /tmp/fig10");

type Flags = FlagsOf<typeof declared>;

/** @param built whether native tables of build/native are taken where no --native is given */
export function add(program: Command, built: boolean): void {
  declared(program).action((ids, flags) => runCommand(ids, flags, built));
}

async function runCommand(ids: string[], flags: Flags, built: boolean): Promise<void> {
  const options = await checked(ids, flags, built);
  if (flags.dryRun) return showDryRun(options, flags.json ?? false);
  if (flags.webgpu && flags.webgpu.length > 1) return runSeveral(options, flags.webgpu, flags);
  const summary = await interruptible(flags.quiet, resumed(flags), (progress) => run(options, progress));
  // A shard beyond the last cell has nothing to show, which is right.
  const measured = summary.planned.filter(({ cells }) => cells.length > 0).map(({ experiment }) => experiment);
  const shown = new Set(measured.map(({ id }) => id));
  const written = measured.length > 0 ? await readResults(summary.out) : [];
  const rows = withIntervals(written, measured.length > 0 ? await readSampleLines(summary.out) : []);
  const plots = flags.plots && measured.length > 0 ? await drawn(summary.out, shown, rows, flags.quiet) : [];
  const scores = scorecard(
    // Claims are about the experiments as they are declared.
    claims.filter(({ experiment }) => shown.has(experiment) && options.params === undefined),
    rows,
  );
  const { software } = summary.device;
  const found = { experiments: measured, rows, scores, software };
  exportBlocks(allBlocks(found), flags);
  if (flags.json) {
    const verdicts = scores.map(claimRecord);
    console.log(JSON.stringify({ ...summary, planned: undefined, plots, claims: verdicts, rows: written }, null, 1));
  } else {
    // A terminal that does not know its size says 0.
    const width = process.stdout.columns || 100;
    const { out, seconds } = summary;
    const tour = ids.length === 0;
    console.log(tour ? tourText(found, width) : printText(allBlocks(found, width), width));
    if (flags.profile) console.log(`${profileTable(seconds)}\n`);
    for (const line of endLines({ out, seconds, software, figures: plots, tour, wide: wideCells(rows) }))
      console.log(fitted(line, process.stdout, " ".repeat(9)));
  }
  judge(summary.counts, summary.out);
}

function drawn(from: string, measured: ReadonlySet<string>, rows: readonly ResultRow[], quiet?: boolean) {
  const ids = experiments
    .filter((e) => rowsOf(e, rows).some(({ experiment }) => measured.has(experiment)))
    .map(({ id }) => id);
  return drawnFiles([from], from, quiet, ids);
}

/** A claim's verdict for machines, without the rows behind it, which are beside it. */
function claimRecord({ claim, rows: _, ...score }: Score): object {
  const { id, experiment, text, paper, device } = claim;
  const origin = isPapers(claim) ? "paper" : "hashbench";
  return { id, experiment, text, origin, paper, device, ...score, because: becauseOf({ claim, ...score }) };
}

/** Finds all errors of the command line, before a device is opened. */
async function checked(ids: readonly string[], flags: Flags, built: boolean): Promise<RunOptions> {
  if ([flags.quick, flags.scale !== undefined, flags.n !== undefined].filter(Boolean).length > 1) {
    throw new UsageError("--quick, --scale and --n exclude one another");
  }
  if (flags.resume && flags.force) throw new UsageError("--resume and --force exclude one another");
  if (flags.resume && !flags.out) throw new UsageError("--resume needs --out, the folder to go on in");
  if (flags.dryRun && flags.force) throw new UsageError("--dry-run replaces nothing: leave out --force");
  if (flags.dryRun && flags.profile) throw new UsageError("--dry-run and --profile exclude one another");
  const webgpu: readonly Implementation[] = flags.webgpu ?? ["dawn"];
  const several = webgpu.length > 1;
  const other = webgpu.find((name) => name !== "dawn");
  if (other && flags.toggles.length > 0) throw new UsageError(`--toggles are Dawn's, and --webgpu ${other} has none`);
  const browser = webgpu.find(isBrowser);
  if (browser && (flags.plugin.length > 0 || flags.native.length > 0))
    throw new UsageError(`--webgpu ${browser} measures tables of the package: leave out --plugin and --native`);
  if (flags.headed && !browser)
    throw new UsageError("--headed shows a browser's window: give --webgpu chromium or firefox");
  if (several && (flags.gpus ?? 1) !== 1) throw new UsageError(`--webgpu ${webgpu} take turns on one GPU: --gpus 1`);
  if (several && (flags.dryRun || flags.profile))
    throw new UsageError("--dry-run and --profile are of one implementation: give --webgpu one");
  const { versions, ...tables } = await loadTables(flags, built && !several && !browser ? builtTables() : []);
  const { quick = false, scale, n, seed, tables: only, datasets, shard } = flags;
  const sizes: PlanOptions = { quick, scale, n, seed, tables: only, datasets, shard };
  const wanted = { ...sizes, loadFactors: flags.loadFactor, settings: flags.param, fans: flags.series };
  const whole = await chosen(ids.length > 0 ? ids : TOUR, wanted);
  checkOut(whole, flags);
  const params = paramsOf(wanted);
  return {
    whole,
    ...sizes,
    ...(params && { params }),
    versions,
    commit: flags.commit,
    on: {
      device: flags.device,
      largePages: flags.largePages,
      webgpu: webgpu[0] ?? "dawn",
      headed: flags.headed ?? false,
      gpus: flags.gpus ?? (ids.includes("all") && !several ? "all" : 1),
    },
    workers: {
      ...tables,
      timeoutMs: flags.timeout * 1000,
      open: {
        robust: flags.robust ?? false,
        toggles: flags.toggles,
        defaultLimits: flags.defaultLimits ?? false,
        subgroups: flags.subgroups,
      },
      stopping: {
        ...(flags.maxNoise !== undefined && { maxNoise: flags.maxNoise }),
        ...(flags.minTime !== undefined && { minTimeMs: flags.minTime * 1000 }),
      },
      ...(flags.memory !== undefined && { memory: flags.memory * 2 ** 30 }),
      counting: flags.count,
    },
    out: (device) => resolve(flags.out ?? join(RESULTS, deviceSlug(device.name), runId())),
    resume: flags.resume ?? false,
    force: flags.force ?? false,
    budgetMs: flags.budget ?? null,
  };
}

/**
 * Throws where rows or figures could not be written, before anything is measured and before the device, which another run may
 * use, is opened.
 */
function checkOut(whole: RunOptions["whole"], { out = RESULTS, plots, exportMarkdown, exportCsv }: Flags): void {
  const figures = plots ? [join(out, "figures")] : [];
  for (const [flag, file] of [
    ["--export-markdown", exportMarkdown],
    ["--export-csv", exportCsv],
  ] as const)
    if (file !== undefined) checkOutFile(file, `${flag} ${file}`);
  const folders = new Set(
    [out, ...figures].flatMap((top) => [top, ...whole.map(({ experiment: { id } }) => dirname(join(top, id)))]),
  );
  for (const folder of folders) checkOutFolder(folder, `--out ${folder}`);
  requireUnlocked(out, `--out ${out}`);
}
