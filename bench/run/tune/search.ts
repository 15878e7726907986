/**
 * Looks for the best point by one dimension after another. All its values at the best point so far are measured in turn with that point
 * itself, so that a drift of the device favours none. The best of them replaces the point if their ranges do not overlap. It ends when
 * no dimension has improved the point since the last change, or with the time. The result is a best point along every dimension, not
 * necessarily the best of all points.
 */
import type { Scalar } from "../../../kernels/table.js";
import { type Dimension, type Point, pointKey } from "./space.js";

/** A value of the objective, with the range of its samples; equal ends where it has none. */
interface Score {
  readonly value: number;
  readonly lo: number;
  readonly hi: number;
  /** Decides between equal values: more is better. */
  readonly tie?: Score;
}

/** A point's score, or why it has none; null if there was no time for it. */
export type Measured = Score | string | null;

export interface SearchOptions {
  readonly start: Point;
  readonly dimensions: readonly Dimension[];
  readonly move: (point: Point, name: string, value: Scalar) => Point;
  /** Results in the order of the points. */
  readonly measure: (points: readonly Point[]) => Promise<readonly Measured[]>;
  readonly prefers: "more" | "less";
}

interface Tried {
  readonly point: Point;
  readonly result: Score | string;
}

export interface Found {
  /** The points with a score, best first, then the others. */
  readonly tried: readonly Tried[];
  /** Null if no point has a score. */
  readonly best: Point | null;
  /** False if the time ended the search. */
  readonly complete: boolean;
}

export async function search({ start, dimensions, move, measure, prefers }: SearchOptions): Promise<Found> {
  const tried = new Map<string, Tried>();
  const scoreOf = (point: Point): Score | null => {
    const result = tried.get(pointKey(point))?.result;
    return typeof result === "object" ? result : null;
  };
  /** False if there was no time for all of them. */
  const tryAll = async (points: readonly Point[]): Promise<boolean> => {
    const results = await measure(points);
    for (const [i, point] of points.entries()) {
      const result = results[i] ?? null;
      if (result !== null) tried.set(pointKey(point), { point, result });
    }
    return points.every((_, i) => (results[i] ?? null) !== null);
  };
  let best = start;
  let unchanged = 0;
  let complete = true;
  for (let turn = 0; complete && unchanged < dimensions.length; turn++) {
    const { name, values } = dimensions[turn % dimensions.length] as Dimension;
    const all = values.map((value) => move(best, name, value)).filter((point) => pointKey(point) !== pointKey(best));
    const fresh = all.filter((point) => !tried.has(pointKey(point)));
    unchanged += 1;
    if (fresh.length === 0) continue;
    complete = await tryAll([best, ...fresh]);
    for (const point of fresh) {
      if (!isBetter(scoreOf(point), scoreOf(best), prefers)) continue;
      best = point;
      unchanged = 1;
    }
  }
  const rank = ({ result }: Tried): number => {
    if (typeof result === "string") return Number.POSITIVE_INFINITY;
    return prefers === "more" ? -result.value : result.value;
  };
  const second = ({ result }: Tried): number => (typeof result === "string" ? 0 : (result.tie?.value ?? 0));
  const order = [...tried.values()].sort((a, b) => (rank(a) === rank(b) ? second(b) - second(a) : rank(a) - rank(b)));
  return { tried: order, best: scoreOf(best) ? best : null, complete };
}

/** Whether a score is better with ranges that do not overlap. Any score is better than none. */
function isBetter(score: Score | null, than: Score | null, prefers: "more" | "less"): boolean {
  if (!score || !than) return score !== null;
  if (score.value === than.value && score.tie && than.tie) return isBetter(score.tie, than.tie, "more");
  return prefers === "more" ? score.lo > than.hi : score.hi < than.lo;
}
