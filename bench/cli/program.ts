/** The command line. One file a command, loaded when it is used; this one has the list of them and turns errors into exit codes. */
import type { Command as TypedCommand } from "@commander-js/extra-typings";
import { Command, CommanderError } from "commander";
import { messageOf } from "../base/errors.js";
import { versions } from "../results/environment.js";
import { oneLine } from "../results/line.js";
import { HELP } from "./help.js";
import { tooFewFiles } from "./open-files.js";
import { fitted } from "./status-line.js";

/** What each command does, as the list of commands shows it. A command's file has its name. */
const COMMANDS: Readonly<Record<string, string>> = {
  run: "measure experiments; without an id, the tour: the device and one figure of each paper",
  list: "list experiments, tables, data sets and devices; with names, show their details",
  device: "show the adapter that would be used: driver, features, limits, toggles; test its clock",
  verify:
    "compare tables with an oracle on the CPU, with all parameters that an experiment times; exit code 1 if one is wrong",
  explore:
    "every order in which a few lanes may access the words of a table, on an interpreter; exit code 1 with a trace if one is wrong",
  compare:
    "say whether the second results are worse than the first; exit code 1 if so, or if no time and no counter of work was compared",
  data: "generate a data set: lineitem's columns, or any data set's keys",
  merge: "join results folders, such as the shards of a sweep, into one; of a single folder, a compact copy",
  baseline: "save results to compare with: the last runs of each cell, by device",
  history: "keep rates and counters of every run, by device, and show when they changed",
  plot: "draw the figures of a results folder, or of several in one plot",
  report: "write claims, verdicts and figures as one offline HTML page, or as Markdown; rank several devices",
  artifact: "print for evaluators, as Markdown, which claims each experiment answers, its seconds, inputs and verdicts",
  serve:
    "serve a page that measures in a browser with the same code; for this machine alone, or as files for a web host",
  tune: "search the parameters of a table for the best on the device at hand",
  "new-table": "write the files of a new table that works, to be changed: a plug-in with kernels, or a program",
  completion: "print what makes a shell complete commands, options and names",
};

/** What the file of a command exports. */
interface CommandFile {
  /** Declares it. @param built as `program` has it */
  add(program: TypedCommand, built: boolean): void;
}

const EXIT_CODES = `
Exit codes of all commands:
  0    fine
  1    the answer is no: a verification failed, something became worse, or
       nothing could be compared
  2    bad usage
  3    no usable adapter
  4    some cells failed, or output could not be written (a full disk)
  70   an error in the code of a plug-in, or in hashbench
  130  interrupted by Ctrl-C (143: by SIGTERM)
  141  the reader of the output went away`;

/**
 * With the named command declared, and the others listed.
 * @param built whether `run` takes the native tables of build/native where no --native is given
 */
export async function program(named?: string, built = false): Promise<Command> {
  const hashbench = new Command("hashbench")
    .description("Reproduces the experiments of five GPU hash-table papers on any WebGPU adapter.")
    .option("-V, --version", "versions of hashbench, Dawn and Node")
    .on("option:version", () => {
      console.log(versions());
      throw new CommanderError(0, "commander.version", "");
    })
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: (text, write) => write(`${wrongUsage(text)}\n`) })
    .configureHelp(HELP)
    .addHelpText("after", EXIT_CODES);
  for (const [name, description] of Object.entries(COMMANDS)) {
    if (name === named) {
      const { add }: CommandFile = await import(/* @vite-ignore */ `./${name}.js`);
      // The same class, with types of what is declared.
      add(hashbench as unknown as TypedCommand, built);
    } else hashbench.command(name);
    hashbench.commands.at(-1)?.description(description);
  }
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
export async function main(args: readonly string[], built = false): Promise<number> {
  try {
    const [first, second] = args.filter((arg) => !arg.startsWith("-"));
    const hashbench = await program(first === "help" ? second : first, built);
    await hashbench.parseAsync(first === undefined && args[0] === "-v" ? ["--version"] : [...args], { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    // As where the first modules cannot be opened: main.ts says it.
    if (tooFewFiles(error)) throw error;
    const code = error instanceof Error && "exitCode" in error ? Number(error.exitCode) : 70;
    console.error(fitted(errorLine(error), process.stderr));
    if (code === 70 && process.env.HASHBENCH_DEBUG) console.error(error);
    return code;
  }
}
