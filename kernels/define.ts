/** Table types: what an author describes, with values of its parameters. */
import type { Declarations } from "./declare.js";
import { UsageError } from "./device/errors.js";
import { check } from "./parameters.js";
import type { Description, Params, TableType } from "./table.js";

/** The type of a table, with its parameters' defaults. */
export function defineTable<Own extends Declarations>(description: Description<Own>): TableType {
  // Only values that `description.parameters` gave are handed to its functions.
  return configured(description as unknown as Description, {});
}

/** The table with these parameters in place of those it has. Throws a UsageError if it has no such, or does not take the values together. */
export function configure(type: TableType, given: Params): TableType {
  if (Object.keys(given).length === 0) return type;
  check(type.id, type.parameters, given);
  const conflict = conflictOf(type, given);
  if (conflict) throw new UsageError(`${type.id}: ${conflict}`);
  return configured(type.description, { ...type.params, ...given });
}

/** Why these parameters do not go with one another and with the others that the table has; "" if they do. */
export function conflictOf({ description, params }: TableType, given: Params): string {
  return description.conflict?.(description.parameters.of({ ...params, ...given })) ?? "";
}

function configured(description: Description, given: Params): TableType {
  // What else there is says what the table is, whatever its parameters.
  const { parameters, configure: _, conflict: __, ...identity } = description;
  const own = parameters.of(given);
  const { sizing = {}, ...traits } = description.configure(own);
  return {
    ...identity,
    ...traits,
    dense: sizing.dense ?? false,
    ownSize: sizing.ownSize ?? false,
    thresholds: sizing.thresholds ?? [],
    held: sizing.held ?? traits.bytes,
    safeLoadFactor: traits.safeLoadFactor ?? traits.maxLoadFactor,
    refuses: traits.safeLoadFactor !== undefined,
    parameters: parameters.list,
    params: Object.fromEntries(parameters.list.map(({ name }) => [name, own[name] as Params[string]])),
    description,
  };
}
