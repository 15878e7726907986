/** How `--help` shows commands and options: in 80 columns, each default in one style. */
import type { Help, Option } from "commander";

export const HELP: Partial<Help> = {
  subcommandTerm: (command) => command.name(),
  optionDescription: describeOption,
};

/** The description and the default, if there is one that says something. */
function describeOption({ description, defaultValue, negate }: Option): string {
  const says = Array.isArray(defaultValue) ? defaultValue.length > 0 : (defaultValue ?? "") !== "";
  return says && !negate ? `${description} (default: ${defaultValue})` : description;
}
