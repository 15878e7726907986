/** The report's section on devices: what measured the rows, and what its memory system can do. */

import { groupBy } from "../../bench/results/group.js";
import { newestRuns } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { benchmarks } from "../../bench/scenarios/index.js";
import { limitBenchmark } from "../../bench/scenarios/limit.js";
import { html, type Markup } from "../figures/markup.js";

import { formatNumber } from "../figures/units.js";
import type { Column } from "./columns.js";
import type { Report } from "./contents.js";
import type { Host } from "./hosts.js";

export function devicesSection(report: Report): Markup {
  return html`<section id="devices" aria-labelledby="devices-title">
<h2 id="devices-title">Devices</h2>
<div class="environments">${report.columns.map((column) => factsTable(column, report))}</div>
<h3 id="limits">Limits</h3>
<p>Median rates of device/limits, in billions of accesses a second, by the size of the table. A lookup also reads its key and writes its result.</p>
${report.columns.map(
  (column) => html`<div class="of-device" data-device="${column.slug}">${limitsTable(column, report.columns.length > 1)}
${adapterDetails(column, report.hosts)}</div>`,
)}
</section>`;
}

function factsTable(column: Column, { hosts }: Report): Markup {
  const facts = columnFacts(column, hosts).filter(([, text]) => text !== "");
  return html`<div class="scroll of-device" data-device="${column.slug}" tabindex="0" role="region" aria-label="Environment: ${column.label}"><table class="facts">
<caption class="hidden">${column.label}</caption>
<tbody>${facts.map(([name, text]) => html`<tr><th scope="row">${name}</th><td>${factText(name, text)}</td></tr>`)}</tbody></table></div>`;
}

/** Toggles are not broken at their minus sign. */
function factText(name: string, text: string): Markup | string {
  return name === "Toggles" ? html`${text.split(" ").map((toggle) => html`<span>${toggle}</span> `)}` : text;
}

/** Names and values of what is known of an environment; the same names for every column. */
export function columnFacts(column: Column, hosts: ReadonlyMap<string, Host>): [string, string][] {
  const { device, driver, dawn, toggles, commit, date, software } = column.environment;
  const known = hostsOf(column, hosts);
  const all = (value: (host: Host) => string | undefined): string =>
    [...new Set(known.map(value).filter((v) => v !== undefined && v !== ""))].join("; ");
  const cells = new Set(column.rows.map((row) => `${row.run} ${row.experiment}`)).size;
  return [
    ["Device", device + (software ? " (software adapter: a CPU emulates the GPU)" : "")],
    ["Driver", driver],
    ["Dawn", dawn],
    ["Toggles", toggles],
    ["Measured", date],
    ["hashbench", [all((h) => h.hashbench), commit && `commit ${commit}`].filter(Boolean).join(", ")],
    ["Rows", `${formatNumber(column.rows.length, 9)} of ${cells} ${cells === 1 ? "experiment" : "experiments"}`],
    ["Host", all((h) => [h.os, h.kernel && `kernel ${h.kernel}`].filter(Boolean).join(", "))],
    ["CPU", all((h) => [h.cpu, h.cores && `${h.cores} logical cores`, memory(h)].filter(Boolean).join(", "))],
    ["Node", all((h) => h.node)],
    ["Subgroups", all(({ device: d }) => subgroups(d?.subgroupMin, d?.subgroupMax))],
  ];
}

function hostsOf({ rows }: Column, hosts: ReadonlyMap<string, Host>): Host[] {
  const runs = [...new Set(rows.map((row) => row.run))];
  return runs.map((run) => hosts.get(run)).filter((host) => host !== undefined);
}

function memory({ memoryBytes }: Host): string {
  return memoryBytes === undefined ? "" : `${Math.round(memoryBytes / 2 ** 30)} GiB`;
}

function subgroups(min: number | undefined, max: number | undefined): string {
  if (min === undefined || max === undefined) return "";
  return min === max ? `${min} lanes` : `${min} to ${max} lanes`;
}

/** A table of device/limits: patterns down, sizes across. */
export function limitRates({ rows }: Column) {
  const size = (row: ResultRow): number => Number(row.params.tableMiB ?? 0);
  const measured = rows.filter((row) => benchmarks[row.bench]?.limits?.sets && row.metric === "mops");
  const newest = newestRuns(measured, (row) => `${row.table} ${size(row)}`);
  const own = newest.filter((row) => row.status === "ok");
  const sizes = [...new Set(own.map(size))].sort((a, b) => a - b);
  const rate = (id: string, mib: number): string => {
    const value = own.find((row) => row.table === id && size(row) === mib)?.value;
    return value == null ? "–" : formatNumber(value / 1000, 3);
  };
  const lines = limitBenchmark
    .series()
    .filter(({ id }) => own.some((row) => row.table === id))
    .map(({ id, title, ops: [kind = ""] }) => ({ kind, title, rates: sizes.map((mib) => rate(id, mib)) }));
  return { sizes, lines };
}

/** 16384 MiB as `16 GiB`. */
export function mebibytes(mib: number): string {
  if (mib >= 1024) return `${formatNumber(mib / 1024, 3)} GiB`;
  return mib < 1 ? `${formatNumber(mib * 1024, 3)} KiB` : `${formatNumber(mib, 3)} MiB`;
}

function limitsTable(column: Column, named: boolean): Markup {
  const { sizes, lines } = limitRates(column);
  if (lines.length === 0) return html`<p class="absent">${column.label}: no rows of device/limits.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Limits of ${column.label}"><table class="numbers">
<caption>${named && html`${column.label}, `}G accesses/s</caption>
<thead><tr><th scope="col">Access</th>${sizes.map((mib) => html`<th scope="col">${mebibytes(mib)}</th>`)}</tr></thead>
${[...groupBy(lines, (line) => line.kind)].map(
  ([kind, own]) =>
    html`<tbody><tr class="group"><th scope="rowgroup" colspan="${sizes.length + 1}">${kind}</th></tr>${own.map(
      ({ title, rates }) => html`<tr><th scope="row">${title}</th>${rates.map((text) => html`<td>${text}</td>`)}</tr>`,
    )}</tbody>`,
)}</table></div>`;
}

/** What the adapter said of itself, out of environment.json. */
function adapterDetails(column: Column, hosts: ReadonlyMap<string, Host>): Markup | null {
  const device = hostsOf(column, hosts).at(-1)?.device;
  if (!device?.limits && !device?.features) return null;
  const limits = Object.entries(device.limits ?? {});
  return html`<details class="adapter"><summary>WebGPU limits and features of ${column.label}</summary>
<p>${(device.features ?? []).map((feature) => html`<code>${feature}</code> `)}</p>
<dl class="limits">${limits.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value.toLocaleString("en-US")}</dd></div>`)}</dl></details>`;
}
