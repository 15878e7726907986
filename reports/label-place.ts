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
  const [across, down] = [to.x - from.x, to.y - from.y];
  const steps = Math.ceil(Math.sqrt(across * across + down * down) / STEP) || 1;
  const spots: Spot[] = [];
  for (let i = 0; i <= steps; i++) spots.push({ x: from.x + (across * i) / steps, y: from.y + (down * i) / steps });
  return spots;
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
  let hidden = 0;
  for (const spot of spots) if (spot.x >= x && spot.x <= x + width && spot.y >= y && spot.y <= y + height) hidden++;
  return hidden;
}
