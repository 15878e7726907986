import * as vega from "vega";
import { describe, expect, test } from "vitest";
import { quadraticFit, signChanges } from "./regression.js";

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/** A reproducible value in ± 1 for each i. */
const noise = (i: number): number => Math.sin(12.9898 * i + 78.233);

describe("coefficients", () => {
  test("of points on a parabola are the parabola's, far from 0 too", () => {
    for (const shift of [0, 1e4]) {
      const xs = range(1, 50).map((x) => x + shift);
      const { coefficients } = quadraticFit(
        xs,
        xs.map((x) => 3 - 2 * x + 0.25 * x * x),
      );
      [3, -2, 0.25].forEach((expected, i) => {
        expect(Math.abs((coefficients[i] ?? 0) - expected)).toBeLessThan(1e-9 * Math.max(1, shift ** 2));
      });
    }
  });

  test("agree with vega's quadratic regression on noisy points", () => {
    const points = range(1, 50).map((x) => ({ x, y: 0.01 * x * x - 0.1 * x - 3 + noise(x) }));
    const { regressionQuad } = vega as unknown as {
      regressionQuad(
        data: typeof points,
        x: (p: { x: number }) => number,
        y: (p: { y: number }) => number,
      ): { coef: number[] };
    };
    const { coef } = regressionQuad(
      points,
      (p) => p.x,
      (p) => p.y,
    );
    const { coefficients } = quadraticFit(
      points.map(({ x }) => x),
      points.map(({ y }) => y),
    );
    coefficients.forEach((value, i) => {
      expect(value).toBeCloseTo(coef[i] ?? Number.NaN, 9);
    });
  });
});

describe("roots", () => {
  const xs = range(-10, 10);
  const rootsOf = (f: (x: number) => number): readonly number[] => quadraticFit(xs, xs.map(f)).roots;

  test("are the two places where the parabola is 0, in order", () => {
    const [low, high] = rootsOf((x) => -(x - 2) * (x - 7));
    expect(low).toBeCloseTo(2, 9);
    expect(high).toBeCloseTo(7, 9);
  });

  test("lie outside the points where the parabola does", () => {
    expect(rootsOf((x) => (x + 40) * (x - 1))[0]).toBeCloseTo(-40, 6);
  });

  test("there is none above 0, one of a straight line, none of a constant", () => {
    expect(rootsOf((x) => x * x + 1)).toEqual([]);
    expect(rootsOf((x) => 2 * x - 3)).toEqual([expect.closeTo(1.5, 9)]);
    expect(rootsOf(() => 4)).toEqual([]);
  });
});

test("the sign changes where a root lies between the ends, and in the direction of the slope", () => {
  const xs = range(0, 10);
  const changes = (f: (x: number) => number, from = 0, to = 10) => signChanges(quadraticFit(xs, xs.map(f)), from, to);
  expect(changes((x) => (x - 2) * (x - 7))).toEqual([
    { x: expect.closeTo(2, 9), rises: false },
    { x: expect.closeTo(7, 9), rises: true },
  ]);
  expect(changes((x) => (x - 2) * (x - 7), 3)).toMatchObject([{ rises: true }]);
  expect(changes((x) => (x + 3) * (x - 12))).toEqual([]);
  const line = { coefficients: [-4, 2, 0], roots: [2] } as const;
  for (const [from, to] of [
    [0, 2],
    [2, 4],
  ] as const)
    expect(signChanges(line, from, to), `${from} … ${to}`).toEqual([{ x: 2, rises: true }]);
});

test("a sign that changes at an end of the range changes in it", () => {
  const fit = { coefficients: [14, -9, 1], roots: [2, 7] } as const;
  expect(signChanges(fit, 2, 7).map(({ x }) => x)).toEqual([2, 7]);
  expect(signChanges(fit, 2.001, 6.999)).toEqual([]);
});

test("two places, or unequal lists, are no parabola", () => {
  expect(() => quadraticFit([1, 1, 2], [1, 2, 3])).toThrow(RangeError);
  expect(() => quadraticFit([1, 2, 3], [1, 2])).toThrow("3 xs and 2 ys");
});
