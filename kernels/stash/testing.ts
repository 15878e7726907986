/** For the tests of Stash: the tables with other defaults. */
import type { Case } from "../../bench/verify/case.js";
import { configure } from "../define.js";
import type { Params, TableType } from "../table.js";
import { altered } from "../testing.js";
import { layoutOf } from "./layout.js";
import { parameters } from "./parameters.js";

/** The table with other defaults. */
export function preset(type: TableType, params: Params): TableType {
  // Tickets of one and of two bits may have no room for an access bit.
  const room = Number(params.ticket ?? 8) > (params.passed ? 2 : 1);
  const mixedParams = room ? { access: true } : { access: true, ticket: 4 };
  return { ...configure(type, params), mixedParams };
}

/** The table in so many banks, as on a device whose bindings are smaller; in fewer where it has not so many slots. */
export function inBanks(type: TableType, banks: number): TableType {
  return altered(type, ({ create }, params) => ({
    create(gpu, making) {
      const { slots, stride } = layoutOf(making.n, making.loadFactor, parameters.of(params));
      const value = Math.ceil(slots / banks) * stride;
      return create(banks > 1 ? Object.create(gpu, { maxBinding: { value } }) : gpu, making);
    },
  }));
}

const OF_BANKS = ["many pairs", "a random history", "a full table", "slices in which", "slices in the middle"];

/**
 * The cases in which every kernel looks for slots in every bank, the last one's last slot among them. A bank's size is a constant of the
 * kernels, so that each size of a table is compiled anew; races for a slot, wherever it is, are seen in one bank.
 */
export function ofBanks(cases: readonly Case[]): Case[] {
  return cases.filter(({ name }) => OF_BANKS.some((begin) => name.startsWith(begin)));
}
