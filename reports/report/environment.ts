/** The devices that measured the rows, and the rates of their memory systems. */

import { formatNumber, joined, whole } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import { newestRuns } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import { isLimit, limitBenchmark } from "../../bench/scenarios/limit.js";
import { html, type Markup } from "../figures/markup.js";
import type { Column } from "./columns.js";
import type { Host } from "./hosts.js";

/** Names and values of what is known of an environment; the same names for every column. */
export function columnFacts(column: Column, hosts: ReadonlyMap<string, Host>): [string, string][] {
  const { device, driver, dawn, toggles, commit, date, software } = column.environment;
  const known = hostsOf(column, hosts);
  const all = (value: (host: Host) => string | undefined): string => joined([...new Set(known.map(value))], "; ");
  const runs = [...groupBy(column.rows, ({ run }) => run).values()];
  const cells = runs.reduce((sum, own) => sum + new Set(own.map(({ experiment }) => experiment)).size, 0);
  return [
    ["Device", device + (software ? " (software adapter: a CPU emulates the GPU)" : "")],
    ["Driver", driver],
    ["Dawn", dawn],
    ["Toggles", toggles],
    ["Measured", date],
    ["hashbench", joined([all((h) => h.hashbench), commit && `commit ${commit}`])],
    ["Rows", `${formatNumber(column.rows.length, 9)} of ${cells} ${cells === 1 ? "experiment" : "experiments"}`],
    ["Host", all((h) => joined([h.os, h.kernel && `kernel ${h.kernel}`]))],
    ["CPU", all((h) => joined([h.cpu, h.cores && `${h.cores} logical cores`, memory(h)]))],
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

/** A table of device/limits: patterns down, sizes across. Rates are in G accesses/s, those of copies in TB/s. */
export function limitRates({ rows }: Column) {
  const size = (row: ResultRow): number => Number(row.params.tableMiB ?? 0);
  const measured = rows.filter((row) => isLimit(row) && row.metric === (row.op === "copy" ? "bandwidth" : "mops"));
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
    .map(({ id, title, ops: [kind = ""] }) => {
      const unit = kind === "copy" ? ", TB/s read and written" : "";
      return { kind, title: `${title}${unit}`, rates: sizes.map((mib) => rate(id, mib)) };
    });
  return { sizes, lines };
}

/** What the adapter said of itself, out of environment.json. */
export function adapterDetails(column: Column, hosts: ReadonlyMap<string, Host>): Markup | null {
  const device = hostsOf(column, hosts).at(-1)?.device;
  if (!device?.limits && !device?.features) return null;
  const limits = Object.entries(device.limits ?? {});
  return html`<details class="adapter of-device" data-device="${column.slug}"><summary>WebGPU limits and features of ${column.label}</summary>
<p>${(device.features ?? []).map((feature) => html`<code>${feature}</code> `)}</p>
<dl class="limits">${limits.map(([name, value]) => html`<div><dt>${name}</dt><dd>${whole(value)}</dd></div>`)}</dl></details>`;
}
