/** The report as one HTML document that carries its scripts, fonts and data. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { paragraph } from "../../bench/base/document.js";
import { whole } from "../../bench/base/format.js";
import { packageRoot, version } from "../../bench/base/paths.js";
import { POLICY, scriptSafe, vegaLiteRuntime } from "../figures/html.js";
import { html, type Markup, raw } from "../figures/markup.js";
import { printHtml, section } from "./blocks.js";
import { type Report, SHOWN_DEVICES } from "./contents.js";
import { adapterDetails } from "./environment.js";
import { FIGURE_HINTS } from "./figures.js";
import { filtersBar } from "./filters.js";
import { modelColumns, modelFigure } from "./model-figure.js";
import { conclusionsSection } from "./opening.js";
import { pack, packedElement } from "./packed.js";
import { figuresSection, paperSections } from "./papers.js";
import { rankingSection } from "./ranking-section.js";
import { DIGITS } from "./raw-data.js";
import { claimCounts, packedScores, verdictButtons } from "./scorecard.js";
import {
  absent,
  type Section as Described,
  devices,
  disagreements,
  jobs,
  meanings,
  model,
  originals,
  ownFindings,
  rule,
  standIns,
  verdictTables,
  verification,
} from "./sections.js";
import { fontFaces, pageCss } from "./theme.js";

/** Scripts of the page's body, in order: later ones use what earlier ones define. */
const SCRIPTS = ["packed.js", "filters.js", "scorecard.js", "ranking.js", "figures.js", "download.js"] as const;

/** A part of the page; null where there is nothing to say. */
interface Section {
  readonly id: string;
  readonly name: string;
  readonly content: Markup | null;
}

/** The whole report. */
export function reportPage(report: Report): string {
  const on = devicesInWords(report.columns);
  const modelled = modelColumns(report);
  return document(report, {
    title: `hashbench: ${on}`,
    heading: `Five GPU hash-table papers on ${on}`,
    sections: [
      { id: "conclusions", name: "Conclusions", content: conclusionsSection(report) },
      part(jobs(report)),
      part(ownFindings(report)),
      { id: "scorecard", name: "Scorecard", content: scorecardSection(report) },
      ...paperSections(report),
      { id: "ranking", name: "Ranking", content: rankingSection(report) },
      part(originals(report)),
      part(disagreements(report)),
      part(devices(report), html`${report.columns.map((column) => adapterDetails(column, report.hosts))}`),
      part(verification(report)),
      part(model(report, modelled), html`${modelFigure(report, modelled)}${printHtml(standIns(report))}`),
      { id: "raw", name: "Raw data", content: rawSection(report) },
    ],
  });
}

/** A section of blocks, and what of it only the page has. */
function part({ id, name, title, blocks }: Described, more?: Markup): Section {
  return { id, name, content: section(id, title, blocks, more) };
}

/** All claims by verdict, and what the verdicts mean; the claims are with their papers. */
function scorecardSection(report: Report): Markup | null {
  const all = [...report.papers.flatMap((paper) => paper.claims), ...report.ours];
  const lead = `${claimCounts(report)}. Every number is computed from the rows of this report: open a line for how, for the rows behind it, and for why not.`;
  const blocks = all.length === 0 ? [paragraph(NO_CLAIMS)] : [paragraph(lead), ...verdictTables(report)];
  const claims = html`${verdictButtons(all, report.columns.length > 1)}
${printHtml([meanings])}${packedElement(pack(packedScores(all, report)), "scores")}
`;
  const more = html`${all.length > 0 && claims}<details class="rule"><summary>The rule by which rows answer claims</summary>${printHtml([rule])}</details>
${FIGURE_HINTS}
${printHtml(absent(report))}`;
  return section("scorecard", "Scorecard", blocks, more);
}

const NO_CLAIMS = "The papers claim nothing about these experiments.";

/** The figures alone. */
export function figuresPage(report: Report): string {
  const [only] = report.figures;
  const on = devicesInWords(report.columns);
  const title = report.figures.length === 1 && only ? `${only.experiment.title} on ${on}` : `Figures on ${on}`;
  const sections = [{ id: "figures", name: "Figures", content: figuresSection(report) }];
  return document(report, { title, heading: title, sections });
}

function document(
  report: Report,
  { title, heading, sections }: { title: string; heading: string; sections: readonly Section[] },
): string {
  const present = sections.filter(({ content }) => content !== null);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(fontFaces())}
${raw(pageCss())}</style>
<script>${script("theme.js")}</script>
</head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<header class="top"><h1>${heading}</h1>
<p>${summary(report)}</p></header>
${
  present.length > 1 &&
  html`<nav id="contents" class="top" aria-label="Sections"><ul>${present.map(
    ({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav>`
}
<div class="bar"><div><a href="#${present.length > 1 ? "contents" : "figures"}">Contents</a>${filtersBar(report)}<button type="button" id="theme" hidden><span>Theme: </span><b>auto</b></button></div></div>
<main id="main">
${present.map(
  ({ content }) => html`${content}
`,
)}</main>
<footer><p>hashbench ${version}. The page needs no network. Font: Arimo, SIL Open Font License 1.1; figures: vega, BSD 3-Clause.</p></footer>
${packedElement(pack(vegaLiteRuntime()), "runtime")}
${SCRIPTS.map((name) => html`<script>${script(name)}</script>\n`)}</body>
</html>
`;
  return page.text;
}

/** `Software adapter · 2026-11-21 · 3,316 rows of 5 experiments` */
function summary({ columns, rows, figures }: Report): string {
  const days = [...new Set(rows.map((row) => row.time.slice(0, 10)))].sort();
  const when = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0];
  const named = columns.length > 1 && columns.length <= SHOWN_DEVICES;
  const names = named ? `${columns.map((c) => c.label).join("; ")}. ` : "";
  return `${names}Measured ${when}: ${whole(rows.length)} rows of ${figures.length} experiments.`;
}

/** The device's name, or how many there are. */
function devicesInWords(columns: Report["columns"]): string {
  return columns.length === 1 ? (columns[0]?.label ?? "") : `${columns.length} devices`;
}

function rawSection({ rows, raw: { columns } }: Report): Markup | null {
  const text = `All ${whole(rows.length)} rows that this page was made from, one a cell and metric, as one result file; measured numbers have ${DIGITS} digits, and 95 % intervals in place of the ranges that results have. The lines named in the scorecard are lines of this file.`;
  const more = html`<p><button type="button" id="download">Download hashbench.csv</button></p>
<noscript><p class="warning">The file is unpacked by a script, and scripts are off. The results folder has the same rows.</p></noscript>
${packedElement(pack(columns()), "raw-data")}
`;
  return section("raw", "Raw data", [paragraph(text)], more);
}

function script(name: string): Markup {
  return raw(scriptSafe(readFileSync(join(packageRoot, "reports", "report", "client", name), "utf8")));
}
