/** The report as one HTML document that carries its scripts, fonts and data. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packageRoot, version } from "../../bench/paths.js";
import { POLICY, scriptSafe, vegaRuntime } from "../html.js";
import { html, type Markup, raw } from "../markup.js";
import { FONT_FILES } from "../text.js";
import type { Report } from "./contents.js";
import { disagreementsSection } from "./disagreements.js";
import { devicesSection } from "./environment.js";
import { figuresSection } from "./figures.js";
import { modelSection } from "./model-section.js";
import { scorecardSection } from "./scorecard.js";
import { themeCss } from "./theme.js";
import { verificationSection } from "./verification.js";

/** Scripts of the page's body, in order: later ones use what earlier ones define. */
const SCRIPTS = ["packed.js", "scorecard.js", "figures.js", "download.js"] as const;
const SECTIONS = [
  ["scorecard", "Scorecard"],
  ["figures", "Figures"],
  ["devices", "Devices"],
  ["verified", "Verified"],
  ["model", "Model"],
  ["raw", "Raw data"],
] as const;

export async function reportPage(report: Report): Promise<string> {
  const devices = report.columns.map(({ label }) => label);
  const title = `hashbench: ${devices.join(", ")}`;
  const packed = gzipSync(report.raw.csv, { level: 9 }).toString("base64");
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
<a class="skip" href="#main">Skip to the scorecard</a>
<header class="top"><h1>Five GPU hash-table papers on ${devices.length === 1 ? devices[0] : `${devices.length} devices`}</h1>
<p>${summary(report)}</p></header>
<div class="bar"><div><nav aria-label="Sections"><ul>${SECTIONS.filter(
    ([id]) => id !== "verified" || report.verified.length > 0,
  ).map(
    ([id, name]) => html`<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav><button type="button" id="theme" hidden><span>Theme: </span><b>auto</b></button></div></div>
<main id="main">
${scorecardSection(report)}
${await figuresSection(report)}
${disagreementsSection(report)}
${devicesSection(report)}
${verificationSection(report)}
${await modelSection(report)}
${rawSection(report)}
</main>
<footer><p>hashbench ${version}. The page needs no network. Font: Arimo, SIL Open Font License 1.1; figures: vega, BSD 3-Clause.</p></footer>
<script type="application/gzip" id="raw-data">${raw(packed)}</script>
<script>${raw(vegaRuntime())}</script>
${SCRIPTS.map((name) => html`<script>${script(name)}</script>\n`)}</body>
</html>
`;
  return page.text;
}

/** `Software adapter · 2026-11-21 · 3,316 rows of 5 experiments` */
function summary({ columns, rows, figures }: Report): string {
  const days = [...new Set(rows.map((row) => row.time.slice(0, 10)))].sort();
  const when = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0];
  const names = columns.length > 1 ? `${columns.map((c) => c.label).join(" and ")}. ` : "";
  return `${names}Measured ${when}: ${rows.length.toLocaleString("en-US")} rows of ${figures.length} experiments.`;
}

function rawSection({ rows, raw: { csv } }: Report): Markup {
  const kib = Math.ceil(Buffer.byteLength(csv) / 1024).toLocaleString("en-US");
  return html`<section id="raw" aria-labelledby="raw-title">
<h2 id="raw-title">Raw data</h2>
<p>All ${rows.length.toLocaleString("en-US")} rows that this page was made from, one a cell and metric, as one result file. The lines named in the scorecard are lines of this file.</p>
<p><button type="button" id="download">Download hashbench.csv (${kib} KiB)</button></p>
<noscript><p class="warning">The file is unpacked by a script, and scripts are off. The results folder has the same rows.</p></noscript>
</section>`;
}

function fontFaces(): string {
  const faces = FONT_FILES.map((file) => {
    const weight = file.includes("Bold") ? 700 : 400;
    const packed = readFileSync(file.replace(/ttf$/, "woff")).toString("base64");
    return `@font-face{font-family:Arimo;font-weight:${weight};src:url(data:font/woff;base64,${packed}) format("woff")}`;
  });
  return faces.join("\n");
}

function asset(name: string): string {
  return readFileSync(join(packageRoot, "reports", "report", name), "utf8");
}

function script(name: string): Markup {
  return raw(scriptSafe(asset(join("client", name))));
}
