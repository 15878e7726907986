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

/** Pixels between the spots of a line. */
const STEP = 3;

/** Everything drawn in a panel, as spots along its lines. */
export class Marks {
  /** x and y by turns: a report has millions of them. */
  private readonly spots: number[] = [];

  /** A straight line, both ends included. */
  line(from: Spot, to: Spot): void {
    const [across, down] = [to.x - from.x, to.y - from.y];
    const steps = Math.ceil(Math.sqrt(across * across + down * down) / STEP) || 1;
    for (let i = 0; i <= steps; i++) this.spots.push(from.x + (across * i) / steps, from.y + (down * i) / steps);
  }

  /** Top, middle and bottom of a box. */
  outline({ x, y, width, height }: Box): void {
    for (const down of [0, height / 2, height]) this.line({ x, y: y + down }, { x: x + width, y: y + down });
  }

  /** How many spots a box would hide; `most` where it is as many or more. */
  under({ x, y, width, height }: Box, most = Number.POSITIVE_INFINITY): number {
    const { spots } = this;
    const [right, bottom] = [x + width, y + height];
    let hidden = 0;
    for (let i = 0; i < spots.length && hidden < most; i += 2) {
      const across = spots[i] as number;
      const down = spots[i + 1] as number;
      if (across >= x && across <= right && down >= y && down <= bottom) hidden++;
    }
    return hidden;
  }
}

/** The box over the fewest marks, the first of equal ones; one that lies within the panel, if any does. */
export function freest<T extends Box>(
  boxes: readonly T[],
  marks: Marks,
  panel: { readonly width: number; readonly height: number },
): T {
  const inside = boxes.filter(
    (b) => b.x >= 0 && b.y >= 0 && b.x + b.width <= panel.width && b.y + b.height <= panel.height,
  );
  const [first, ...others] = inside.length > 0 ? inside : boxes;
  if (!first) throw new Error("a name without a place");
  let best = { box: first, hidden: marks.under(first) };
  for (const box of others) {
    const hidden = marks.under(box, best.hidden);
    if (hidden < best.hidden) best = { box, hidden };
  }
  return best.box;
}
