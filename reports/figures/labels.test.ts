import { describe, expect, test } from "vitest";
import type { PaperValue } from "../../bench/base/experiment.js";
import { row } from "../../bench/results/testing.js";
import { experiment, specOf, threeRows } from "./testing.js";

interface Name {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  /** The colour around it, where it is the ground that the name stands on. */
  readonly halo: string | null;
}

interface Layer {
  readonly mark: { readonly type: string };
  readonly data?: { readonly values?: readonly Name[] };
}

/** The first panel's names of this text. */
function named(text: string, ...args: Parameters<typeof specOf>): Name[] {
  const { vconcat } = specOf(...args) as unknown as { vconcat: [{ concat: [{ layer: Layer[] }] }] };
  const layers = vconcat[0].concat[0].layer.filter(({ mark }) => mark.type === "text");
  return layers.flatMap(({ data }) => data?.values ?? []).filter((name) => name.text === text);
}

/** Where it stands. */
function corner(text: string, ...args: Parameters<typeof specOf>): [x: number, y: number] {
  const { x, y } = named(text, ...args)[0] as Name;
  return [x, y];
}

const line = (value: number): PaperValue => ({ label: "a line", value });

describe("the name of a line", () => {
  test("is written twice, the first time as its own ground", () => {
    const names = named("paper: a line", experiment({}, { paper: [line(150)] }), threeRows());
    expect(names.map(({ halo }) => halo !== null)).toEqual([true, false]);
  });

  test("gives way to points that stand side by side", () => {
    // One x: three series at a sixth, a half and five sixths of the band, all just above the line.
    const series = ["a", "b", "c"].map((table) => ({ table }));
    const rows = series.map(({ table }) => row({ table, value: 160 }));
    const paper = [{ label: "a line with quite a long name", value: 150 }];
    const [x, y] = corner("paper: a line with quite a long name", experiment({ series }, { paper }), rows);
    const above = y < 300 * (1 - 150 / 200);
    const centres = [1, 3, 5].map((sixth) => 520 * (0.1 + (0.8 * sixth) / 6));
    const hides = centres.some((centre) => centre > x - 4 && centre < x + 150);
    expect(above && hides).toBe(false);
  });

  test("stands within a band that has room, where lines run along both its sides", () => {
    const [a, b] = ["a", "b"];
    const rows = [...threeRows({ table: a, value: 195 }), ...threeRows({ table: b, value: 95 })].map((r) => ({
      ...r,
      value: r.table === a ? 195 : 95,
    }));
    const paper = [{ label: "a band", from: 100, to: 190 }];
    const [, y] = corner("paper: a band", experiment({ series: [{ table: a }, { table: b }] }, { paper }), rows);
    expect(y).toBeGreaterThan(300 * (1 - 190 / 200));
    expect(y).toBeLessThan(300 * (1 - 100 / 200) - 10);
  });
});

test("the name of a limit above the axis gives way to a line that runs along the top", () => {
  const limits = threeRows().map((r) => ({ ...r, metric: "limit_mops", value: 9000 }));
  const place = (values: readonly number[]) =>
    corner("limit 9,000, lookups of 128 B (above the axis)", experiment({}, { beside: { limit: true } }), [
      ...threeRows().map((r, i) => ({ ...r, value: values[i] ?? 0 })),
      ...limits,
    ]);
  const [right] = place([95, 20, 20]);
  const [left] = place([20, 95, 95]);
  expect(right).toBeGreaterThan(260);
  expect(left).toBeLessThan(right);
});

describe("the name of a limit", () => {
  /** Left of this a name is not at the end of its line. */
  const END = 470;
  /** They declare no access, which the name would have. */
  const series = [{ table: "a" }, { table: "b" }];
  /** On an axis that ends at 200; the lines above and below take the end of the limit. */
  const draw = (text: string, limit: readonly number[], crowded: boolean) => {
    // Of a table that declares no access.
    const limits = threeRows({ table: "a" }).map((r, i) => ({ ...r, metric: "limit_mops", value: limit[i] ?? 0 }));
    const around = crowded ? { a: [190, 150, 106], b: [20, 20, 94] } : { a: [190, 20, 20], b: [20, 20, 20] };
    const points = Object.entries(around).flatMap(([table, values]) =>
      threeRows({ table }).map((r, i) => ({ ...r, value: values[i] ?? 0 })),
    );
    return named(text, experiment({ series }, { beside: { limit: true } }), [...points, ...limits])[0]?.x;
  };

  test("stands at the end of its line with the number there", () => {
    expect(draw("limit 100", [190, 150, 100], false)).toBeGreaterThan(END);
  });

  test("goes along a falling line where its end is taken, and leaves the number there", () => {
    expect(draw("limit", [190, 150, 100], true)).toBeLessThan(END);
  });

  test("keeps the number along a line that is nearly level", () => {
    expect(draw("limit 100", [101, 100, 100], true)).toBeLessThan(END);
  });
});
