/** Claims and result rows for tests. */

import type { ResultRow } from "../results/record.js";
import { row } from "../results/testing.js";
import type { Claim } from "./claim.js";
import { evaluate, type Known } from "./evaluate.js";
import type { DeviceRates } from "./numbers.js";
import type { PaperDevice } from "./papers.js";
import { parseClaims } from "./parse.js";
import type { Score } from "./score.js";

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

export const KNOWN: Known = {
  experiments: new Map([
    ["gph/fig10", []],
    ["device/limits", []],
  ]),
  tables: new Set(["bucketed", "cuckoo"]),
  originals: { cuckoo: "cudpp-cuckoo", warpcore: "warpcore-cuda" },
  software: false,
};
export const RATES: DeviceRates = { "copy bandwidth": 2268, "random updates": 3350, "random reads": 2600 };
export const UNMEASURED: DeviceRates = { "copy bandwidth": null, "random updates": null, "random reads": null };

/** What rows say of it. */
export function score(claim: string | Claim, rows: readonly ResultRow[], rates: DeviceRates = RATES): Score {
  return evaluate(typeof claim === "string" ? stated(claim) : claim, rows, rates, KNOWN);
}
