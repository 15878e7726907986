import { dirname, join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { checkOutFolder } from "../../datasets/files/paths.js";
import { validateDataset } from "../../datasets/index.js";
import { configure } from "../../kernels/define.js";
import { UsageError } from "../../kernels/device/errors.js";
import { tableType } from "../../kernels/index.js";
import type { TableType } from "../../kernels/table.js";
import { columns } from "../base/document.js";
import { CellsFailed } from "../base/errors.js";
import { decimals, formatNumber, rounded } from "../base/format.js";
import { requireUnlocked } from "../results/lock.js";
import { checkTables } from "../run/names.js";
import { checkSettings, setting, settingsFor } from "../run/settings.js";
import { loadTables } from "../run/tables.js";
import { dimensionsOf, LOAD_FACTOR, type Point, pointKey, startOf } from "../run/tune/space.js";
import { checkTunable, OBJECTIVES, type Objective, type TuneOptions, type Tuning, tune } from "../run/tune/tune.js";
import { interruptible } from "./interrupt.js";
import {
  CELL_TIMEOUT,
  DEVICE,
  type FlagsOf,
  JSON_FLAG,
  MAX_NOISE,
  NATIVE,
  NO_LARGE_PAGES,
  OUT_FLAG,
  PLUGIN,
  QUIET,
} from "./options.js";
import { duration, integer, list, loadFactors, number, oneOf, path, text } from "./parsers.js";

const NAMES = Object.keys(OBJECTIVES) as Objective[];
/** Where a search begins that was given none … */
const USUAL_LOAD_FACTOR = 0.8;
/** … or at this share of what the table takes, if that is less: with other parameters it may take less. */
const USUAL_SHARE = 0.9;
/** Load factors for the objective of few bytes, likewise. */
const LOAD_FACTORS = [0.8, 0.5, 0.6, 0.7, 0.85, 0.9, 0.95];
const POSITIVE_RATIO = 0.5;
const BUDGET_MS = 120_000;

const declared = (program: Command) =>
  program
    .command("tune")
    .argument("<table>", "a table with parameters, or with several --load-factor")
    .optionsGroup("What is searched:")
    .option(
      "--objective <name>",
      "find or insert: most retrievals or insertions per second; bytes: fewest bytes per pair",
      oneOf("--objective", NAMES),
      "find" as const,
    )
    .option("--at-least <rate>", "M retrievals/s that --objective bytes keeps", number("--at-least", 0, 1e9, true))
    .option(
      "--vary <list>",
      "only these parameters (default: all that matter at this size and keep what the table does)",
      list("--vary"),
    )
    .option("--param <name=value>", "a parameter that is set and not varied; may be repeated", setting, [])
    .option(
      "--load-factor <list>",
      `load factors to try, the first one first (default: ${USUAL_LOAD_FACTOR}; bytes: several)`,
      loadFactors,
    )
    .option(...PLUGIN)
    .option(...NATIVE)
    .optionsGroup("Workload:")
    .option("-n, --n <pairs>", "pairs, and retrievals (default: 2^24; software 2^16)", integer("--n", 1, 2 ** 32 - 2))
    .option("--datasets <name>", "the data set of the keys, one", text("--datasets"), "random")
    .option(
      "--positive-ratio <share>",
      `share of the retrievals whose key is present (default: ${POSITIVE_RATIO})`,
      number("--positive-ratio", 0, 1),
    )
    .option("--seed <u32>", "seed of keys, queries and hash constants", integer("--seed", 0, 2 ** 32 - 1), 1)
    .optionsGroup("Time:")
    .option(
      "--budget <time>",
      "time after which nothing more is begun: 90s, 15m, 2h (default: 2m)",
      duration("--budget"),
    )
    .option(...MAX_NOISE)
    .option(...CELL_TIMEOUT)
    .optionsGroup("Device:")
    .option(...DEVICE)
    .option(...NO_LARGE_PAGES)
    .optionsGroup("Output:")
    .option(OUT_FLAG, "results folder for the rows of all that was tried", path("--out"))
    .option("--force", "replace the results in --out")
    .option(...QUIET)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample: hashbench tune warpcore --positive-ratio 0.5 --budget 5m");

type Flags = FlagsOf<typeof declared>;

export function add(program: Command): void {
  declared(program).action(tuneCommand);
}

async function tuneCommand(id: string, flags: Flags): Promise<void> {
  const options = await checked(id, flags);
  const left = flags.out ? `what was tried is in ${flags.out}` : "nothing is kept without --out";
  const tuning = await interruptible(
    flags.quiet,
    () => left,
    (progress) => tune(options, progress),
  );
  console.log(flags.json ? JSON.stringify(record(options, tuning), null, 1) : report(options, tuning));
  const bad = [...tuning.facts.values()].filter(({ status }) => !["ok", "skipped"].includes(status)).length;
  if (bad > 0) throw new CellsFailed(`${bad} of ${tuning.tried.length} points failed; their reasons are above`);
  if (!tuning.best)
    throw new CellsFailed(
      tuning.complete ? "no point could be measured; the reasons are above" : "no point was measured within --budget",
    );
}

/** Finds all errors of the command line, before a device is opened. */
async function checked(id: string, flags: Flags): Promise<TuneOptions> {
  const { versions: _, ...tables } = await loadTables(flags);
  checkTables([id]);
  const type = tableType(id);
  const { objective } = flags;
  checkTunable(type, objective);
  if (flags.atLeast !== undefined && objective !== "bytes") throw new UsageError("--at-least is of --objective bytes");
  if (flags.positiveRatio !== undefined && objective === "insert")
    throw new UsageError("--positive-ratio is of retrievals, not of --objective insert");
  if (flags.force && !flags.out) throw new UsageError("--force needs --out, the folder whose results to replace");
  checkSettings([type], flags.param);
  const fixed = settingsFor(type, flags.param);
  const { maxLoadFactor } = configure(type, fixed);
  await validateDataset(flags.datasets);
  const space = {
    fixed,
    loadFactors: loadFactorsOf(type, flags, maxLoadFactor),
    ...(flags.vary ? { vary: flags.vary } : {}),
  };
  if (flags.out) {
    for (const folder of [flags.out, dirname(join(flags.out, "tune", id))]) checkOutFolder(folder, `--out ${folder}`);
    requireUnlocked(flags.out, `--out ${flags.out}`);
  }
  return {
    type,
    objective,
    start: startOf(type, space),
    dimensions: dimensionsOf(type, space),
    ...(flags.atLeast === undefined ? {} : { atLeast: flags.atLeast }),
    n: flags.n ?? null,
    dataset: flags.datasets,
    positiveRatio: flags.positiveRatio ?? POSITIVE_RATIO,
    seed: flags.seed,
    on: { device: flags.device, largePages: flags.largePages },
    workers: {
      ...tables,
      timeoutMs: flags.timeout * 1000,
      stopping: flags.maxNoise === undefined ? {} : { maxNoise: flags.maxNoise },
    },
    budgetMs: flags.budget ?? BUDGET_MS,
    out: flags.out ? resolve(flags.out) : null,
    force: flags.force ?? false,
  };
}

/** As they are given; else those that suit the objective, as far as the table takes them. The first has to be one that it takes. */
function loadFactorsOf(type: TableType, { loadFactor, objective }: Flags, most: number): readonly number[] {
  if (type.dense) {
    if (loadFactor) throw new UsageError(`--load-factor: ${type.id} has exactly one slot a pair`);
    return [];
  }
  const beyond = loadFactor?.[0];
  if (beyond !== undefined && beyond > most)
    throw new UsageError(`--load-factor ${beyond}: ${type.id} takes at most ${decimals(most, 3)}`);
  if (loadFactor) return [...new Set(loadFactor)];
  const usual = most < USUAL_LOAD_FACTOR ? rounded(USUAL_SHARE * most, 3) : USUAL_LOAD_FACTOR;
  return objective === "bytes" ? [...new Set([usual, ...LOAD_FACTORS])] : [usual];
}

/** The point as options of the command line that set it. */
function flagsOf({ params, loadFactor }: Point): string {
  const set = Object.entries(params).map(([name, value]) => `--param ${name}=${value}`);
  return [...set, ...(loadFactor === null ? [] : [`--load-factor ${loadFactor}`])].join(" ");
}

const NOT_FIRST =
  "The best is not the first line: their intervals overlap, and the search replaces a value only by one that is better beyond both intervals.";

function report({ type, dimensions, objective, start }: TuneOptions, tuning: Tuning): string {
  const { tried, best, complete, facts } = tuning;
  const usual: Readonly<Record<string, unknown>> = type.params;
  const { title, unit } = OBJECTIVES[objective];
  const rates = objective === "insert" ? "insertions, M op/s" : "retrievals, M op/s";
  const head = [...dimensions.map(({ name }) => name), rates, "±", "bytes per pair", ""];
  const rows = tried.map(({ point, result }) => {
    const { bytesPerPair, mops } = facts.get(pointKey(point)) ?? { bytesPerPair: null, mops: null };
    const values = dimensions.map(({ name }) =>
      String(name === LOAD_FACTOR ? point.loadFactor : (point.params[name] ?? usual[name])),
    );
    const scored = typeof result === "object" && objective !== "bytes";
    const half = scored ? `${decimals((50 * (result.hi - result.lo)) / result.value, 2)} %` : "";
    const marks = [
      pointKey(point) === pointKey(start) ? "start" : "",
      best && pointKey(point) === pointKey(best) ? "best" : "",
    ];
    const last = typeof result === "string" ? result : marks.filter(Boolean).join(", ");
    return [
      ...values,
      mops == null ? "" : formatNumber(mops),
      half,
      bytesPerPair == null ? "" : decimals(bytesPerPair, 2),
      last,
    ];
  });
  const scoreOf = (point: Point): number | null => {
    const result = tried.find((one) => pointKey(one.point) === pointKey(point))?.result;
    return typeof result === "object" ? result.value : null;
  };
  const [ours, before] = [best && scoreOf(best), scoreOf(start)];
  const factor = ours !== null && before !== null ? `, ${decimals(ours / before, 3)} times the start's` : "";
  const gain = best && pointKey(best) === pointKey(start) ? ", where the search began" : factor;
  return [
    columns(head, rows),
    "",
    ...(best && ours !== null
      ? [`best: ${flagsOf(best) || "the defaults"}: ${title} ${formatNumber(ours, 4)} ${unit}${gain}`]
      : []),
    ...(best && tried[0] && pointKey(tried[0].point) !== pointKey(best) ? [NOT_FIRST] : []),
    complete
      ? "No other value of one parameter is better beyond doubt."
      : "The time ended the search; --budget gives it more.",
  ].join("\n");
}

function record({ type, objective, dimensions, start }: TuneOptions, { tried, best, facts, ...rest }: Tuning): object {
  const { unit, prefers } = OBJECTIVES[objective];
  return {
    table: type.id,
    objective,
    unit,
    prefers,
    ...rest,
    start,
    best,
    dimensions,
    tried: tried.map(({ point, result }) => ({
      ...point,
      ...facts.get(pointKey(point)),
      ...(typeof result === "string" ? { reason: result } : result),
    })),
  };
}
