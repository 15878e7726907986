import { expect, test } from "vitest";
import type { Check } from "./claim.js";
import { evaluate } from "./evaluate.js";
import type { Verdict } from "./score.js";
import { rowOf } from "./testing.js";

const known = { experiments: new Set(["gph/fig10"]), tables: new Set(["bucketed", "cuckoo"]) };
const rates = { "copy bandwidth": null, "random updates": null, "random reads": null };
const [of, over] = [{ table: "bucketed" }, { table: "cuckoo" }];

/** With the reads of the keys by which a correlation pairs its rows. */
test.each<[string, Check, number, Verdict]>([
  [
    "a quotient's two selections",
    { kind: "ratio", of, over, mean: "every", expect: { atLeast: 1 } },
    2 * 12,
    "undecided",
  ],
  ["an order's selections", { kind: "order", of: [of, over, of], mean: "every" }, 2 * 12, "undecided"],
  [
    "a correlation's two metrics",
    { kind: "correlation", of, x: "mops", y: "time", expect: { atLeast: 0 } },
    2 * 12 + 2 * 3,
    "reproduced",
  ],
])("%s are looked for among the rows once each", (_, check, expected, verdict) => {
  let reads = 0;
  const rows = ["bucketed", "cuckoo"].flatMap((table) =>
    [1, 2, 3].flatMap((n) =>
      ["mops", "time"].map((metric) =>
        Object.defineProperty(rowOf({ n, metric, value: n, lo: null, hi: null }), "table", {
          get() {
            reads++;
            return table;
          },
        }),
      ),
    ),
  );
  const claim = { id: "gph/fig10:x", experiment: "gph/fig10", text: "", paper: "", device: "Tesla V100S" } as const;
  expect(evaluate({ ...claim, check }, rows, rates, known).verdict).toBe(verdict);
  expect(reads).toBe(expected);
});
