import { expect, test } from "vitest";
import { type Measured, type SearchOptions, search } from "./search.js";
import { LOAD_FACTOR, type Point, pointKey } from "./space.js";

const start: Point = { loadFactor: 0.8, params: {} };
const dimensions = [
  { name: "a", values: [1, 2, 3, 4] },
  { name: "b", values: [1, 2, 3] },
];
const move: SearchOptions["move"] = (point, name, value) =>
  name === LOAD_FACTOR
    ? { ...point, loadFactor: Number(value) }
    : { ...point, params: { ...point.params, [name]: value } };

/** A fake device: a score with a range of ± noise, and the batches that were asked for. */
function fake(scoreOf: (a: number, b: number) => number | string | null, noise = 0) {
  const batches: [a: number, b: number][][] = [];
  const measure = async (points: readonly Point[]): Promise<Measured[]> => {
    const places = points.map(({ params }): [number, number] => [Number(params.a ?? 1), Number(params.b ?? 1)]);
    batches.push(places);
    return places.map(([a, b]) => {
      const value = scoreOf(a, b);
      return typeof value === "number" ? { value, lo: value - noise, hi: value + noise } : value;
    });
  };
  return { batches, options: { start: move(move(start, "a", 1), "b", 1), dimensions, move, measure } };
}
const at = (a: number, b: number): Point => move(move(start, "a", a), "b", b);

test("one dimension after another is followed to its best value, as often as that changes the others", async () => {
  // How far a is worth going depends on b: from (1, 1) to a = 2, to b = 3, to a = 4.
  const { options } = fake((a, b) => 10 * Math.min(a, b + 1) + b);
  const found = await search({ ...options, prefers: "more" });
  expect(found.best).toEqual(at(4, 3));
  expect(found.complete).toBe(true);
  expect(found.tried[0]?.point).toEqual(found.best);
});

test("no point is measured twice but the best one, with its rivals", async () => {
  const { options, batches } = fake((a, b) => a + b);
  await search({ ...options, prefers: "more" });
  expect(batches).toEqual([
    [[1, 1] as const, [2, 1] as const, [3, 1] as const, [4, 1] as const],
    [[4, 1] as const, [4, 2] as const, [4, 3] as const],
    [[4, 3] as const, [1, 3] as const, [2, 3] as const, [3, 3] as const],
  ]);
});

test("a rival is taken only if its range is beyond that of the best", async () => {
  const close = fake((a) => 10 + 0.1 * a, 0.2);
  expect((await search({ ...close.options, prefers: "more" })).best).toEqual(at(1, 1));
  const clear = fake((a) => 10 + a, 0.2);
  expect((await search({ ...clear.options, prefers: "more" })).best).toEqual(at(4, 1));
});

test("less is better where it is preferred", async () => {
  const { options } = fake((a, b) => (a - 3) ** 2 + (b - 2) ** 2);
  const found = await search({ ...options, prefers: "less" });
  expect(found.best).toEqual(at(3, 2));
  const values = found.tried.map(({ result }) => (typeof result === "object" ? result.value : Number.NaN));
  expect(values).toEqual(values.toSorted((a, b) => a - b));
});

test("points without a score are told with the reason, after the others, and any score is better than none", async () => {
  const { options } = fake((a, b) => (a === 1 ? "too full" : 5 - a + b));
  const found = await search({ ...options, prefers: "more" });
  expect(found.best).toEqual(at(2, 3));
  const reasons = found.tried.map(({ result }) => (typeof result === "string" ? result : ""));
  expect(reasons.filter(Boolean).length).toBeGreaterThan(0);
  expect(reasons).toEqual(reasons.toSorted());
});

test("the time ends the search with the best so far", async () => {
  let left = 3;
  const { options, batches } = fake((a) => (left-- > 0 ? a : null));
  const found = await search({ ...options, prefers: "more" });
  expect(batches.length).toBe(1);
  expect(found.complete).toBe(false);
  expect(found.best).toEqual(at(3, 1));
  expect(found.tried.map(({ point }) => pointKey(point))).toHaveLength(3);
  const none = await search({ ...fake(() => null).options, prefers: "more" });
  expect(none).toEqual({ tried: [], best: null, complete: false });
});

test("of equal values the second score decides, in the list and, beyond doubt, for the best", async () => {
  const { options } = fake(() => 16);
  const measure = async (points: readonly Point[]) =>
    (await options.measure(points)).map((score, i) => {
      const rate = 10 + Number(points[i]?.params.a) - 3 * Number(points[i]?.params.b);
      return typeof score === "object" && score
        ? { ...score, tie: { value: rate, lo: rate - 0.1, hi: rate + 0.1 } }
        : score;
    });
  const found = await search({ ...options, measure, prefers: "less" });
  expect(found.best).toEqual(at(4, 1));
  const rates = found.tried.map(({ result }) => (typeof result === "object" ? Number(result.tie?.value) : Number.NaN));
  expect(rates).toEqual(rates.toSorted((a, b) => b - a));
});
