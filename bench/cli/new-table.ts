import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { makeFolder, writeOut } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { allTables } from "../../kernels/index.js";
import { packageRoot } from "../paths.js";
import { isTableId, TABLE_ID } from "../plugin-table.js";

/** A sound table of one kernel an operation; NAME and TITLE in its files stand for the new table's. */
const TEMPLATE = join(packageRoot, "kernels", "template");

export function addNewTable(program: Command): void {
  program
    .command("new-table")
    .description("write the files of a new table, a plug-in: kernels that work, to be changed")
    .argument("<name>", "the table's id, and the folder that is made")
    .option("--title <text>", "what legends show (default: the name)")
    .addHelpText("after", "\nExample: hashbench new-table my-table --title 'My table'")
    .action((name: string, { title = name }: { title?: string }) => newTable(name, title));
}

function newTable(name: string, title: string): void {
  if (!isTableId(name)) throw new UsageError(`${name}: a table's name is ${TABLE_ID}`);
  if (allTables().some(({ id }) => id === name)) throw new UsageError(`there is a table ${name} already`);
  if (!/^[\p{L}\p{N} .,()-]{1,60}$/u.test(title))
    throw new UsageError("--title: 1 to 60 letters, digits, spaces, and . , ( ) -");
  if (existsSync(name)) throw new UsageError(`${name} exists already`);
  makeFolder(name);
  for (const file of readdirSync(TEMPLATE)) {
    const text = readFileSync(join(TEMPLATE, file), "utf8").replaceAll("NAME", name).replaceAll("TITLE", title);
    writeOut(join(name, file === "table.mjs" ? `${name}.mjs` : file), text);
  }
  const plugin = `--plugin ${name}/${name}.mjs`;
  console.log(`${name}/ has a table that works. Try:`);
  console.log(`  hashbench verify ${name} ${plugin}`);
  console.log(`  hashbench run tables/load-factor --tables ${name},double-hashing ${plugin} --out results/${name}`);
}
