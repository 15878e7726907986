/** Regressions through the points of series: what is drawn of them, and where they are 0. */
import { linearRegression, sampleCorrelation } from "simple-statistics";
import { quadraticFit, signChanges } from "../../bench/measure/regression.js";
import { groupBy } from "../../bench/results/group.js";
import type { Curve, PlotPoint } from "./plot-data.js";

const STEPS = 60;

/** Series whose points stand at fewer than three numbers x have none. */
export function curvesOf(points: readonly PlotPoint[]): Curve[] {
  const all = groupBy(points, ({ series, panel }) => JSON.stringify([series, panel]));
  return [...all.values()].flatMap((own) => {
    const [first] = own;
    const xs = own.map(({ x }) => x).filter((x) => typeof x === "number");
    if (xs.length < own.length || new Set(xs).size < 3) return [];
    const ys = own.map(({ y }) => y);
    const fit = quadraticFit(xs, ys);
    const [a, b, c] = fit.coefficients;
    const [from, to] = [Math.min(...xs), Math.max(...xs)];
    const drawn = Array.from({ length: STEPS + 1 }, (_, i) => from + ((to - from) * i) / STEPS);
    return {
      series: first.series,
      panel: first.panel,
      points: drawn.map((x) => ({ x, y: a + b * x + c * x * x })),
      crossings: signChanges(fit, from, to),
    };
  });
}

/** Straight lines of least squares, one a panel; panels whose points stand at fewer than two numbers x have none. */
export function linesOf(points: readonly PlotPoint[]): Curve[] {
  return [...groupBy(points, ({ panel }) => panel)].flatMap(([panel, own]) => {
    const pairs = own.flatMap(({ x, y }) => (typeof x === "number" ? [[x, y] as [number, number]] : []));
    const xs = pairs.map(([x]) => x);
    if (pairs.length < own.length || new Set(xs).size < 2) return [];
    const { m, b } = linearRegression(pairs);
    const ends = [Math.min(...xs), Math.max(...xs)].map((x) => ({ x, y: m * x + b }));
    const ys = pairs.map(([, y]) => y);
    return { series: "", panel, points: ends, crossings: [], correlation: sampleCorrelation(xs, ys) };
  });
}
