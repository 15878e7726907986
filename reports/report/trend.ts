/** The page of `hashbench history page`: how the cells of one device changed from run to run. Needs no network. */

import { type Block, heading, paragraph, table } from "../../bench/base/document.js";
import { changeTable } from "../../bench/compare/change-table.js";
import { changesOf, type DeviceHistory, type Trend } from "../../bench/compare/history.js";
import { adapterName } from "../../bench/results/device-name.js";
import { groupBy } from "../../bench/results/group.js";
import { figureElement, livePage } from "../figures/html.js";
import { html } from "../figures/markup.js";
import { renderSvg } from "../figures/render.js";
import { movesOf, trendFigure } from "../figures/trend-figure.js";
import { printHtml } from "./blocks.js";
import { fontFaces, pageCss } from "./theme.js";

/** With the report's. */
const STYLE = `body { max-width: 1180px; margin: 1.5rem auto; padding: 0 1.5rem; }
figure { margin: 0 0 2rem; overflow-x: auto; }
h2 { margin-top: 1.5rem; }`;

/** A self-contained HTML document. The same history gives the same bytes. */
export async function trendPage(history: DeviceHistory): Promise<string> {
  const figures = history.runs.length > 1 ? figuresOf(history) : [];
  const pictures = await Promise.all(figures.map(({ spec }) => renderSvg(spec)));
  const { device, runs } = history;
  const [first, last] = [runs[0]?.time.slice(0, 10), runs.at(-1)?.time.slice(0, 10)];
  const title = `${adapterName(device)}: ${runs.length === 1 ? "one run, and no trend yet" : `trend of ${runs.length} runs`}`;
  const changes = changesOf(history);
  const body = html`<h1>${title}</h1>
<p>${first} … ${last}; the last run: commit ${runs.at(-1)?.commit || "unknown"}, driver ${runs.at(-1)?.driver}, ${runs.at(-1)?.dawn}.</p>
${printHtml([heading(2, "Changes"), changes.length > 0 ? changeTable(changes) : paragraph("No change point."), ...moveTable(history)])}
${runs.length === 1 && html`<p><strong>A trend needs two runs or more.</strong> The next run that is added is drawn beside this one, whose numbers <code>hashbench plot</code> shows.</p>`}
${
  runs.length > 1 &&
  html`<p class="hint">Each line is a cell, as a share of its own median over all runs; runs stand in time order at even distances.
Diamonds: the first run of a new level. Dashed: another driver, Dawn or other toggles. Counters that never changed are left out.
Point at a mark for its run and commit.</p>`
}
${figures.map(
  ({ id, title }, i) => html`<h2>${title}</h2>
${figureElement(id, title, pictures[i] ?? "")}
`,
)}`;
  return livePage({ title, style: `${fontFaces()}\n${pageCss()}\n${STYLE}`, body, figures });
}

/** One figure an experiment for its rates, and one for those of its counters that changed. */
function figuresOf(history: DeviceHistory) {
  const shown = history.trends.filter(({ metric, points, median }) => {
    return median !== 0 && (metric === "mops" || points.some(({ value }) => value !== points[0]?.value));
  });
  const kind = ({ line, metric }: Trend): string => `${line.experiment}${metric === "mops" ? "" : ": counters"}`;
  return [...groupBy(shown, kind)].map(([title, trends], i) => {
    return { id: `trend-${i}`, title, spec: trendFigure(history, trends) };
  });
}

function moveTable({ runs }: DeviceHistory): Block[] {
  const moves = movesOf(runs).reverse();
  if (moves.length === 0) return [];
  const rows = moves.map(({ run, what }) => [runs[run]?.time.slice(0, 16).replace("T", " ") ?? "", what]);
  return [heading(2, "Drivers, Dawn and toggles"), table(["when (UTC)", "what"], rows)];
}
