/** For the tests of Stash: the tables with other defaults. */
import type { Scalar, TableType } from "../table.js";

/** The table with other defaults. */
export function preset(type: TableType, params: Readonly<Record<string, Scalar>>): TableType {
  // Tickets of one and of two bits may have no room for an access bit.
  const room = Number(params.ticket ?? 8) > (params.passed ? 2 : 1);
  const mixedParams = room ? { access: true } : { access: true, ticket: 4 };
  const create: TableType["create"] = (device, options) =>
    type.create(device, { ...options, params: { ...params, ...options.params } });
  return { ...type, mixedParams, create };
}
