/** `hashbench completion`: what a shell runs once, and what it then asks for at each Tab. */
import type { Command } from "@commander-js/extra-typings";
import type { Command as AnyCommand } from "commander";
import { UsageError } from "../../kernels/device/errors.js";

const ASK = "hashbench completion words";
const BASH = `_hashbench() {
  local IFS=$'\\n'
  COMPREPLY=($(${ASK} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _hashbench hashbench`;
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: BASH,
  zsh: `autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${BASH}`,
  fish: `complete -c hashbench -a '(${ASK} -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

export function add(program: Command): void {
  program
    .command("completion")
    .argument("<shell>", "bash, zsh or fish")
    .argument("[words...]", "of `completion words`: the command line so far, of which the last word is completed")
    .addHelpText("after", '\nExample: eval "$(hashbench completion bash)" in ~/.bashrc')
    .action(async (shell, words) => {
      const script = SCRIPTS[shell];
      if (script) return console.log(script);
      if (shell !== "words") {
        throw new UsageError(`completion ${shell}: one of ${Object.keys(SCRIPTS).join(", ")} is wanted`);
      }
      for (const word of await completions(words)) console.log(word);
    });
}

/** What the last of the words may become. */
export async function completions(words: readonly string[]): Promise<string[]> {
  const [name = "", ...more] = words;
  const last = more.at(-1);
  const { program } = await import("./program.js");
  const all = (await program(name)) as AnyCommand;
  if (last === undefined)
    return beginning(
      all.commands.map((one) => one.name()),
      name,
    );
  const command = all.commands.find((one) => one.name() === name);
  if (!command) return [];
  if (last.startsWith("-"))
    return beginning(
      command.options.flatMap(({ long }) => long ?? []),
      last,
    );
  const before = more.at(-2) ?? "";
  const named = command.options.find(({ long, short }) => before === long || before === short);
  if (named?.required) return ofList((await VALUES[named.long ?? ""]?.()) ?? [], last);
  return beginning((await ARGUMENTS[name]?.()) ?? [], last);
}

function beginning(all: readonly string[], word: string): string[] {
  return all.filter((one) => one.startsWith(word));
}

/** The last item of `a,b,c`. */
function ofList(all: readonly string[], word: string): string[] {
  const done = word.slice(0, word.lastIndexOf(",") + 1);
  return beginning(all, word.slice(done.length)).map((one) => done + one);
}

const tables = async () => (await import("../../kernels/index.js")).allTables().map(({ id }) => id);
const experiments = async () => (await import("../experiments/index.js")).experiments.map(({ id }) => id);
const datasets = async () => (await import("../../datasets/index.js")).datasetList.map(({ pattern }) => pattern);

type Words = Readonly<Record<string, () => Promise<readonly string[]>>>;
const VALUES: Words = {
  "--tables": tables,
  "--ids": experiments,
  "--datasets": datasets,
  "--device": async () => ["auto", "software", "lavapipe", "swiftshader"],
};
const ARGUMENTS: Words = {
  run: experiments,
  verify: tables,
  tune: tables,
  list: async () => ["experiments", "tables", "datasets", "devices"],
};
