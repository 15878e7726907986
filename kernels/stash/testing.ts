/** For the tests of Stash: the tables with other defaults. */
import { altered, configure } from "../define.js";
import type { Params, TableType } from "../table.js";

/** The table with other defaults. */
export function preset(type: TableType, params: Params): TableType {
  // Tickets of one and of two bits may have no room for an access bit.
  const room = Number(params.ticket ?? 8) > (params.passed ? 2 : 1);
  const mixedParams = room ? { access: true } : { access: true, ticket: 4 };
  return { ...configure(type, params), mixedParams };
}

/** The table on a device whose bindings have that many bytes at most. */
export function inBanks(type: TableType, bytes: number): TableType {
  return altered(type, ({ create }) => ({
    create: (gpu, making) => create(Object.create(gpu, { maxBinding: { value: bytes } }), making),
  }));
}
