/** Draws a figure by the report's own specification. */
import { parse, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compileSpec } from "../../../reports/figures/compile.js";
import { drawing, figureSpec } from "../../../reports/figures/figure.js";
import type { Experiment } from "../../base/experiment.js";
import type { ResultRow } from "../../results/record.js";

/** Resolves when the picture stands. @param narrow panels stand below one another */
export async function drawInto(
  container: HTMLElement,
  experiment: Experiment,
  rows: readonly ResultRow[],
  narrow: boolean,
): Promise<View> {
  const made = figureSpec(drawing(experiment, rows));
  const [body, ...rest] = (made as { vconcat: readonly object[] }).vconcat;
  const spec = compileSpec(narrow ? ({ ...made, vconcat: [{ ...body, columns: 1 }, ...rest] } as typeof made) : made);
  const parsed = parse({ ...spec, background: "transparent" }, {}, { ast: true });
  return new View(parsed, { expr: expressionInterpreter, renderer: "svg", container, hover: true }).runAsync();
}
