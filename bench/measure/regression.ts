/** The second-order polynomial of least squares, and where it is 0. */

interface QuadraticFit {
  /** a, b, c of a + b·x + c·x². */
  readonly coefficients: readonly [number, number, number];
  /** Its real roots, ascending; none, one (a straight line, or a double root) or two. */
  readonly roots: readonly number[];
}

export interface SignChange {
  readonly x: number;
  /** From negative to positive. */
  readonly rises: boolean;
}

/** Where the parabola changes its sign between two xs, both included; ascending. */
export function signChanges({ coefficients, roots }: QuadraticFit, from: number, to: number): SignChange[] {
  const [, b, c] = coefficients;
  const changes = roots.map((x) => ({ x, slope: b + 2 * c * x }));
  return changes
    .filter(({ x, slope }) => slope !== 0 && x >= from && x <= to)
    .map(({ x, slope }) => ({ x, rises: slope > 0 }));
}

/**
 * Solves the normal equations in t = (x − mean) / half of the range, where they are well conditioned and Σ t is 0. The
 * coefficients are those of x. Throws a RangeError where fewer than three xs differ, or xs and ys are not of one length.
 */
export function quadraticFit(xs: readonly number[], ys: readonly number[]): QuadraticFit {
  if (xs.length !== ys.length) throw new RangeError(`${xs.length} xs and ${ys.length} ys`);
  if (new Set(xs).size < 3) throw new RangeError("a parabola takes three points of different x");
  const center = xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const width = (Math.max(...xs) - Math.min(...xs)) / 2;
  const ts = xs.map((x) => (x - center) / width);
  const [n = 0, , t2 = 0, t3 = 0, t4 = 0] = [0, 1, 2, 3, 4].map((power) => ts.reduce((sum, t) => sum + t ** power, 0));
  const [y = 0, ty = 0, t2y = 0] = [0, 1, 2].map((power) =>
    ts.reduce((sum, t, i) => sum + t ** power * (ys[i] ?? 0), 0),
  );
  // n·p + t2·r = y; t2·q + t3·r = ty; t2·p + t3·q + t4·r = t2y.
  const r = (t2y - (t2 * y) / n - (t3 * ty) / t2) / (t4 - t2 ** 2 / n - t3 ** 2 / t2);
  const [p, q] = [(y - t2 * r) / n, (ty - t3 * r) / t2];
  const [b, c] = [q / width, r / width ** 2];
  return {
    coefficients: [p - b * center + c * center ** 2, b - 2 * c * center, c],
    roots: roots(p, q, r).map((t) => center + width * t),
  };
}

/** Real roots of a + b·t + c·t², ascending. */
function roots(a: number, b: number, c: number): number[] {
  const size = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
  // What elimination leaves of a coefficient that is 0.
  const none = (v: number): boolean => Math.abs(v) <= 1e-12 * size;
  if (none(c)) return none(b) ? [] : [-a / b];
  const discriminant = b * b - 4 * a * c;
  if (discriminant < 0) return [];
  if (discriminant === 0) return [-b / (2 * c)];
  // The sum without cancellation, and the other root by Vieta.
  const sum = -(b + Math.sign(b || 1) * Math.sqrt(discriminant)) / 2;
  return [sum / c, a / sum].sort((x, y) => x - y);
}
