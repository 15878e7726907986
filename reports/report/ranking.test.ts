import { describe, expect, test } from "vitest";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { columnsOf } from "./columns.js";
import { byShare, rankings } from "./ranking.js";
import { syntheticFleet } from "./testing.js";

/** A cell with its rate and its share of the limit. */
function cell(changes: Partial<ResultRow>, mops: number, share: number): ResultRow[] {
  return [row({ ...changes, value: mops }), row({ ...changes, metric: "limit_share", unit: "ratio", value: share })];
}

const ranked = (rows: readonly ResultRow[]) => rankings(columnsOf(rows));

describe("a ranking of devices", () => {
  test("has them by rate, and by share of the limit", () => {
    const [one, ...others] = ranked([
      ...cell({ device: "slow" }, 100, 0.9),
      ...cell({ device: "fast" }, 300, 0.5),
      ...cell({ device: "middle" }, 200, 0.7),
    ]);
    expect(others).toEqual([]);
    expect(one?.places.map(({ mops }) => mops)).toEqual([300, 200, 100]);
    expect(byShare(one?.places ?? []).map(({ column }) => column)).toEqual([0, 2, 1]);
  });

  test("is of the setting that most devices have, then of the load factor nearest to 0.8, at each device's largest n", () => {
    const [one] = ranked([
      ...cell({ device: "a", load_factor: 0.5, n: 9000 }, 900, 1),
      ...cell({ device: "a", n: 1000 }, 100, 1),
      ...cell({ device: "a", n: 2000 }, 110, 1),
      ...cell({ device: "b", n: 500 }, 50, 1),
      ...cell({ device: "b", load_factor: 0.9 }, 40, 1),
      ...cell({ device: "a", load_factor: 0.9 }, 40, 1),
    ]);
    expect(one?.setting).toBe("gph/test, random, load factor 0.8");
    expect(one?.places).toEqual([
      { column: 0, mops: 110, share: 1, n: 2000 },
      { column: 1, mops: 50, share: 1, n: 500 },
    ]);
  });

  test("takes devices that were asked for other numbers of keys as of one setting", () => {
    const [one] = ranked(
      [100, 200].flatMap((lookups) => cell({ device: `of ${lookups}`, params: { lookups, slots: 4 } }, lookups, 1)),
    );
    expect(one?.setting).toBe("gph/test, random, load factor 0.8, slots 4");
    expect(one?.places).toHaveLength(2);
  });

  test("is there for each table, operation and share of present keys, and for none that a single device has", () => {
    const both = ["a", "b"].flatMap((device) => [
      ...cell({ device }, 1, 1),
      ...cell({ device, positive_ratio: 0.5 }, 1, 1),
      ...cell({ device, op: "insert", positive_ratio: null }, 1, 1),
    ]);
    const all = ranked([...both, ...cell({ device: "a", table: "cuckoo" }, 1, 1)]);
    expect(all.map(({ operation }) => operation)).toEqual(["find, 100 % present", "find, 50 % present", "insert"]);
    expect(ranked(cell({ device: "a" }, 1, 1))).toEqual([]);
  });

  test("of a synthetic fleet is in the order of its times", () => {
    const [one] = ranked(syntheticFleet(cell({}, 100, 0.8), 20));
    expect(one?.places.map(({ column }) => column)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});
