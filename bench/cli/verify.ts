import { availableParallelism } from "node:os";
import type { Command } from "@commander-js/extra-typings";
import { makeFolder } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { TableType } from "../../kernels/table.js";
import { AnswerIsNo } from "../base/errors.js";
import { count as counted, decimals, whole } from "../base/format.js";
import { isBrowser } from "../device/adapter/deno.js";
import { experiments } from "../experiments/index.js";
import { adapterName, deviceLine, isSameDevice, isSoftware } from "../results/device-name.js";
import type { RunInfo } from "../results/record.js";
import {
  keptVerified,
  requireVerifiedOf,
  secondsPerCase,
  type Verified,
  type VerifiedVariant,
  writeVerified,
} from "../results/verified.js";
import { checkTables } from "../run/names.js";
import { type OpenDevice, onDevice } from "../run/open.js";
import { runInfo } from "../run/run.js";
import { checkSettings, setting, settingsFor } from "../run/settings.js";
import { loadTables } from "../run/tables.js";
import { type CaseResult, type VariantPlan, verifyAll } from "../run/verify-all.js";
import { HOST, isOfDevice } from "../scenarios/allocation.js";
import { cases } from "../verify/index.js";
import { casesOf } from "../verify/plan.js";
import { chosenFor, hasDefaults, nameOf, type Variant, variantsOf } from "../verify/variants.js";
import {
  DEFAULT_LIMITS,
  DEVICE,
  type FlagsOf,
  JSON_FLAG,
  NATIVE,
  NO_LARGE_PAGES,
  NO_SUBGROUPS,
  OUT_FLAG,
  PLUGIN,
  timeout,
  WEBGPU,
} from "./options.js";
import { number } from "./parsers.js";
import { fitted } from "./status-line.js";
import { rangeText } from "./time-left.js";

const declared = (program: Command) =>
  program
    .command("verify")
    .argument("[tables...]", "tables to verify (default: all)")
    .option(...DEVICE)
    .option("--no-robust", "switch Dawn's bounds clamps off, as timed runs do")
    .option(...DEFAULT_LIMITS)
    .option(...NO_SUBGROUPS)
    .option(...NO_LARGE_PAGES)
    .option(...WEBGPU)
    .option(
      "--host-memory",
      "tables in host memory, which kernels reach across the bus: needs that layer; defaults and few other parameters, small tables; not with --out",
    )
    .option(...timeout("a case has failed if none of its parts (a round, a batch) ends for this long"))
    .option(...PLUGIN)
    .option(...NATIVE)
    .option(
      "--param <name=value>",
      "only this value, for all tables that have the parameter, else defaults; may be repeated",
      setting,
      [],
    )
    .option("--quick", "default parameters only, and no tables of 10^8 pairs: about a minute on lavapipe")
    .option(
      "--rounds <times>",
      "repeat the cases of random operations, each time with other operations",
      number("--rounds", 1, 1_000_000),
      1,
    )
    .option(
      "--first-round <number>",
      "number of the first of these rounds: another number verifies other operations",
      number("--first-round", 0, 1_000_000_000),
      0,
    )
    .option("--case <text>", "only cases whose names contain this; not with --out, which is a record of all")
    .option("--jobs <number>", "worker processes (default: half of the cores, 8 at most)", number("--jobs", 1, 256))
    .option(OUT_FLAG, "write what was verified to verified.json there, which `list` and `report` show")
    .option("--verbose", "a line for each case, not for each variant")
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample: hashbench verify cuckoo bucketed --device software");

type Flags = FlagsOf<typeof declared>;

export function add(program: Command): void {
  declared(program).action(verifyCommand);
}

/** Cases end in another order. */
const CASE_ORDER: ReadonlyMap<string, number> = new Map(cases.map(({ name }, i) => [name, i]));

async function verifyCommand(ids: string[], flags: Flags): Promise<void> {
  if (isBrowser(flags.webgpu)) throw new UsageError(`--webgpu ${flags.webgpu} measures; verify takes dawn or wgpu`);
  const paths = await loadTables(flags);
  checkTables(ids);
  const types = ids.length > 0 ? [...new Set(ids)].map(tableType) : allTables();
  checkSettings(types, flags.param);
  checkCase(flags);
  const jobs = flags.jobs ?? Math.min(MOST_JOBS, Math.max(1, Math.ceil(availableParallelism() / 2)));
  const workersFor = () => ({
    timeoutMs: flags.timeout * 1000,
    open: {
      robust: flags.robust,
      defaultLimits: flags.defaultLimits ?? false,
      subgroups: flags.subgroups,
      hostMemory: flags.hostMemory ?? false,
    },
    ...paths,
  });
  const { device, largePages, webgpu } = flags;
  await onDevice({ device, largePages, webgpu, workers: jobs }, workersFor, (opened) => verifyOn(opened, types, flags));
}

async function verifyOn({ device, notes, workers }: OpenDevice, types: readonly TableType[], flags: Flags) {
  for (const line of notes) console.error(fitted(line, process.stderr));
  if (flags.hostMemory && !isOfDevice({ params: HOST }, device))
    throw new UsageError(
      `--host-memory: ${device.name} is not opened with the Vulkan layer of bench/device/buffer-memory`,
    );
  const variants = chosenVariants(types, flags, device.software);
  const run = runInfo(device);
  const head = { schema: 1, device: run.device, driver: run.driver, dawn: run.dawn } as const;
  if (flags.out) makeFolder(flags.out);
  const before = flags.out ? requireVerifiedOf(flags.out, head) : null;
  if (!flags.json) say(deviceLine({ name: device.name, driver: device.driver }));
  const options = { software: device.software, asked: flags.param.length > 0, experiments };
  const plans: VariantPlan[] = variants.map((variant) => ({
    variant,
    cases: casesOf(variant, options).filter(
      ({ case: name, large }) => !((flags.quick || flags.hostMemory) && large) && name.includes(flags.case ?? ""),
    ),
  }));
  if (!flags.json) say(planLine(plans, device, flags.rounds, [...keptVerified(), ...(before ? [before] : [])]));
  const results = new Map<Variant, CaseResult[]>(variants.map((variant) => [variant, []]));
  const rounds = { first: flags.firstRound, count: flags.rounds };
  const ended = (variant: Variant, some: readonly CaseResult[], last: boolean) => {
    const all = results.get(variant) ?? [];
    all.push(...some);
    all.sort((a, b) => (CASE_ORDER.get(a.case) ?? 0) - (CASE_ORDER.get(b.case) ?? 0));
    // As each ends: a long run that is interrupted has said what it verified.
    if (last && flags.out) writeVerified(flags.out, { ...head, variants: [entryOf(variant, all, run)] });
    if (flags.json) return;
    for (const one of some) if (flags.verbose || isBad(one)) say(lineOf(one));
    if (last) say(summaryOf(variant, all));
  };
  const pools = workers.map(({ pool }) => pool);
  await verifyAll(pools, plans, rounds, ended, device.software ? SOFTWARE_VARIANTS : undefined);
  const all = variants.flatMap((variant) => results.get(variant) ?? []);
  if (flags.json) console.log(JSON.stringify({ device, results: all }, null, 1));
  conclude(all, plans.filter(({ cases }) => cases.length > 0).length, flags.json === true);
}

const say = (line: string) => console.log(fitted(line, process.stdout));

function inWords(variants: number, cases: number): string {
  return `${counted(variants, "variant")}, ${counted(cases, "case")}`;
}

/** What is to be done, and for how long by earlier verifications of this device, or of others of its kind. */
function planLine(
  plans: readonly VariantPlan[],
  { name, software }: DeviceInfo,
  rounds: number,
  known: readonly Verified[],
): string {
  const runnable = plans.map(({ cases }) => cases.filter(({ inapplicable }) => inapplicable === "").length);
  const all = runnable.reduce((sum, one) => sum + one, 0);
  const same = known.filter(({ device }) => isSameDevice(device, name));
  const told = same.length > 0 ? same : known.filter(({ device }) => isSoftware(device) === software);
  const paces = told.map(secondsPerCase).filter((seconds) => seconds > 0);
  const from = START_SECONDS + (all * Math.min(...paces)) / SPREAD;
  const time = rangeText({ from, to: START_SECONDS + all * rounds * Math.max(...paces) * SPREAD });
  const devices = [...new Set(told.map(({ device }) => adapterName(device)))].join(" and ");
  return `${inWords(runnable.filter((one) => one > 0).length, all)}: ${time}, by earlier runs on ${devices}`;
}

/** Workers open their devices. */
const START_SECONDS = 5;
/** Other cases, or fewer workers, may take this many times as long. */
const SPREAD = 2;

function checkCase({ case: text, out, hostMemory }: Flags): void {
  if (hostMemory && out !== undefined)
    throw new UsageError("--host-memory and --out: a record is of tables on the device");
  if (text === undefined) return;
  if (out !== undefined) throw new UsageError("--case and --out: a record is of all cases");
  if (!cases.some(({ name }) => name.includes(text)))
    throw new UsageError(`--case ${text}: no case has such a name; --verbose shows them`);
}

/** With --param that one of each table; else those that the kind of adapter has time for, or with --quick the defaults. */
function chosenVariants(
  types: readonly TableType[],
  { param, quick, hostMemory }: Flags,
  software: boolean,
): Variant[] {
  if (param.length > 0) {
    return types.map((type) => ({ table: type.id, host: false, params: settingsFor(type, param), timedBy: [] }));
  }
  const all = variantsOf(types, experiments, software);
  const onDevice = all.filter(({ host }) => !host);
  if (quick) return onDevice.filter(hasDefaults);
  return hostMemory ? chosenFor(onDevice, true) : chosenFor(all, software);
}

/** Workers; each has its device. The compilers and the host's comparisons take one core each. */
const MOST_JOBS = 8;
/**
 * A worker of a software adapter verifies so many variants: lavapipe maps memory for every descriptor set, Linux lets a process have 65,530
 * mappings, and two that verified all variants died after 80 to 120.
 */
const SOFTWARE_VARIANTS = 40;

const SIGNS: Readonly<Record<string, string>> = { ok: "ok  ", skipped: "skip", inapplicable: "-   " };
const isBad = ({ status }: CaseResult) => !["ok", "skipped", "inapplicable"].includes(status);
const count = (results: readonly CaseResult[], status: string) => results.filter((one) => one.status === status).length;
const sumOf = (results: readonly CaseResult[]) => results.reduce((sum, { operations }) => sum + operations, 0);

function lineOf(one: CaseResult): string {
  const { status, reason, seconds } = one;
  const took = status === "ok" ? `, ${decimals(seconds, 1)} s` : "";
  const said = reason ? `: ${isBad(one) ? `${status}: ` : ""}${reason}` : "";
  return `${SIGNS[status] ?? "FAIL"} ${nameOf(one)}: ${one.case}${said}${took}`;
}

function summaryOf(variant: Variant, results: readonly CaseResult[]): string {
  const bad = results.filter(isBad).length;
  const passed = count(results, "ok");
  if (bad > 0) return `FAIL ${nameOf(variant)}: ${bad} of ${bad + passed} cases`;
  if (passed === 0) return `skip ${nameOf(variant)}: ${whyNone(results)}`;
  const undecided = results.filter(({ status }) => status === "skipped");
  const others = undecided.length > 0 ? `; ${undecided.length} not decided here: ${undecided[0]?.reason}` : "";
  return `ok   ${nameOf(variant)}: ${passed} cases, ${whole(sumOf(results))} operations${others}`;
}

/** Why nothing was verified: what this adapter could not do, else why no case applies. */
function whyNone(results: readonly CaseResult[]): string {
  const reasonOf = (status: string) => results.find((one) => one.status === status)?.reason;
  return reasonOf("skipped") ?? reasonOf("inapplicable") ?? "there are no cases";
}

function entryOf(variant: Variant, results: readonly CaseResult[], { commit, toggles }: RunInfo): VerifiedVariant {
  const { table, host, params } = variant;
  const ok = count(results, "ok");
  const failure = results.find(isBad);
  return {
    table,
    host,
    params,
    commit,
    time: new Date().toISOString(),
    toggles,
    ok,
    failed: results.filter(isBad).length,
    skipped: count(results, "skipped"),
    operations: sumOf(results),
    reason: failure ? `${failure.case}: ${lineOnly(failure)}` : ok > 0 ? "" : whyNone(results),
  };
}

/** What went wrong, on one line. */
function lineOnly({ status, reason }: CaseResult): string {
  return `${status}${reason && `: ${reason}`}`.replace(/\p{Cc}+/gu, " ");
}

/** The last line. Throws AnswerIsNo if a case failed, or if nothing was verified. */
function conclude(results: readonly CaseResult[], variants: number, json: boolean): void {
  const bad = results.filter(isBad).length;
  const decided = count(results, "ok") + bad;
  const operations = sumOf(results);
  if (!json) say(`${inWords(variants, decided)}, ${bad} failed; ${whole(operations)} operations checked`);
  if (bad > 0) throw new AnswerIsNo(`${bad} of ${decided} cases failed`);
  if (operations === 0) throw new AnswerIsNo(`nothing was verified: ${whyNone(results)}`);
}
