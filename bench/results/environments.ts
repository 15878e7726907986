/**
 * environment.json of a results folder: by the id of each run what is known of it. Under `rows` it has the columns that are equal in all rows
 * of a run, or of one table in it; the folder's CSV files leave these out, and readers join the two.
 */

import { z } from "zod";
import { UsageError } from "../../kernels/device/errors.js";
import { groupBy } from "./group.js";
import { type ResultRow, RUN_COLUMNS, type RunColumn, rowSchema } from "./record.js";

const systemSchema = rowSchema.pick({ bench: true, table: true, api: true, system: true });
const sharedSchema = rowSchema.pick({ commit: true, device: true, driver: true, dawn: true, toggles: true }).extend({
  /** Of tables that WebGPU did not run, or of which something is known. */
  systems: z.array(systemSchema),
});
const environmentSchema = z.looseObject({ rows: sharedSchema.optional() });
export const environmentsSchema = z.record(z.string(), environmentSchema);

/** What is known of one run. */
export type Environment = Readonly<z.infer<typeof environmentSchema>>;
/** By run id. */
export type Environments = ReadonlyMap<string, Environment>;

type System = z.infer<typeof systemSchema>;
type Known = Readonly<Pick<ResultRow, "run" | "bench" | "table" | RunColumn>>;

/** How a table whose kernels WebGPU ran is described. */
export const OURS = { api: "webgpu", system: {} } as const;

/** The columns that a row leaves out; undefined where nothing is known of its run. */
export function sharedOf(
  environments: Environments,
  { run, bench, table }: Pick<ResultRow, "run" | "bench" | "table">,
): Pick<ResultRow, RunColumn> | undefined {
  const rows = environments.get(run)?.rows;
  if (!rows) return undefined;
  const { systems, ...columns } = rows;
  const { api, system } = systems.find((one) => one.bench === bench && one.table === table) ?? OURS;
  return { ...columns, api, system };
}

/**
 * The environments with what these rows say of their runs: the same map where that is known already. Throws a UsageError where two rows
 * of one run contradict each other.
 */
export function withRows(environments: Environments, rows: Iterable<Known>): Environments {
  const changed = new Map<string, Environment>();
  for (const [run, own] of groupBy(rows, (row) => row.run)) {
    const environment = environments.get(run) ?? {};
    const shared = sharedBy(environment.rows, own);
    if (shared !== environment.rows) changed.set(run, { ...environment, rows: shared });
  }
  return changed.size > 0 ? new Map([...environments, ...changed]) : environments;
}

/** The text of environment.json: the same for equal environments, in whatever order they came. */
export function environmentsText(environments: Environments): string {
  const runs = [...environments].sort(([a], [b]) => (a < b ? -1 : 1));
  const content = runs.map(([run, { rows, ...known }]) => [run, { ...known, rows }] as const);
  return `${JSON.stringify(Object.fromEntries(content), null, 1)}\n`;
}

type Shared = NonNullable<Environment["rows"]>;

function sharedBy(known: Shared | undefined, rows: readonly [Known, ...Known[]]): Shared {
  const [{ commit, device, driver, dawn, toggles }] = rows;
  const shared = known ?? { commit, device, driver, dawn, toggles, systems: [] };
  const systems = new Map<string, System>(shared.systems.map((one) => [placeOf(one), one]));
  for (const row of rows) {
    const { bench, table, api, system } = row;
    const place = placeOf(row);
    const said: Known = { ...row, ...shared, ...systems.get(place) };
    const differing = RUN_COLUMNS.find((column) => textOf(said[column]) !== textOf(row[column]));
    if (differing) throw new UsageError(`run ${row.run} has two values of ${differing} (${textOf(row[differing])})`);
    systems.set(place, { bench, table, api, system });
  }
  const told = [...systems].filter(([, { api, system }]) => api !== OURS.api || textOf(system) !== textOf(OURS.system));
  if (told.length === shared.systems.length && known) return known;
  return { ...shared, systems: told.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) };
}

function placeOf({ bench, table }: Pick<System, "bench" | "table">): string {
  return `${bench} ${table}`;
}

/** Equal for equal values. */
function textOf(value: Known[RunColumn]): string {
  return typeof value === "string" ? value : JSON.stringify(Object.fromEntries(Object.entries(value).sort()));
}
