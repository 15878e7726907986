import { expect, test } from "vitest";
import { ownTables } from "../../../kernels/index.js";
import { addPackageKernels } from "../../device/sources.js";
import { casesOf, KINDS, similarTo } from "./cases.js";
import { Explorer } from "./explore.js";

addPackageKernels();

const tables = ownTables;
/** For a case; most take less. */
const BUDGET_MS = 300;
const PAIRS = KINDS.flatMap((one, i) => KINDS.slice(i).map((other) => [one, other])).filter((pair) =>
  pair.some((kind) => kind !== "find"),
);

test.each(tables.map((type) => [type.id, type] as const))(
  "%s holds where two lanes meet at one key",
  async (_, type) => {
    const explorer = new Explorer(type, { preemptions: 3, failures: 1, old: 2, relaxed: false });
    let schedules = 0;
    for (const kinds of PAIRS) {
      for (const one of casesOf(type, kinds).filter(({ name }) => /one key, (absent|present)$/.test(name))) {
        for (const placed of await explorer.placed(similarTo(one))) {
          const explored = await explorer.explore(placed, BUDGET_MS);
          expect({ name: one.name, failure: explored.failure }).toEqual({ name: one.name, failure: undefined });
          schedules += explored.schedules;
        }
      }
    }
    // Tables that take each key once have no case of one key, but mixed ones.
    expect(schedules > 1 || !type.duplicates).toBe(true);
  },
);
