/** The command line. One file a command; this one puts them together and turns errors into exit codes. */
import type { Command as TypedCommand } from "@commander-js/extra-typings";
import { Command, CommanderError } from "commander";
import { messageOf } from "../errors.js";
import { version } from "../paths.js";
import { oneLine } from "../results/line.js";
import { addBaseline } from "./baseline.js";
import { addCompare } from "./compare.js";
import { addData } from "./data.js";
import { addDevice } from "./device.js";
import { addHistory } from "./history.js";
import { addList } from "./list.js";
import { addMerge } from "./merge.js";
import { addNewTable } from "./new-table.js";
import { addPlot } from "./plot.js";
import { addReport } from "./report.js";
import { addRun } from "./run.js";
import { addServe } from "./serve.js";
import { addTune } from "./tune.js";
import { addVerify } from "./verify.js";

const EXIT_CODES = `
Exit codes: 0 fine, 1 the answer is no (a verification failed, something became worse), 2 bad usage, 3 no usable adapter,
4 some cells failed, or output could not be written (a full disk).`;

/** @param built manifests and folders that `run` takes where no --native is given */
export function program(built: readonly string[] = []): Command {
  const hashbench = new Command("hashbench")
    .description("Reproduces the experiments of five GPU hash-table papers on any WebGPU adapter.")
    .version(version)
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: (text, write) => write(`${wrongUsage(text)}\n`) })
    .addHelpText("afterAll", EXIT_CODES);
  // The same class, with types of what is declared.
  const typed = hashbench as unknown as TypedCommand;
  addRun(typed, built);
  for (const add of [
    addList,
    addDevice,
    addVerify,
    addCompare,
    addData,
    addMerge,
    addBaseline,
    addHistory,
    addPlot,
    addReport,
    addServe,
    addTune,
    addNewTable,
  ])
    add(typed);
  return hashbench;
}

/** What commander says about a wrong command line, as one line that says what would be right. */
function wrongUsage(text: string): string {
  const [error = "", ...more] = text.trim().split("\n");
  const hint = more.length > 0 ? more.join(" ").replace("Did you mean", "did you mean") : "(see --help)";
  return `${printable(error.replace(/^error:/, "hashbench:"))} ${hint}`;
}

/** An error as the one line that ends a command. */
export function errorLine(error: unknown): string {
  return `hashbench: ${printable(messageOf(error))}`;
}

/** Characters of a line that are shown. */
const SHOWN = 800;

/** One line for a terminal, whatever names and values went into it: of a very long one the beginning and the end. */
function printable(message: string): string {
  const line = oneLine(message);
  return line.length > SHOWN ? `${line.slice(0, SHOWN / 2)} … ${line.slice(-SHOWN / 2)}` : line;
}

/** Runs a command line; resolves to the exit code. Expected errors are one line on stderr. `built`: as `program` has it. */
export async function main(args: readonly string[], built: readonly string[] = []): Promise<number> {
  try {
    await program(built).parseAsync([...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const code = error instanceof Error && "exitCode" in error ? Number(error.exitCode) : 70;
    console.error(errorLine(error));
    if (code === 70 && process.env.HASHBENCH_DEBUG) console.error(error);
    return code;
  }
}
