/** The page of `hashbench history page`: how the cells of one device changed from run to run. Needs no network. */

import { type Block, heading, paragraph, table } from "../../bench/base/document.js";
import { changeTable } from "../../bench/compare/change-table.js";
import { changesOf, type DeviceHistory, type Trend } from "../../bench/compare/history.js";
import { groupBy } from "../../bench/results/group.js";
import { FONT_FAMILY } from "../figures/family.js";
import { figureElement, livePage } from "../figures/html.js";
import { html } from "../figures/markup.js";
import { renderSvg } from "../figures/render.js";
import { movesOf, trendFigure } from "../figures/trend-figure.js";
import { printHtml } from "./blocks.js";
import { themeCss } from "./theme.js";

const STYLE = `body { font-family: ${FONT_FAMILY}; margin: 1.5rem; background: var(--page); color: var(--ink); }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { text-align: left; padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
.scroll, figure { overflow-x: auto; }
figure { margin: 0 0 2rem; }
p.note { color: var(--muted); max-width: 60rem; }`;

/** A self-contained HTML document. The same history gives the same bytes. */
export async function trendPage(history: DeviceHistory): Promise<string> {
  const figures = figuresOf(history);
  const pictures = await Promise.all(figures.map(({ spec }) => renderSvg(spec)));
  const { device, runs } = history;
  const [first, last] = [runs[0]?.time.slice(0, 10), runs.at(-1)?.time.slice(0, 10)];
  const title = `${device}: trend of ${runs.length} runs`;
  const changes = changesOf(history);
  const body = html`<h1>${title}</h1>
<p>${first} … ${last}; the last run: commit ${runs.at(-1)?.commit || "unknown"}, driver ${runs.at(-1)?.driver}, ${runs.at(-1)?.dawn}.</p>
${printHtml([heading(2, "Changes"), changes.length > 0 ? changeTable(changes) : paragraph("No change point."), ...moveTable(history)])}
<p class="note">Each line is a cell, as a share of its own median over all runs; runs stand in time order at even distances.
Diamonds: the first run of a new level. Dashed: another driver, Dawn or other toggles. Counters that never changed are left out.
Point at a mark for its run and commit.</p>
${figures.map(
  ({ id, title }, i) => html`<h2>${title}</h2>
${figureElement(id, title, pictures[i] ?? "")}
`,
)}`;
  return livePage({ title, style: `${themeCss()}\n${STYLE}`, body, figures });
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
