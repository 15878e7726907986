/** Pareto fronts: what is smallest in x for its y, and largest in y for its x. */

interface Located {
  readonly x: number | string;
  readonly y: number;
}

/**
 * Points for which no other point has at most their x and at least their y, by ascending x; y ascends with it. The first of equal points
 * is kept. Points whose x is not a number are left out.
 */
export function paretoFront<T extends Located>(points: readonly T[]): T[] {
  const ordered = points
    .filter(({ x }) => typeof x === "number")
    .toSorted((a, b) => Number(a.x) - Number(b.x) || b.y - a.y);
  let highest = Number.NEGATIVE_INFINITY;
  return ordered.filter(({ y }) => {
    const ahead = y > highest;
    if (ahead) highest = y;
    return ahead;
  });
}
