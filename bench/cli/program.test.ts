import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { program } from "./program.js";

test("the list of commands shows each as it is declared", async () => {
  const { commands } = await program();
  expect(commands.length).toBeGreaterThan(10);
  for (const listed of commands) {
    const own = (await program(listed.name())).commands.find((one) => one.name() === listed.name());
    expect(`${own?.name()} ${own?.usage()}`).toBe(`${listed.name()} ${listed.usage()}`);
    expect(own?.description()).toBe(listed.description());
    expect(own?.options.length || own?.commands.length, listed.name()).toBeGreaterThan(0);
  }
});

test("a command's modules are loaded when it is used", () => {
  const text = readFileSync(join(packageRoot, "bench", "cli", "program.ts"), "utf8");
  expect([...text.matchAll(/^import .* from "(\.\/.*)"/gm)].map(([, path]) => path)).toEqual(["./open-files.js"]);
});
