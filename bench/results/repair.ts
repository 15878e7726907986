/** Puts the files of a run that may have been killed in order, before the run goes on. */

import { existsSync, rmSync } from "node:fs";
import { replaceFile } from "../../datasets/files/paths.js";
import { fileText } from "./csv.js";
import { packedSamplesFile, presentSamplesFile } from "./files.js";
import { groupBy } from "./group.js";
import { rowKey } from "./key.js";
import { samplesFile } from "./names.js";
import { readText, rowsIn } from "./read.js";
import { isFinal, type ResultRow } from "./record.js";
import { parseSamples, type SamplesLine, samplesText } from "./samples.js";

/**
 * Drops from a CSV and its samples what a killed run left half done, cells to be tried again and those for which `drop` holds.
 * Only the last cell can be half written: a cell's samples line, which says how many rows the cell has, is on disk
 * before its rows, and these are before the next cell's. Compressed samples, which nothing can be appended to, are
 * unpacked. Returns the keys of the cells that stay. Throws a UsageError for
 * a file that is broken in any other way.
 * @param note takes the rows that stay before their file is rewritten without what the environment.json has
 */
export function repair(
  csv: string,
  note: (rows: readonly ResultRow[]) => void,
  drop: (key: string) => boolean = () => false,
): string[] {
  const samplesPath = samplesFile(csv);
  const present = presentSamplesFile(csv);
  const samplesBefore = present ? readText(present) : "";
  const before = existsSync(csv) ? readText(csv) : "";
  const { lines, complete } = stored(csv, before, samplesBefore);
  const kept = complete.filter(([key]) => !drop(key));
  if (kept.length === 0) {
    rmSync(csv, { force: true });
    rmSync(samplesPath, { force: true });
    rmSync(packedSamplesFile(csv), { force: true });
    return [];
  }
  const rows = kept.flatMap(([, own]) => own);
  note(rows);
  const after = fileText(rows);
  if (after !== before) replaceFile(csv, after);
  const samplesAfter = kept.flatMap(([key]) => lines.get(key) ?? []).map(samplesText);
  const unpacks = present === packedSamplesFile(csv);
  if (unpacks || samplesAfter.join("") !== samplesBefore) replaceFile(samplesPath, samplesAfter.join(""));
  rmSync(packedSamplesFile(csv), { force: true });
  return kept.map(([key]) => key);
}

/** The keys of the cells that `repair` would keep. Changes nothing, and throws as it does. */
export function completeCells(csv: string): string[] {
  const present = presentSamplesFile(csv);
  return stored(csv, readText(csv), present ? readText(present) : "").complete.map(([key]) => key);
}

function stored(csv: string, text: string, samples: string) {
  const file = presentSamplesFile(csv) ?? samplesFile(csv);
  const lines = new Map(parseSamples(samples, file).map((line) => [line.key, line]));
  const cells = [...cellsOf(text, csv)];
  const complete = cells.filter(([key, rows], i) => {
    const final = rows.every(({ status }) => isFinal(status));
    return final && isComplete(rows, lines.get(key), i === cells.length - 1);
  });
  return { lines, complete };
}

function cellsOf(text: string, csv: string): Map<string, ResultRow[]> {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return groupBy(whole === "" ? [] : rowsIn(csv, whole), rowKey);
}

/** Where the samples were deleted, the last cell is taken to be half written. */
function isComplete(rows: readonly ResultRow[], line: SamplesLine | undefined, last: boolean): boolean {
  return line ? rows.length === line.rows && rows.every(({ run }) => run === line.run) : !last;
}
