import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { makeFolder, writeOut } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables } from "../../kernels/index.js";
import { packageRoot } from "../base/paths.js";
import { isTableId, TABLE_ID } from "../plugins/plugin-table.js";

/** Sound tables, a plug-in and a program; NAME and TITLE in names and texts of files stand for the new table's. */
const PLUGIN = join(packageRoot, "kernels", "template");
const NATIVE = join(packageRoot, "kernels", "native", "template");

interface Flags {
  readonly title?: string;
  readonly native?: boolean;
}

export function add(program: Command): void {
  program
    .command("new-table")
    .argument("<name>", "the table's id, and the folder that is made")
    .option("--title <text>", "what legends show (default: the name)")
    .option("--native", "a native table: a program in C++, for --native")
    .addHelpText("after", "\nExample: hashbench new-table my-table --title 'My table'")
    .action(newTable);
}

function newTable(name: string, { title = name, native = false }: Flags): void {
  if (!isTableId(name)) throw new UsageError(`${name}: a table's name is ${TABLE_ID}`);
  if (allTables().some(({ id }) => id === name)) throw new UsageError(`there is a table ${name} already`);
  if (!/^[\p{L}\p{N} .,()-]{1,60}$/u.test(title))
    throw new UsageError("--title: 1 to 60 letters, digits, spaces, and . , ( ) -");
  if (existsSync(name)) throw new UsageError(`${name} exists already`);
  makeFolder(name);
  const template = native ? NATIVE : PLUGIN;
  for (const file of readdirSync(template)) {
    const text = readFileSync(join(template, file), "utf8")
      .replaceAll("NAME", name)
      .replaceAll("TITLE", title)
      .replaceAll("HASHBENCH", dirname(NATIVE));
    writeOut(join(name, file.replace(/^table\./, `${name}.`)), text);
  }
  const option = native ? `--native ${name}/build` : `--plugin ${name}/${name}.mjs`;
  console.log(`${name}/ has a table that works. Try:`);
  if (native) console.log(`  cmake -S ${name} -B ${name}/build && cmake --build ${name}/build`);
  console.log(`  hashbench verify ${name} ${option}`);
  console.log(`  hashbench run tables/load-factor --tables ${name},double-hashing ${option} --out results/${name}`);
}
