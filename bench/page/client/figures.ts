/** Figures of rows as they come. */
import { FONT_FAMILY } from "../../../reports/figures/family.js";
import type { Experiment } from "../../base/experiment.js";
import type { ResultRow } from "../../results/record.js";
import { element } from "./element.js";

/** Figures are drawn again this often at most, in ms. */
const REDRAW_MS = 1000;
/** Below this width panels stand below one another, and are small. */
const NARROW = 620;

/** The figure of one experiment, on this device and beside another one. */
export class Figure {
  readonly place = element("figure", { class: "plot" });
  private other: readonly ResultRow[] = [];
  private view: { finalize(): void } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawing: Promise<void> = Promise.resolve();
  private narrow = false;
  private readonly resized = new ResizeObserver(() => {
    if (this.view && this.isNarrow !== this.narrow) this.soon();
  });

  /** @param rows of this device; those of other experiments are left out @param counted the device ranks no rates */
  constructor(
    private readonly experiment: Experiment,
    private readonly rows: () => readonly ResultRow[],
    private readonly counted: boolean,
  ) {
    this.resized.observe(this.place);
  }

  private get isNarrow(): boolean {
    return this.place.clientWidth < NARROW;
  }

  /** Draws soon: what comes until then is drawn with it. */
  soon(): void {
    this.timer ??= setTimeout(() => void this.now(), REDRAW_MS);
  }

  /** Draws what was measured here beside these rows of another device, on the same axes. */
  beside(rows: readonly ResultRow[]): Promise<void> {
    this.other = rows;
    return this.now();
  }

  /** Draws; resolves when the picture stands. */
  now(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.drawing = this.drawing.then(() => this.draw()).catch((error) => console.error(error));
    return this.drawing;
  }

  end(): void {
    clearTimeout(this.timer);
    this.resized.disconnect();
    this.view?.finalize();
    this.place.remove();
  }

  private async draw(): Promise<void> {
    // Most of the page's code: loaded once there is something to draw.
    const [{ answer, drawInto }] = await Promise.all([import("./draw.js"), fontsLoaded()]);
    this.narrow = this.isNarrow;
    const live = element("div");
    const rows = this.rows();
    const view = await drawInto(live, this.experiment, { here: rows, other: this.other }, this.narrow);
    this.view?.finalize();
    this.view = view;
    const said = answer(this.experiment, rows, this.counted);
    this.place.replaceChildren(...(said ? [element("figcaption", {}, said)] : []), live);
    this.place.setAttribute("aria-label", this.experiment.title);
    this.place.dataset.points = String(rows.length);
  }
}

/** Widths of texts are known once the page's font is there. */
function fontsLoaded(): Promise<unknown> {
  const [family] = FONT_FAMILY.split(",");
  return Promise.all([`11px ${family}`, `bold 12px ${family}`].map((font) => document.fonts.load(font)));
}
