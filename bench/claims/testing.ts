/** Claims and result rows for tests. */

import type { ResultRow } from "../results/record.js";
import { row } from "../results/testing.js";
import type { Claim } from "./claim.js";
import type { PaperDevice } from "./papers.js";
import { parseClaims } from "./parse.js";

/** A row of gph/fig10 with the given columns; its interval is ± 10 %. */
export function rowOf(columns: Partial<ResultRow>): ResultRow {
  const value = columns.value === undefined ? 1 : columns.value;
  return row({
    experiment: "gph/fig10",
    table: "",
    load_factor: null,
    positive_ratio: null,
    lo: value === null ? null : value * 0.9,
    hi: value === null ? null : value * 1.1,
    ...columns,
    value,
  });
}

/** A claim of gph/fig10 that says so much, and in further lines why not. */
export function stated(check: string, device: PaperDevice = "Tesla V100S", more = ""): Claim {
  const [claim] = parseClaims(`measured on ${device}\ngph/fig10:x ${check}\n    It is so.\n${more}`, "test").claims;
  if (!claim) throw new Error("no claim");
  return claim;
}
