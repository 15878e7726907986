import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { integer } from "./parsers.js";
import { program } from "./program.js";

test("the list of commands shows each as it is declared", async () => {
  const { commands } = await program();
  expect(commands.length).toBeGreaterThan(10);
  for (const listed of commands) {
    const own = (await program(listed.name())).commands.find((one) => one.name() === listed.name());
    expect(own?.name()).toBe(listed.name());
    expect(own?.description()).toBe(listed.description());
    expect(own?.options.length || own?.commands.length || own?.registeredArguments.length).toBeGreaterThan(0);
  }
});

test("a command's modules are loaded when it is used", () => {
  const text = readFileSync(join(packageRoot, "bench", "cli", "program.ts"), "utf8");
  expect([...text.matchAll(/^import .* from "(\.\/.*)"/gm)].map(([, path]) => path)).toEqual([
    "./help.js",
    "./open-files.js",
    "./status-line.js",
  ]);
});

test("help fits 80 columns, shows each default in one style, and says what exit codes mean", async () => {
  const names = (await program()).commands.map((one) => one.name());
  const commands = await Promise.all(
    names.map(async (name) => (await program(name)).commands.find((one) => one.name() === name)),
  );
  const all = [await program(), ...commands.flatMap((one) => (one ? [one, ...one.commands] : []))];
  for (const command of all) {
    let text = "";
    // What comes after the options is written, and is no part of helpInformation().
    command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
    command.outputHelp();
    for (const line of text.split("\n")) expect(line.length, `${command.name()}: ${line}`).toBeLessThanOrEqual(80);
    expect(text).not.toMatch(/default:\s(\[|""|\))/);
    if (command === all[0]) expect(text).toMatch(/^Exit codes of all commands:\n {2}0 /m);
    expect(text.match(/\((?!default:\s)[^()]*default:/g), command.name()).toBeNull();
  }
});

test.each([
  ["64k", 64_000],
  ["1.5M", 1_500_000],
  ["4Mi", 2 ** 22],
  ["2^20", 2 ** 20],
  ["1e6", 1_000_000],
])("--n %s is %d", (text, n) => {
  expect(integer("--n", 1, 2 ** 32)(text)).toBe(n);
});
