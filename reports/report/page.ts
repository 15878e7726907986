/** The report as one HTML document that carries its scripts, fonts and data. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot, version } from "../../bench/base/paths.js";
import { FONT_FILES } from "../figures/face.js";
import { POLICY, scriptSafe, vegaLiteRuntime } from "../figures/html.js";
import { html, type Markup, raw } from "../figures/markup.js";
import { type Report, SHOWN_DEVICES } from "./contents.js";
import { disagreementsSection } from "./disagreements.js";
import { devicesSection } from "./environment.js";
import { filtersBar } from "./filters.js";
import { modelSection } from "./model-section.js";
import { conclusionsSection, findingsSection, jobsSection } from "./opening.js";
import { originalsSection } from "./originals-section.js";
import { pack, packedElement } from "./packed.js";
import { figuresSection, paperParts } from "./papers.js";
import { rankingSection } from "./ranking-section.js";
import { DIGITS } from "./raw-data.js";
import { scorecardSection } from "./scorecard.js";
import { themeCss } from "./theme.js";
import { verificationSection } from "./verification.js";

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
  const { columns } = report;
  const on = devicesInWords(columns);
  return document(report, {
    title: `hashbench: ${on}`,
    heading: `Five GPU hash-table papers on ${on}`,
    sections: [
      { id: "conclusions", name: "Conclusions", content: conclusionsSection(report) },
      { id: "jobs", name: "Which table", content: jobsSection(report) },
      { id: "findings", name: "Findings", content: findingsSection(report) },
      { id: "scorecard", name: "Scorecard", content: scorecardSection(report) },
      ...paperParts(report),
      { id: "ranking", name: "Ranking", content: rankingSection(report) },
      { id: "originals", name: "Originals", content: originalsSection(report) },
      { id: "disagreements", name: "Disagreements", content: disagreementsSection(report) },
      { id: "devices", name: "Devices", content: devicesSection(report) },
      { id: "verified", name: "Verified", content: verificationSection(report) },
      { id: "model", name: "Model", content: modelSection(report) },
      { id: "raw", name: "Raw data", content: rawSection(report) },
    ],
  });
}

/** The figures alone. */
export function figuresPage(report: Report): string {
  const [only] = report.figures;
  const title = report.figures.length === 1 && only ? only.experiment.title : "hashbench: figures";
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
${raw(themeCss())}
${raw(asset("report.css"))}</style>
<script>${script("theme.js")}</script>
</head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<header class="top"><h1>${heading}</h1>
<p>${summary(report)}</p></header>
<div class="bar"><div><nav aria-label="Sections"><ul>${present.map(
    ({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav><button type="button" id="theme" hidden><span>Theme: </span><b>auto</b></button></div>
${filtersBar(report)}</div>
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
  return `${names}Measured ${when}: ${rows.length.toLocaleString("en-US")} rows of ${figures.length} experiments.`;
}

/** The device's name, or how many there are. */
function devicesInWords(columns: Report["columns"]): string {
  return columns.length === 1 ? (columns[0]?.label ?? "") : `${columns.length} devices`;
}

function rawSection({ rows, raw: { columns } }: Report): Markup {
  return html`<section id="raw" aria-labelledby="raw-title">
<h2 id="raw-title">Raw data</h2>
<p>All ${rows.length.toLocaleString("en-US")} rows that this page was made from, one a cell and metric, as one result file; measured numbers have ${DIGITS} digits, and 95 % intervals in place of the ranges that results have. The lines named in the scorecard are lines of this file.</p>
<p><button type="button" id="download">Download hashbench.csv</button></p>
<noscript><p class="warning">The file is unpacked by a script, and scripts are off. The results folder has the same rows.</p></noscript>
${packedElement(pack(columns()), "raw-data")}
</section>`;
}

function fontFaces(): string {
  const faces = FONT_FILES.map((file) => {
    const weight = file.includes("Bold") ? 700 : 400;
    const packed = readFileSync(file.replace(/ttf$/, "woff2")).toString("base64");
    return `@font-face{font-family:Arimo;font-weight:${weight};src:url(data:font/woff2;base64,${packed}) format("woff2")}`;
  });
  return faces.join("\n");
}

function asset(name: string): string {
  return readFileSync(join(packageRoot, "reports", "report", name), "utf8");
}

function script(name: string): Markup {
  return raw(scriptSafe(asset(join("client", name))));
}
