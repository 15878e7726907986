/** Pareto fronts: what is smallest in x for its y, and largest in y for its x. */

interface Located {
  readonly x: number | string;
  readonly y: number;
}

/**
 * The points than which no other has an x as small and a y as large, by ascending x; y ascends with it. Of equal points the
 * first; points without a number x are left out.
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
