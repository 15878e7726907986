/** The place for a name at which it hides least of what is drawn. In pixels, y downwards. */

export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** x and y are of the upper left corner. */
export interface Box extends Spot {
  readonly width: number;
  readonly height: number;
}

/** Between the spots of a line. */
const STEP = 3;

/** A straight line as spots, both ends included. */
export function trace(from: Spot, to: Spot): Spot[] {
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP) || 1;
  return Array.from({ length: steps + 1 }, (_, i) => ({
    x: from.x + ((to.x - from.x) * i) / steps,
    y: from.y + ((to.y - from.y) * i) / steps,
  }));
}

/** The box over the fewest spots, the first of equal ones; one that lies within the panel, if any does. */
export function freest<T extends Box>(
  boxes: readonly T[],
  spots: readonly Spot[],
  panel: { readonly width: number; readonly height: number },
): T {
  const inside = boxes.filter(
    (b) => b.x >= 0 && b.y >= 0 && b.x + b.width <= panel.width && b.y + b.height <= panel.height,
  );
  const [first, ...others] = (inside.length > 0 ? inside : boxes).map((box) => ({ box, hidden: hiddenBy(box, spots) }));
  if (!first) throw new Error("a name without a place");
  return others.reduce((best, one) => (one.hidden < best.hidden ? one : best), first).box;
}

function hiddenBy({ x, y, width, height }: Box, spots: readonly Spot[]): number {
  return spots.filter((spot) => spot.x >= x && spot.x <= x + width && spot.y >= y && spot.y <= y + height).length;
}
