/** The command line. One file a command, loaded when it is used; this one has the list of them and turns errors into exit codes. */
import type { Command as TypedCommand } from "@commander-js/extra-typings";
import { Command, CommanderError } from "commander";
import { messageOf } from "../base/errors.js";
import { versions } from "../results/environment.js";
import { oneLine } from "../results/line.js";
import { HELP } from "./help.js";
import { tooFewFiles } from "./open-files.js";
import { fitted } from "./status-line.js";

/** A command as the list of commands shows it. */
interface Listed {
  readonly name: string;
  readonly description: string;
  load(built: boolean): Promise<(program: TypedCommand) => void>;
}

const COMMANDS: readonly Listed[] = [
  {
    name: "run",
    description: "measure experiments; without an id, the tour: the device and one figure of each paper",
    load: async (built) => {
      const { addRun } = await import("./run.js");
      return (hashbench) => addRun(hashbench, built);
    },
  },
  {
    name: "list",
    description: "list experiments, tables, data sets and devices; with names, show their details",
    load: async () => (await import("./list.js")).addList,
  },
  {
    name: "device",
    description: "show the adapter that would be used: driver, features, limits, toggles; test its clock",
    load: async () => (await import("./device.js")).addDevice,
  },
  {
    name: "verify",
    description:
      "compare tables with an oracle on the CPU, with all parameters that an experiment times; exit code 1 if one is wrong",
    load: async () => (await import("./verify.js")).addVerify,
  },
  {
    name: "explore",
    description:
      "every order in which a few lanes may access the words of a table, on an interpreter; exit code 1 with a trace if one is wrong",
    load: async () => (await import("./explore.js")).addExplore,
  },
  {
    name: "compare",
    description:
      "say whether the second results are worse than the first; exit code 1 if so, or if no time and no counter of work was compared",
    load: async () => (await import("./compare.js")).addCompare,
  },
  {
    name: "data",
    description: "generate a data set: lineitem's columns, or any data set's keys",
    load: async () => (await import("./data.js")).addData,
  },
  {
    name: "merge",
    description: "join results folders, such as the shards of a sweep, into one; of a single folder, a compact copy",
    load: async () => (await import("./merge.js")).addMerge,
  },
  {
    name: "baseline",
    description: "save results to compare with: the last runs of each cell, by device",
    load: async () => (await import("./baseline.js")).addBaseline,
  },
  {
    name: "history",
    description: "keep rates and counters of every run, by device, and show when they changed",
    load: async () => (await import("./history.js")).addHistory,
  },
  {
    name: "plot",
    description: "draw the figures of a results folder, or of several in one plot",
    load: async () => (await import("./plot.js")).addPlot,
  },
  {
    name: "report",
    description: "write claims, verdicts and figures as one offline HTML page, or as Markdown; rank several devices",
    load: async () => (await import("./report.js")).addReport,
  },
  {
    name: "artifact",
    description:
      "print for evaluators, as Markdown, which claims each experiment answers, its seconds, inputs and verdicts",
    load: async () => (await import("./artifact.js")).addArtifact,
  },
  {
    name: "serve",
    description:
      "serve a page that measures in a browser with the same code; for this machine alone, or as files for a web host",
    load: async () => (await import("./serve.js")).addServe,
  },
  {
    name: "tune",
    description: "search the parameters of a table for the best on the device at hand",
    load: async () => (await import("./tune.js")).addTune,
  },
  {
    name: "new-table",
    description: "write the files of a new table that works, to be changed: a plug-in with kernels, or a program",
    load: async () => (await import("./new-table.js")).addNewTable,
  },
  {
    name: "completion",
    description: "print what makes a shell complete commands, options and names",
    load: async () => (await import("./completion.js")).addCompletion,
  },
];

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
  for (const { name, description, load } of COMMANDS) {
    // The same class, with types of what is declared.
    if (name === named) (await load(built))(hashbench as unknown as TypedCommand);
    else hashbench.command(name);
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
