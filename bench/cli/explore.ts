import type { Command } from "@commander-js/extra-typings";
import { makeFolder } from "../../datasets/files/paths.js";
import { uniform } from "../../datasets/rng.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables, tableType } from "../../kernels/index.js";
import type { TableType } from "../../kernels/table.js";
import { columns } from "../base/document.js";
import { AnswerIsNo } from "../base/errors.js";
import { decimals, whole } from "../base/format.js";
import { addPackageKernels } from "../device/sources.js";
import { commitOfRun } from "../results/environment.js";
import { type ExploredTable, writeExplored } from "../results/explored.js";
import { checkTables } from "../run/names.js";
import { checkSettings, setting, settingsFor } from "../run/settings.js";
import { loadTables } from "../run/tables.js";
import { casesOf, KINDS, type Kind, kindsMeeting, similarTo } from "../verify/explore/cases.js";
import { Explorer } from "../verify/explore/explore.js";
import type { Explored, Exploring, Schedule, Settings } from "../verify/explore/exploring.js";
import { QUERIES, QUERY_NAMES, QueryExplorer } from "../verify/explore/queries.js";
import { scheduleOf, textOfSchedule } from "../verify/explore/schedule.js";
import type { Access } from "../verify/explore/watched.js";
import { type FlagsOf, JSON_FLAG, OUT_FLAG, PLUGIN } from "./options.js";
import { duration, number, oneOf, someOf, text } from "./parsers.js";

const MEMORIES = ["sc", "relaxed"] as const;
const BUDGET_MS = 60_000;
/** For a case, whatever is left. */
const LEAST_MS = 100;
/** Weak compare-exchanges that fail without a reason, and loads that see an old value, of a schedule. */
const FAILURES = 1;
const OLD = 2;

const declared = (program: Command) =>
  program
    .command("explore")
    .argument("[tables...]", `tables to explore (default: all), or of ${QUERY_NAMES.join(", ")}, whose cases are given`)
    .option("--lanes <number>", "operations that meet: all combinations of so many kinds", number("--lanes", 2, 4), 2)
    .option("--ops <list>", `only these, one a lane: ${KINDS.join(", ")}`, someOf("--ops", KINDS))
    .option(
      "--preemptions <number>",
      "lanes that are interrupted in a schedule, at most",
      number("--preemptions", 0, 99),
      3,
    )
    .option(
      "--memory <model>",
      "sc: a load sees the newest value; relaxed: any that WGSL's memory model allows",
      oneOf("--memory", MEMORIES),
      "sc" as const,
    )
    .option("--budget <time>", "time for all cases together: 90s, 15m (default: 60s)", duration("--budget"))
    .option(
      "--random <schedules>",
      "so many random schedules per dispatch, without a bound",
      number("--random", 1, 1e9),
    )
    .option("--seed <number>", "of --random", number("--seed", 0, 2 ** 32 - 1), 1)
    .option("--param <name=value>", "a parameter of tables that have it; may be repeated", setting, [])
    .option(
      "--replay <schedule>",
      "repeat the schedule of a failure; with the options that it was found with",
      text("--replay"),
    )
    .option(...PLUGIN)
    .option(
      OUT_FLAG,
      "write what was explored to explored.json there; `list tables` and `report` show that of results/",
    )
    .option(...JSON_FLAG)
    .addHelpText(
      "after",
      "\nExamples: hashbench explore double-hashing\n          hashbench explore stash --ops insert,find --memory relaxed",
    );

type Flags = FlagsOf<typeof declared>;

export function add(program: Command): void {
  declared(program).action(exploreCommand);
}

/** A case as it is explored. */
interface Place {
  readonly name: string;
  explore(budget: number): Promise<Explored>;
  replay(schedule: Schedule): Promise<{ why: string | null; trace: Access[] }>;
}

/** A case of a table, or of a query. */
interface Subject {
  readonly table: string;
  readonly name: string;
  /** Of a table: what the lanes do. */
  readonly ops: readonly Kind[];
  places(): Promise<readonly Place[]>;
}

interface Result extends Explored, Pick<Subject, "table" | "ops" | "name"> {
  readonly seconds: number;
}

async function exploreCommand(ids: string[], flags: Flags): Promise<void> {
  await loadTables({ plugin: flags.plugin, native: [] });
  addPackageKernels();
  const queries = QUERY_NAMES.filter((id) => ids.includes(id));
  const named = [...new Set(ids)].filter((id) => !queries.includes(id));
  checkTables(named);
  const types = ids.length > 0 ? named.map(tableType) : allTables().filter(({ api }) => api === undefined);
  checkSettings(types, flags.param);
  const native = types.find(({ api }) => api !== undefined);
  if (native) throw new UsageError(`${native.id} is no table in WGSL`);
  const subjects = [...types.flatMap((type) => ofTable(type, flags)), ...ofQueries(queries, flags)];
  if (flags.replay !== undefined) {
    if (types.length + queries.length !== 1 || (types.length > 0 && !flags.ops))
      throw new UsageError("--replay is of one table, and of --ops");
    return replay(subjects, flags, flags.replay);
  }
  if (flags.out) makeFolder(flags.out);
  const results = await exploreAll(subjects, flags);
  if (flags.out)
    writeExplored(
      flags.out,
      [...types.map(({ id }) => id), ...queries].map((id) => entryOf(id, results, flags)),
    );
  if (flags.json) console.log(JSON.stringify(results.map(jsonOf), null, 1));
  const failed = results.filter(({ failure }) => failure).length;
  if (!flags.json) console.log(`${results.length} cases, ${failed} failed`);
  if (failed > 0) throw new AnswerIsNo(`${failed} of ${results.length} cases failed`);
  if (results.length === 0) throw new AnswerIsNo("nothing was explored: the tables have no such operations");
}

function settingsOf({ preemptions, memory, random, seed }: Flags): Settings {
  return {
    preemptions,
    failures: FAILURES,
    old: OLD,
    relaxed: memory === "relaxed",
    ...(random !== undefined && { random: { count: random, draw: uniform(seed) } }),
  };
}

function placeOf<One>(explorer: Exploring<One>, one: One, name: string): Place {
  return {
    name,
    explore: (budget) => explorer.explore(one, budget),
    replay: (schedule) => explorer.replay(one, schedule),
  };
}

const APART = ", in warps of their own";

function ofTable(type: TableType, flags: Flags): Subject[] {
  const explorer = new Explorer(type, settingsOf(flags));
  const meeting = flags.ops ? [flags.ops] : kindsMeeting(flags.lanes);
  const cases = meeting.flatMap((ops) => casesOf(type, ops, settingsFor(type, flags.param)));
  return cases.map((one) => ({
    table: type.id,
    name: one.name,
    ops: one.operations.map(({ kind }) => kind),
    places: async () =>
      (await explorer.placed(similarTo(one))).map((placed) =>
        placeOf(explorer, placed, `${placed.name}${placed.apart > 1 ? APART : ""}`),
      ),
  }));
}

function ofQueries(queries: readonly string[], flags: Flags): Subject[] {
  const explorer = new QueryExplorer(settingsOf(flags));
  return QUERIES.filter(({ query }) => queries.includes(query)).map((one) => ({
    table: one.query,
    name: one.name,
    ops: [],
    places: async () => [placeOf(explorer, one, one.name)],
  }));
}

async function exploreAll(subjects: readonly Subject[], flags: Flags): Promise<Result[]> {
  const end = performance.now() + (flags.budget ?? BUDGET_MS);
  const results: Result[] = [];
  for (const [i, { table, ops, places }] of subjects.entries()) {
    const share = Math.max(LEAST_MS, (end - performance.now()) / (subjects.length - i));
    for (const { name, explore } of await places()) {
      const begin = performance.now();
      const explored = await explore(share);
      const result = { ...explored, table, ops, name, seconds: (performance.now() - begin) / 1000 };
      results.push(result);
      if (!flags.json) console.log(lineOf(result, flags));
    }
  }
  return results;
}

function extentOf({ preemptions }: Explored): string {
  if (preemptions < 0) return "some schedules";
  return Number.isFinite(preemptions) ? `all with ${preemptions} preemptions` : "all schedules";
}

function lineOf(result: Result, flags: Flags): string {
  const { table, name, ops, schedules, states, seconds, failure } = result;
  const counts = `${whole(schedules)} schedules, ${whole(states)} states, ${decimals(seconds, 2)} s`;
  const head = `${failure ? "FAIL" : "ok  "} ${table}: ${name}: ${counts}`;
  if (!failure) return `${head}: holds (${extentOf(result)})`;
  const memory = flags.memory === "relaxed" ? " --memory relaxed" : "";
  const params = flags.param.map(({ name, text }) => ` --param ${name}=${text}`).join("");
  const of = ops.length > 0 ? ` --ops ${ops.join()}` : "";
  const replay = `hashbench explore ${table}${of}${memory}${params} --replay "${replayOf(name, failure.schedule)}"`;
  return `${head}\n${failure.why}\n${traceOf(failure.trace)}\nagain: ${replay}`;
}

/** Accesses to words that several lanes use, in their order. */
function traceOf(trace: readonly Access[]): string {
  const lines = trace.map(({ lane, place, operation, word, old, next }) => {
    const change = old === next ? hexOf(old) : `${hexOf(old)} -> ${hexOf(next)}`;
    return [`  lane ${lane}`, place, operation, word, change];
  });
  return columns(["  lane", "line", "access", "word", "value"], lines);
}

const hexOf = (word: number): string => (word < 65_536 ? String(word) : `0x${word.toString(16)}`);

const replayOf = (name: string, schedule: Schedule): string => `${name}: ${textOfSchedule(schedule)}`;

async function replay(subjects: readonly Subject[], flags: Flags, text: string): Promise<void> {
  const [, name = "", steps = ""] = /^(.*): (\S*)$/.exec(text) ?? [];
  const unknown = (known: readonly { readonly name: string }[]) =>
    new UsageError(`--replay: no case ${name}; there are ${known.map((one) => one.name).join("; ")}`);
  const own = subjects.find((each) => name.startsWith(each.name) && ["", APART].includes(name.slice(each.name.length)));
  if (!own) throw unknown(subjects);
  const places = await own.places();
  const one = places.find((each) => each.name === name);
  if (!one) throw unknown(places);
  const { why, trace } = await one.replay(scheduleOf(steps));
  if (flags.json) console.log(JSON.stringify({ why, trace }, null, 1));
  else console.log(`${traceOf(trace)}\n${why ?? "holds"}`);
  if (why !== null) throw new AnswerIsNo(why);
}

function jsonOf({ table, name, ops: _, failure, preemptions, ...counts }: Result) {
  const { trace, schedule, why } = failure ?? {};
  return {
    table,
    case: name,
    ...counts,
    preemptions: preemptions < 0 ? null : Number.isFinite(preemptions) ? preemptions : "all",
    ...(schedule && { failure: { why, trace, replay: replayOf(name, schedule) } }),
  };
}

function entryOf(id: string, results: readonly Result[], flags: Flags): ExploredTable {
  const own = results.filter(({ table }) => table === id);
  const held = own.filter(({ failure }) => !failure);
  const sum = (of: (one: Result) => number) => own.reduce((total, one) => total + of(one), 0);
  return {
    table: id,
    commit: commitOfRun(),
    time: new Date().toISOString(),
    lanes: flags.ops?.length ?? flags.lanes,
    memory: flags.memory,
    cases: own.length,
    preemptions: flags.preemptions,
    bounded: held.filter(({ preemptions }) => preemptions === flags.preemptions).length,
    whole: held.filter(({ preemptions }) => preemptions === Number.POSITIVE_INFINITY).length,
    failed: own.length - held.length,
    schedules: sum(({ schedules }) => schedules),
    seconds: Math.round(sum(({ seconds }) => seconds) * 10) / 10,
  };
}
