/** What `explore` explored of tables: explored.json of a results folder, read by `list tables` and the report. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../datasets/files/paths.js";
import { packageRoot } from "../base/paths.js";
import { readJson } from "./read.js";

const EXPLORED_FILE = "explored.json";
const count = z.int().min(0);

const entrySchema = z.object({
  table: z.string(),
  commit: z.string(),
  time: z.iso.datetime(),
  lanes: count,
  memory: z.enum(["sc", "relaxed"]),
  cases: count,
  /** Cases of which all schedules with so many preemptions were explored, and those of which all were. */
  preemptions: count,
  bounded: count,
  whole: count,
  failed: count,
  schedules: count,
  seconds: z.number().min(0),
});
const exploredSchema = z.array(entrySchema);

/** Of a table: one number of lanes, one memory model. */
export type ExploredTable = z.infer<typeof entrySchema>;

/** Throws a UsageError of one line if the file is broken. */
export function readExplored(folder: string): readonly ExploredTable[] {
  const path = join(folder, EXPLORED_FILE);
  return existsSync(path) ? readJson(path, exploredSchema) : [];
}

/** Writes these beside what the file has of other tables, lanes and memories. */
export function writeExplored(folder: string, made: readonly ExploredTable[]): void {
  const keyOf = ({ table, lanes, memory }: ExploredTable) => JSON.stringify([table, lanes, memory]);
  const all = new Map([...readExplored(folder), ...made].map((one) => [keyOf(one), one]));
  const lines = [...all.values()].map((one) => `  ${JSON.stringify(one)}`);
  replaceFile(join(folder, EXPLORED_FILE), `[\n${lines.join(",\n")}\n]\n`);
}

/** Of the results that come with the package. */
export const keptExplored = (): readonly ExploredTable[] => readExplored(join(packageRoot, "results"));

export function exploredLine(one: ExploredTable): string {
  const { lanes, memory, cases, whole, bounded, preemptions, failed, commit } = one;
  const parts = [
    whole > 0 ? `${whole} in all schedules` : "",
    bounded > 0 ? `${bounded} up to ${preemptions} preemptions` : "",
    cases > whole + bounded + failed ? `${cases - whole - bounded - failed} in part` : "",
    failed > 0 ? `${failed} failed` : "",
  ];
  return `explored: ${lanes} lanes, memory ${memory}: ${cases} cases, ${parts.filter(Boolean).join(", ")} (${commit})`;
}
