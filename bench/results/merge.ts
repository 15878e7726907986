/** Joins results folders, such as the shards of a sweep, into one. */

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { UsageError } from "../../kernels/device/errors.js";
import { type Configuration, difference } from "./configuration.js";
import type { Environment } from "./environments.js";
import { compareStored, type StoredCell, type StoredFolder } from "./folder.js";
import { groupBy } from "./group.js";
import { environmentKey, rowWords } from "./key.js";
import { UNFINISHED } from "./names.js";
import { byAge } from "./newest.js";
import { isFinal } from "./record.js";

/**
 * All cells of the folders, each once. Throws a UsageError of one line where the folders were not measured alike, or hold
 * different results of one cell in one environment. The order of the folders makes no difference.
 * @param allow members of the configuration, of {@link PLACE}, in which folders of one device may differ
 */
export function merge(folders: readonly StoredFolder[], allow: readonly string[] = []): Omit<StoredFolder, "path"> {
  const configurations = jointConfigurations(folders, allow);
  const { environments, folders: parts } = withUniqueRuns(folders);
  const cells = [...slots(parts).values()].flatMap(settle).sort(compareStored);
  return { configuration: configurationOf(configurations, cells), environments, cells };
}

// Configurations

/** The part of a configuration that says on what it ran. */
const PLACE = ["device", "driver", "toggles"];

/**
 * One configuration a device, or a driver or set of toggles of it, where they may differ. All its inputs must have the same one, apart
 * from the shard and from experiments that only one of them has; inputs of different devices must have been asked for the same.
 */
function jointConfigurations(folders: readonly StoredFolder[], allow: readonly string[]): Configuration[] {
  const all = folders.flatMap(({ path, configuration }) => {
    // A merged folder of several environments lists their configurations.
    const { merged } = configuration;
    return (Array.isArray(merged) ? (merged as Configuration[]) : [configuration]).map((one) => ({ path, one }));
  });
  uniteExperiments(all);
  unitePlugins(all);
  const apart = PLACE.filter((name) => name === "device" || allow.includes(name));
  const byDevice = groupBy(all, ({ one }) => apart.map((name) => String(one[name])).join("\n"));
  for (const [first, ...others] of byDevice.values()) {
    for (const other of others) if (first) requireEqual(first, other, ["shard"]);
  }
  const firsts = [...byDevice.values()].flatMap(([first]) => first ?? []);
  const [first, ...others] = firsts.map(({ path, one }) => ({ path, one: asked(one) }));
  for (const other of others) if (first) requireEqual(first, other, ["shard", ...PLACE]);
  return [...byDevice]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [one, ...more]]) => {
      const same = more.every((other) => isDeepStrictEqual(other.one.shard, one?.one.shard));
      return same ? (one?.one ?? {}) : { ...one?.one, shard: null };
    });
}

/** Gives whole sweeps of one device, which no shard is of, the experiments of all of them, each with its scale. */
function uniteExperiments(all: Placed[]): void {
  for (const group of groupBy(all, ({ one }) => String(one.device)).values()) {
    const lists = group.map(({ one }) => one.experiments);
    if (!lists.every(Array.isArray) || group.some(({ one }) => one.shard != null)) continue;
    if (lists.every((list) => isDeepStrictEqual(list, lists[0]))) continue;
    const united = unite(lists.flat().map((one: { id: string }) => [one.id, one]));
    if (united) for (const placed of group) placed.one = { ...placed.one, experiments: united.map(([, one]) => one) };
  }
}

/** Gives all the plug-ins that any of them had, unless two had one of different versions. */
function unitePlugins(all: readonly Placed[]): void {
  const united = unite(all.flatMap(({ one }) => Object.entries(one.plugins ?? {})));
  if (!united?.length) return;
  for (const placed of all) placed.one = { ...placed.one, plugins: Object.fromEntries(united) };
}

/** Each name once, in an order that is not the folders'; null where two of one name differ. */
function unite(entries: readonly (readonly [name: string, value: unknown])[]) {
  const united = new Map(entries);
  if (entries.some(([name, value]) => !isDeepStrictEqual(united.get(name), value))) return null;
  return [...united].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** --quick chooses the scale by the kind of device. */
function asked(one: Configuration): Configuration {
  if (one.quick !== true || !Array.isArray(one.experiments)) return one;
  return { ...one, experiments: one.experiments.map(({ id }: { id: unknown }) => id) };
}

interface Placed {
  readonly path: string;
  one: Configuration;
}

function requireEqual(a: Placed, b: Placed, except: readonly string[]): void {
  const change = difference([a.one, `in ${a.path}`], [b.one, `in ${b.path}`], except);
  if (change === undefined) return;
  const allowed = PLACE.find((name) => !except.includes(name) && change.startsWith(`${name}: `));
  const remedy = allowed ? `; --allow ${allowed} accepts that` : "";
  throw new UsageError(`the folders were not measured alike (${change}); merge joins shards of one sweep${remedy}`);
}

/**
 * That of run.json. A folder with every cell once, of one device, can be resumed like any other; else the configurations
 * are listed, which no run equals.
 */
function configurationOf(all: readonly Configuration[], cells: readonly StoredCell[]): Configuration {
  const [only] = all;
  const once = new Set(cells.map(({ key }) => key)).size === cells.length;
  return only && all.length === 1 && once ? only : { merged: all };
}

// Runs

/**
 * Runs of different folders are told apart where they began in the same second and so have one id: by a suffix made from their
 * environments, which hold the time to the millisecond. The same run in two folders stays one.
 */
export function withUniqueRuns(folders: readonly StoredFolder[]): {
  environments: Map<string, Environment>;
  folders: StoredFolder[];
} {
  const identities = folders.map(identitiesOf);
  const byId = groupBy(
    new Map(identities.flatMap((own) => [...own.values()]).map((one) => [one.text, one])).values(),
    ({ id }) => id,
  );
  const unique = ({ id, text }: RunIdentity): string => {
    const shared = (byId.get(id)?.length ?? 1) > 1;
    return shared ? `${id}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}` : id;
  };
  const environments = new Map<string, Environment>();
  const renamed = folders.map((folder, i) => {
    const names = new Map([...(identities[i] ?? [])].map(([run, identity]) => [run, unique(identity)]));
    const name = (run: string): string => names.get(run) ?? run;
    for (const [run, environment] of folder.environments)
      environments.set(name(run), name(run) === run ? environment : { run, ...environment });
    const cells = folder.cells.map((cell): StoredCell => {
      const [first, ...more] = cell.rows.map((row) => ({ ...row, run: name(row.run) }));
      return first ? { ...cell, rows: [first, ...more] } : cell;
    });
    return { ...folder, cells };
  });
  return { environments, folders: renamed };
}

interface RunIdentity {
  /** As the run called itself. */
  readonly id: string;
  /** What stays equal while the run goes on. */
  readonly text: string;
}

function identitiesOf({ environments, cells }: StoredFolder): Map<string, RunIdentity> {
  const runs = new Set([...environments.keys(), ...cells.map(({ rows: [row] }) => row.run)]);
  return new Map(
    [...runs].map((run) => {
      const { rows, seconds: _, [UNFINISHED]: __, ...environment } = environments.get(run) ?? {};
      const id = typeof environment.run === "string" ? environment.run : run;
      const known = { run, ...environment };
      return [run, { id, text: JSON.stringify([known, { ...rows, systems: [] }]) }];
    }),
  );
}

// Cells

interface Candidate {
  readonly cell: StoredCell;
  readonly folder: StoredFolder;
}

/** What there is about each cell in each environment. */
function slots(folders: readonly StoredFolder[]): Map<string, Candidate[]> {
  const all = folders.flatMap((folder) => folder.cells.map((cell) => ({ cell, folder })));
  return groupBy(all, ({ cell }) => `${environmentKey(cell.rows[0])}\n${cell.key}`);
}

/** The cells that stay of one slot: one, or the several runs that a single folder has of it. */
function settle(candidates: readonly Candidate[]): StoredCell[] {
  const distinct: { cell: StoredCell; readonly folders: StoredFolder[] }[] = [];
  for (const { cell, folder } of candidates) {
    const twin = distinct.find((one) => isSame(one.cell, cell));
    if (!twin) {
      distinct.push({ cell, folders: [folder] });
      continue;
    }
    twin.folders.push(folder);
    if (!twin.cell.samples) twin.cell = cell;
  }
  const final = distinct.filter(({ cell }) => isFinal(cell.rows[0].status));
  const [first, ...others] = final;
  if (!first) {
    const [newest] = distinct.map(({ cell }) => cell).sort((a, b) => byAge(b.rows[0], a.rows[0]));
    return newest ? [newest] : [];
  }
  const together = first.folders.some((folder) => final.every(({ folders }) => folders.includes(folder)));
  if (!together) {
    const other = others.find(({ cell }) => cell.file !== first.cell.file)?.cell.file;
    const files = `${first.cell.file} and ${other}`;
    throw new UsageError(`${files} hold different results of one cell: ${rowWords(first.cell.rows[0])}`);
  }
  return final.map(({ cell }) => cell);
}

/** Where the samples were deleted in one folder, the rows decide. */
function isSame(a: StoredCell, b: StoredCell): boolean {
  const samples = !a.samples || !b.samples || isDeepStrictEqual(a.samples, b.samples);
  return samples && isDeepStrictEqual(a.rows, b.rows);
}
