/** Which shards of a sweep results folders hold: which are missing, which were measured elsewhere, which did not come to their end. */
import { z } from "zod";
import { UsageError } from "../../kernels/device/errors.js";
import { AnswerIsNo } from "../base/errors.js";
import type { Environment } from "./environments.js";
import type { StoredCell, StoredFolder } from "./folder.js";
import { groupBy } from "./group.js";
import { compare } from "./key.js";
import { UNFINISHED } from "./names.js";

/** What has to be equal for shards to be of one sweep, and so for their cells to stand in one figure. */
export const OF_ONE_SWEEP = ["device", "driver", "dawn", "toggles", "commit"] as const;
export type OfOneSweep = (typeof OF_ONE_SWEEP)[number];

const shardSchema = z.object({ index: z.number().int().positive(), count: z.number().int().positive() });
type Shard = z.infer<typeof shardSchema>;

/** What was measured together: a shard, or, where it is null, whole experiments. */
interface Part {
  readonly path: string;
  readonly shard: Shard | null;
  readonly environments: readonly Environment[];
  readonly cells: readonly StoredCell[];
  /** Values of each column; none where the shard had no cells, as one beyond the last cell. */
  facts(column: OfOneSweep): readonly string[];
}

interface Accepted {
  /** Sets that lack some of their shards. */
  readonly partial: boolean;
  /** What shards of one sweep may differ in. */
  readonly allow: readonly OfOneSweep[];
}

/**
 * Throws where the shards in the folders are no whole sweep: an AnswerIsNo that names those that are missing, a UsageError where
 * the others were measured in another environment or by another commit. Folders that are no shards pass.
 */
export function checkShards(folders: readonly StoredFolder[], { partial, allow }: Accepted): void {
  const columns = OF_ONE_SWEEP.filter((column) => !allow.includes(column));
  const shards = folders.flatMap(partsOf).filter(({ shard }) => shard !== null);
  for (const [count, parts] of groupBy(shards, ({ shard }) => String(shard?.count))) {
    const [empty, measured] = [parts.filter(isEmpty), parts.filter((part) => !isEmpty(part))];
    const absentOf = (some: readonly Part[]): number[] => missing([...some, ...empty], Number(count));
    const sweeps = [...groupBy(measured, (part) => columns.map((c) => part.facts(c).join(" ")).join("\n")).values()];
    const incomplete = sweeps.filter((own) => absentOf(own).length > 0);
    requireOneSweep(incomplete, columns);
    const [first = sweeps.length > 0 ? undefined : []] = incomplete;
    if (!first || partial) continue;
    const absent = absentOf(first);
    if (absent.length === 0) continue;
    const name = absent.length === 1 ? `shard ${absent[0]} of ${count} is` : `shards ${listed(absent)} of ${count} are`;
    throw new AnswerIsNo(`${name} missing; --partial merges the others`);
  }
}

/** Two machines that measured different shards have half a sweep each. Two that measured the same ones have a sweep of their own each. */
function requireOneSweep(incomplete: readonly (readonly Part[])[], columns: readonly OfOneSweep[]): void {
  for (const [i, a] of incomplete.entries()) {
    for (const b of incomplete.slice(i + 1)) {
      const [one, other] = [a[0], b[0]];
      if (!one || !other || a.some(({ shard }) => b.some((part) => part.shard?.index === shard?.index))) continue;
      const column = columns.find((c) => one.facts(c).join(" ") !== other.facts(c).join(" "));
      if (!column) continue;
      const sides = [one, other].map((part) => `${part.facts(column).join(" and ") || "none"} in ${part.path}`);
      throw new UsageError(
        `shards of one sweep differ in ${column} (${sides.join(", ")}); measure them alike, or give --allow ${column}`,
      );
    }
  }
}

/**
 * A line for each shard, or whole folder, that has cells which may be measured again or went wrong, or whose last run did not
 * come to its end. Skipped cells are an answer: the table does not fit there.
 */
export function unfinished(folders: readonly StoredFolder[]): string[] {
  return folders.flatMap(partsOf).flatMap((part) => {
    const { shard, path, cells, environments } = part;
    const bad = cells.map(({ rows: [row] }) => row.status).filter((status) => status !== "ok" && status !== "skipped");
    const counts = [...groupBy(bad, (status) => status)].map(([status, own]) => `${own.length} ${status}`);
    const dated = environments.filter(({ date }) => date !== undefined);
    const last = dated.toSorted((a, b) => compare(String(a.date), String(b.date))).at(-1);
    const cutOff = last !== undefined && (last.seconds === undefined || last[UNFINISHED] === true);
    const what = [
      ...(counts.length > 0 ? [`cells that are not ok: ${counts.join(", ")}`] : []),
      ...(cutOff ? ["its run was cut off, or goes on still; run --resume completes it"] : []),
    ];
    const name = shard ? `shard ${shard.index}/${shard.count} in ${path}` : path;
    return what.length > 0 ? [`${name}: ${what.join("; ")}`] : [];
  });
}

/**
 * A folder's shard is in its configuration. The shards that `merge` joined are told apart by the environments of their runs; a run
 * of all cells that went on there has measured what they lacked.
 */
function partsOf(folder: StoredFolder): Part[] {
  const { path, configuration, environments, cells } = folder;
  const shardOf = (run: string): Shard | null => shardSchema.safeParse(environments.get(run)?.shard).data ?? null;
  const runs = [...new Set([...environments.keys(), ...cells.map(({ rows: [row] }) => row.run)])];
  const own = shardSchema.safeParse(configuration.shard).data ?? null;
  const joined = own === null && runs.every((run) => shardOf(run) !== null);
  const part = (shard: Shard | null, some: readonly string[]): Part => {
    const ofPart = cells.filter(({ rows: [row] }) => some.includes(row.run));
    const known = some.map((run) => environments.get(run)).filter((one) => one !== undefined);
    const facts = (column: OfOneSweep) => [...new Set(ofPart.map(({ rows: [row] }) => row[column]))].sort();
    return { path, shard, environments: known, cells: ofPart, facts };
  };
  if (!joined) return [part(own, runs)];
  return [...groupBy(runs, (run) => JSON.stringify(shardOf(run)))].map(([shard, some]) =>
    part(shardSchema.parse(JSON.parse(shard)), some),
  );
}

function isEmpty({ cells }: Part): boolean {
  return cells.length === 0;
}

function missing(parts: readonly Part[], count: number): number[] {
  const there = new Set(parts.map(({ shard }) => shard?.index));
  return Array.from({ length: count }, (_, i) => i + 1).filter((index) => !there.has(index));
}

/** `1, 2 and 4`. */
function listed(items: readonly number[]): string {
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
