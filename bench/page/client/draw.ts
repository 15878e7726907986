/** Draws a figure by the report's own specification, and says what it shows. */
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compileSpec } from "../../../reports/figures/compile.js";
import { fastestOf } from "../../../reports/figures/fastest.js";
import { drawing, figureSpec } from "../../../reports/figures/figure.js";
import { overlaid, overlayOf, sideLabels } from "../../../reports/figures/overlay.js";
import type { Experiment } from "../../base/experiment.js";
import type { ResultRow } from "../../results/record.js";

interface Sides {
  readonly here: readonly ResultRow[];
  /** Of another device; tables that were not measured here are left out. */
  readonly other: readonly ResultRow[];
}

/** The sentence that says which table is the first in each panel; "" where no rates are drawn. */
export function answer(experiment: Experiment, rows: readonly ResultRow[], counted: boolean): string {
  const lines = fastestOf(experiment, rows, counted);
  if (lines.length === 0) return "";
  const { title } = experiment.figure.x;
  const x = `${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  const each = lines.map(({ panel, x: at, series, value, beside }) => {
    return `${panel ? `${panel}, ` : ""}${x} ${at}: ${series} (${value}, ${beside})`;
  });
  return `${counted ? "Fewest transactions per operation" : "Fastest here"} – ${each.join("; ")}.`;
}

/** Both sides as one experiment's rows: tables have their colours, devices their line styles. */
function both(experiment: Experiment, { here, other }: Sides): ReturnType<typeof drawing> {
  const tables = new Set(here.map(({ table }) => table));
  const shared = other.filter(({ table }) => tables.has(table));
  const overlay = overlayOf(experiment, "rates");
  if (shared.length === 0 || !overlay) return drawing(experiment, here);
  const sides = [here, shared].map((rows, i) => ({ folder: i === 0 ? "here" : "published", rows }));
  const labels = sideLabels(sides);
  return drawing(overlay, overlaid(sides.map(({ rows }, i) => ({ label: labels[i] ?? "", rows }))));
}

/** Resolves when the picture stands. @param narrow panels stand below one another */
export async function drawInto(
  container: HTMLElement,
  experiment: Experiment,
  sides: Sides,
  narrow: boolean,
): Promise<View> {
  const made = figureSpec(both(experiment, sides));
  const [body, ...rest] = (made as { vconcat: readonly object[] }).vconcat;
  const spec = compileSpec(narrow ? ({ ...made, vconcat: [{ ...body, columns: 1 }, ...rest] } as typeof made) : made);
  const parsed = parse({ ...spec, background: "transparent" }, {}, { ast: true });
  const options = { expr: expressionInterpreter, renderer: "svg", container, hover: true } as const;
  const view = await new View(parsed, options).runAsync();
  // Marks without a text of their own would be pictures without a name.
  for (const mark of container.querySelectorAll("[role=graphics-symbol]:not([aria-label])"))
    mark.setAttribute("aria-hidden", "true");
  return view;
}
