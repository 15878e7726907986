/** Conformance: what every table has to do right. Every module in cases/ has some of the cases, so that a new one needs no list. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Case } from "./case.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "cases");

const files = readdirSync(folder).filter((name) => /\.[jt]s$/.test(name) && !/\.(test|d)\.[jt]s$/.test(name));

const loaded: readonly { readonly cases: readonly Case[] }[] = await Promise.all(
  files.sort().map((name) => import(pathToFileURL(join(folder, name)).href)),
);

/** In the order of the files' names. */
export const cases: readonly Case[] = loaded.flatMap((module) => module.cases);
