import { resolve } from "node:path";
import type { Command } from "commander";
import { allTables, tableType } from "../../kernels/index.js";
import { withDefaults } from "../../kernels/parameters.js";
import { chooseAdapter } from "../adapter/adapter.js";
import { AnswerIsNo } from "../errors.js";
import { loadPlugins } from "../plugins.js";
import { openPool } from "../run/open.js";
import { cases } from "../verify/cases.js";
import { checkTables, DEFAULT_LIMITS, number } from "./options.js";
import { checkSettings, setting, settingsFor } from "./params.js";

const SIGNS: Readonly<Record<string, string>> = { ok: "ok  ", skipped: "skip" };

interface Flags {
  device: string;
  robust: boolean;
  defaultLimits?: boolean;
  timeout: number;
  plugin: string[];
  param: ReturnType<typeof setting>;
  rounds: number;
  firstRound: number;
  json?: boolean;
}

export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("conformance of tables against a CPU oracle; exit code 1 if one is wrong")
    .argument("[tables...]", "tables to verify (all)")
    .option("--device <name>", "auto, software, lavapipe, swiftshader, or part of the adapter's name", "auto")
    .option("--no-robust", "switch Dawn's bounds clamps off, as timed runs do")
    .option(...DEFAULT_LIMITS)
    .option(
      "--timeout <seconds>",
      "a case of which no part (a round, a batch) ends for so long has failed",
      number("--timeout", 0, 86400, true),
      120,
    )
    .option(
      "--plugin <module>",
      "a module with more tables; may be repeated",
      (path, all: string[]) => [...all, path],
      [],
    )
    .option("--param <name=value>", "a parameter of all tables that have it; may be repeated", setting, [])
    .option(
      "--rounds <times>",
      "run the cases of random operations so often, each time with others; on a GPU a round of a table with mixed batches has 10^7 operations or more",
      number("--rounds", 1, 1_000_000),
      1,
    )
    .option(
      "--first-round <number>",
      "number of the first of these rounds: runs with others verify other operations",
      number("--first-round", 0, 1_000_000_000),
      0,
    )
    .option("--json", "JSON on stdout")
    .addHelpText("after", "\nExample: hashbench verify cuckoo bucketed --device software")
    .action(verifyCommand);
}

async function verifyCommand(ids: string[], flags: Flags): Promise<void> {
  await loadPlugins(flags.plugin);
  checkTables(ids);
  const chosen = ids.length > 0 ? ids.map(tableType) : allTables();
  checkSettings(chosen, flags.param);
  const preset = chosen.map((type) => {
    const params = settingsFor(type, flags.param);
    return { type: withDefaults(type, params), params };
  });
  const choice = await chooseAdapter({ device: flags.device });
  const pool = openPool(choice, {
    timeoutMs: flags.timeout * 1000,
    open: {
      adapter: choice.adapterFlag,
      robust: flags.robust,
      toggles: [],
      defaultLimits: flags.defaultLimits ?? false,
    },
    plugins: flags.plugin.map((path) => resolve(path)),
  });
  try {
    const device = await pool.device();
    if (!flags.json) console.log(`${device.name}, ${device.driver}`);
    const checks = preset.flatMap(({ type, params }) =>
      cases.map(({ name, applies }) => ({ table: type.id, name, params, inapplicable: applies(type) })),
    );
    const results: { table: string; case: string; status: string; reason: string; operations: number }[] = [];
    const rounds = { first: flags.firstRound, count: flags.rounds };
    const runnable = checks.filter(({ inapplicable }) => !inapplicable);
    await pool.check(
      runnable.map(({ table, name, params }) => ({ table, name, params, rounds })),
      async (index, { status, reason, operations }) => {
        const check = runnable[index];
        if (!check) return;
        results.push({ table: check.table, case: check.name, status, reason, operations });
        if (!flags.json)
          console.log(
            `${SIGNS[status] ?? "FAIL"} ${check.table}: ${check.name}${reason ? `: ${status}: ${reason}` : ""}`,
          );
      },
    );
    for (const { table, name, inapplicable } of checks) {
      if (!inapplicable) continue;
      results.push({ table, case: name, status: "skipped", reason: inapplicable, operations: 0 });
      if (!flags.json) console.log(`skip ${table}: ${name}: ${inapplicable}`);
    }
    const bad = results.filter(({ status }) => status !== "ok" && status !== "skipped").length;
    if (flags.json) console.log(JSON.stringify({ device, results }, null, 1));
    else {
      const operations = results.reduce((sum, one) => sum + one.operations, 0);
      console.log(`${results.length} cases, ${bad} failed; ${operations.toLocaleString("en-US")} operations checked`);
    }
    if (bad > 0) throw new AnswerIsNo(`${bad} of ${results.length} cases failed`);
  } finally {
    pool.stop();
  }
}
