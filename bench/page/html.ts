/** The page's document: what its scripts fill. */
import { html } from "../../reports/figures/markup.js";
import { version } from "../base/paths.js";
import { POLICY } from "./policy.js";

/** The text of index.html. */
export function pageHtml(): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>hashbench in this browser</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script src="theme.js"></script>
<script type="module" src="main.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<header class="top"><h1>GPU hash tables in this browser</h1>
<p>Measures the tables and figures of five papers on this machine’s GPU by WebGPU. Nothing leaves the page.</p></header>
<div class="bar"><div><nav aria-label="Pages"><ul id="pages"></ul></nav><button type="button" id="theme" hidden><span>Theme: </span><b>auto</b></button></div></div>
<main id="main">
<noscript><p class="warning">Everything here is done by scripts, and scripts are off.</p></noscript>
<div id="messages" role="alert"></div>
<section id="device" aria-labelledby="device-title">
<h2 id="device-title">Device</h2>
<p id="adapter" role="status">Looking for a GPU …</p>
<div id="help" hidden>
<p>Measuring needs WebGPU and a GPU that the browser offers to pages. What usually helps:</p>
<ul>
<li>Chrome and Edge: open <code>chrome://gpu</code>. Where WebGPU is “disabled”, switch hardware acceleration on in the settings; on Linux start with <code>--enable-unsafe-webgpu --enable-features=Vulkan</code>.</li>
<li>Firefox: set <code>dom.webgpu.enabled</code> in <code>about:config</code>, and start it again. Safari has WebGPU from version 26 on.</li>
<li>Open the page over HTTPS or from <code>localhost</code>: other addresses have no WebGPU.</li>
<li>Without a GPU, <code>npx hashbench run</code> measures on a software adapter from the command line.</li>
</ul>
</div>
<details id="details" class="adapter" hidden><summary>Limits and features</summary></details>
</section>
<section id="choice" aria-labelledby="choice-title">
<h2 id="choice-title">What to measure</h2>
<form id="form">
<details id="experiments"><summary></summary><label class="fields">Search <input type="search" id="search" autocomplete="off"></label><div></div></details>
<details id="tables"><summary></summary><div></div></details>
<div class="fields">
<label>Pairs <select name="n"></select></label>
<label>Seed <input name="seed" type="number" min="0" max="4294967295" required></label>
<label>Skip a cell after <input name="timeout" type="number" min="1" max="3600" required> s without progress</label>
<label class="check"><input name="quick" type="checkbox"> Fewer points</label>
</div>
<p id="estimate" role="status"></p>
<p class="buttons"><button type="submit" id="run" disabled>Run</button> <button type="button" id="stop" hidden>Stop</button> <button type="button" id="first">Reset to default</button></p>
</form>
<div id="progress" hidden>
<progress id="bar" aria-label="Cells measured"></progress>
<p id="working" role="status"></p>
</div>
<ul id="notes"></ul>
</section>
<section id="figures" aria-labelledby="figures-title" hidden>
<h2 id="figures-title">Figures</h2>
<p id="beside" class="fields" hidden><label>Beside: <select id="published"></select></label> <small>Published rates are those of Node, without bounds checks and with large pages; a browser keeps the checks and has no large pages, so that the same GPU may be slower here.</small></p>
<div id="plots"></div>
</section>
<section id="results" aria-labelledby="results-title" hidden>
<h2 id="results-title">Results</h2>
<p>Unpacked, the file is a results folder: <code>hashbench plot</code>, <code>report</code>, <code>compare</code> and <code>merge</code> open it.</p>
<p><button type="button" id="download">Download results</button></p>
<div class="scroll" tabindex="0" role="region" aria-label="Cells"><table class="numbers" id="cells"><thead></thead><tbody></tbody></table></div>
</section>
</main>
<footer><p>hashbench ${version}. Font: Arimo, SIL Open Font License 1.1; figures: vega, BSD 3-Clause.</p></footer>
</body>
</html>
`.text;
}
