import { expect, test } from "vitest";
import { ownTables, tableType } from "../../../kernels/index.js";
import type { Params, TableType } from "../../../kernels/table.js";
import { addPackageKernels } from "../../device/sources.js";
import { casesOf, type ExploreCase, kindsMeeting, similarTo } from "./cases.js";
import { Explorer } from "./explore.js";
import { counted, SHARING } from "./testing.js";

addPackageKernels();

/** For a case: schedules and endings. */
const BUDGET = 3000;
/** As many preemptions as there can be. */
const INFINITY = Number.POSITIVE_INFINITY;
/** Of many lanes with barriers, or of several dispatches: a schedule takes long. */
const FEW = 4;

/** By lanes, what they meet at: three at one key. Crowded tables and those that had erasures are explored by hand. */
const MEETING = [/^$/, /^$/, /(one key|keys of their own), (absent|present)$/, /one key, (absent|present)$/];
/** Its evictions have more schedules than the budget. */
const LONG = "insert insert, keys of their own, absent";

/** Misra's schedules of these with two preemptions are more than the budget: a few of them are tried. */
const MANY = /^insert insert (insert( mixed)?|erase mixed), one key, absent$/;

const builds = (type: TableType) => !type.incremental || type.id === "gph";
/** Their kernels are those of double-hashing, slab-hash and sorted-multivalue, but for a condition. */
const TWINS = ["crystal", "linear-probing", "slab-set", "sorted-compacting"];

type By = ExploreCase["by"];
const ALL: readonly By[] = ["kind", "mixed", "functions"];

/** Names of the cases that are explored up to the bound of preemptions, and of those that are not; all hold. */
async function explored(
  type: TableType,
  lanes: number,
  preemptions: number,
  ways = ALL,
  params: Params = {},
  keys?: readonly number[],
) {
  const settings = { preemptions, failures: 1, old: 2, relaxed: false };
  const explorer = new Explorer(type, settings, undefined, counted());
  const all: string[] = [];
  const part: string[] = [];
  for (const kinds of kindsMeeting(lanes).filter((some) => some.some((kind) => kind !== "find"))) {
    for (const one of casesOf(type, kinds, params)) {
      if (!ways.includes(one.by) || !MEETING[lanes]?.test(one.name)) continue;
      for (const placed of await explorer.placed(similarTo(one, keys))) {
        const few = builds(type) || (type.id === "misra" && MANY.test(one.name));
        const { failure, preemptions: most } = await explorer.explore(placed, few ? FEW : BUDGET);
        expect({ name: one.name, failure }).toEqual({ name: one.name, failure: undefined });
        (most >= preemptions ? all : part).push(one.name);
      }
    }
  }
  return { all, part };
}

test.each(ownTables.filter(({ id }) => !TWINS.includes(id)).map((type) => [type.id, type] as const))(
  "%s holds where two lanes meet, in all schedules",
  async (_, type) => {
    const { all, part } = await explored(type, 2, INFINITY);
    // Tables that take each key once have no case of one key, but mixed ones.
    expect(all.length + part.length > 0 || !type.duplicates).toBe(true);
    if (!builds(type)) expect(part.filter((name) => type.id !== "megakv" || name !== LONG)).toEqual([]);
  },
);

test.each(["bucketed", "double-hashing"])(
  "%s holds so where functions of the library meet in one kernel",
  async (id) => {
    const { all, part } = await explored(tableType(id), 2, INFINITY, ["functions"], { reuse: true });
    expect(all).toContain("insert find in one kernel, one key, absent");
    expect(part).toEqual([]);
  },
);

/** With `reuse` some cases have more schedules than the budget. */
test.each([
  ["linear-probing", {}, INFINITY],
  ["bucketed", { reuse: true }, 2],
  ["warpcore", { group: 2 }, 2],
])("%s with %o whose keys share a first word holds so", async (id, own, most) => {
  const params = { keyBytes: 8, ...own };
  const { all, part } = await explored(tableType(id), 2, most, ["kind"], params, SHARING);
  expect(all).toContain("insert insert, keys of their own, absent");
  expect(part).toEqual([]);
});

/** One of the tables of each kernel. */
const KERNELS = ["bucketed", "double-hashing", "quotient", "stash", "dycuckoo", "warpcore", "slab-hash", "misra"];

test.each(KERNELS)("%s holds where three lanes meet at one key, with two preemptions", async (id) => {
  const { all, part } = await explored(tableType(id), 3, 2, ["kind", "mixed"]);
  expect(all.length).toBeGreaterThan(0);
  expect(part.filter((name) => id !== "misra" || !MANY.test(name))).toEqual([]);
});
