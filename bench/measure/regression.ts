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
 * Solves the normal equations in t = (x − mean) / half of the range, where they are well conditioned. The coefficients are
 * those of x. Throws a RangeError where fewer than three xs differ, or xs and ys are not of one length.
 */
export function quadraticFit(xs: readonly number[], ys: readonly number[]): QuadraticFit {
  if (xs.length !== ys.length) throw new RangeError(`${xs.length} xs and ${ys.length} ys`);
  if (new Set(xs).size < 3) throw new RangeError("a parabola takes three points of different x");
  const center = xs.reduce((sum, x) => sum + x, 0) / xs.length;
  const width = (Math.max(...xs) - Math.min(...xs)) / 2;
  const ts = xs.map((x) => (x - center) / width);
  const moment = (power: number): number => ts.reduce((sum, t) => sum + t ** power, 0);
  const rhs = (power: number): number => ts.reduce((sum, t, i) => sum + t ** power * (ys[i] ?? 0), 0);
  const [p = 0, q = 0, r = 0] = solve([0, 1, 2].map((i) => [moment(i), moment(i + 1), moment(i + 2), rhs(i)]));
  const [b, c] = [q / width, r / width ** 2];
  return {
    coefficients: [p - b * center + c * center ** 2, b - 2 * c * center, c],
    roots: roots(p, q, r).map((t) => center + width * t),
  };
}

/** Gauss's elimination with the largest pivot. Each row is an equation's coefficients and its right-hand side. */
function solve(rows: readonly (readonly number[])[]): number[] {
  const left = rows.map((row) => [...row]);
  const solution = rows.map(() => 0);
  const at = (row: readonly number[], i: number): number => row[i] ?? 0;
  for (let i = 0; i < left.length; i++) {
    const below = left.slice(i).sort((a, b) => Math.abs(at(b, i)) - Math.abs(at(a, i)));
    left.splice(i, below.length, ...below);
    const pivot = left[i] ?? [];
    for (const row of left.slice(i + 1)) {
      const factor = at(row, i) / at(pivot, i);
      for (let j = i; j < row.length; j++) row[j] = at(row, j) - factor * at(pivot, j);
    }
  }
  for (let i = left.length - 1; i >= 0; i--) {
    const row = left[i] ?? [];
    const known = solution.reduce((sum, value, j) => (j > i ? sum + at(row, j) * value : sum), 0);
    solution[i] = (at(row, rows.length) - known) / at(row, i);
  }
  return solution;
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
