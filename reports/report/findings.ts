/** Our own findings on a device. Each is a sentence or two with numbers from rows; findings without rows are left out. */

import { formatNumber, mebibytes, percent, whole } from "../../bench/base/format.js";
import type { Select } from "../../bench/claims/claim.js";
import { select } from "../../bench/claims/select.js";
import { sharedNewestRuns } from "../../bench/results/newest.js";
import type { ResultRow } from "../../bench/results/record.js";
import type { PlotData } from "../figures/plot-data.js";
import { isNative, titleOf } from "../figures/rows.js";
import { amountOf } from "../figures/units.js";
import type { Column } from "./columns.js";
import type { Report } from "./contents.js";

export interface Finding {
  readonly title: string;
  readonly text: string;
  /** Id of the experiment whose figure shows it. */
  readonly experiment: string;
}

/** Reads and writes of the device in a table of this size, beyond any cache and within a binding. */
const WITHIN_MIB = 1024;
/** The largest binding. */
const BINDING_MIB = 2048;
const LOAD_FACTOR = 0.8;
/** A table nearer than this to its limit leaves little of the device. */
const NEAR = 0.9;
/** Rates nearer than this are one. */
const SAME = 0.95;
const COMPARED = "tables/load-factor";

/** The findings of one device, in the order in which a reader needs them. */
export function findings({ figures }: Pick<Report, "figures">, column: Column): Finding[] {
  const newest = sharedNewestRuns(column.rows);
  const drawn = figures.find(({ experiment }) => experiment.id === COMPARED)?.drawn;
  const data = drawn?.find((one) => one.column === column)?.drawing.data;
  const all = [limits(newest), nearLimit(newest), largePages(newest), builds(newest), data ? beside(data) : null];
  return all.filter((finding) => finding !== null);
}

type Rows = readonly ResultRow[];

function firstValue(rows: Rows, experiment: string, wanted: Select): number | null {
  return select(rows, { experiment }, wanted).rows[0]?.value ?? null;
}

function rate(mops: number): string {
  return amountOf(mops, "M op/s");
}

/** What the memory does with random accesses, whatever table makes them. */
function limits(rows: Rows): Finding | null {
  const experiment = "device/limits";
  const of = (table: string, tableMiB: number, metric = "mops") =>
    firstValue(rows, experiment, { table, metric, where: { tableMiB } });
  const [word, sector, block, rmw, copy] = [
    of("read4", WITHIN_MIB),
    of("read32", WITHIN_MIB),
    of("read128", WITHIN_MIB),
    of("exchange", WITHIN_MIB),
    of("copy", WITHIN_MIB, "bandwidth"),
  ];
  if (word === null || sector === null || rmw === null) return null;
  const parts = [
    `In ${WITHIN_MIB / 1024} GiB the memory serves ${rate(word)} random reads of 4 bytes and ${rate(sector)} of a 32-byte sector`,
    block === null ? "" : `, ${rate(block)} of 128 bytes by one lane`,
    `, and ${rate(rmw)} random exchanges`,
    copy === null ? "" : `; a copy moves ${formatNumber(copy / 1000, 3)} TB/s`,
  ];
  const alike =
    sector > SAME * word
      ? " Reading 4 or 32 bytes of a sector costs the same: only the number of sectors matters."
      : "";
  return { title: "The limits", text: `${parts.join("")}.${alike}`, experiment };
}

/** How much of the device its best tables leave. */
function nearLimit(rows: Rows): Finding | null {
  const metric = "limit_share";
  const wanted = { metric, where: { op: "find", n: "last", load_factor: LOAD_FACTOR, positive_ratio: 0.5 } };
  const shares = new Map<string, number>();
  for (const row of select(rows, { experiment: COMPARED }, wanted).rows) {
    const name = isNative(row) ? `${titleOf(row)} (its program)` : titleOf(row);
    shares.set(name, Math.max(shares.get(name) ?? 0, row.value ?? 0));
  }
  if (shares.size < 2) return null;
  const ordered = [...shares].sort(([, a], [, b]) => b - a).map(([name, value]) => `${name} ${percent(value)}`);
  const near = [...shares.values()].filter((value) => value >= NEAR).length;
  const text = `Of ${shares.size} tables ${near} ${near === 1 ? "reaches" : "reach"} ${100 * NEAR} % of the limit of their own accesses in lookups at load factor ${LOAD_FACTOR}, half of the keys present: ${ordered.join(", ")}.`;
  return { title: "How near tables come to the limit", text, experiment: "limit/load-factor" };
}

/** What tables beyond a binding cost, with large pages and without. */
function largePages(rows: Rows): Finding | null {
  const experiment = "device/large";
  const lookups = select(rows, { experiment }, { table: "lookup32", where: { op: "lookup" } }).rows;
  const size = (row: ResultRow): number => Number(row.params.tableMiB);
  const isPlain = (row: ResultRow): boolean => row.params.allocation !== undefined;
  const at = (mib: number, plain: boolean) => lookups.find((row) => size(row) === mib && isPlain(row) === plain)?.value;
  const sizes = [...new Set(lookups.map(size))].sort((a, b) => b - a);
  const both = sizes.find((mib) => at(mib, true) && at(mib, false));
  const within = at(BINDING_MIB, false);
  if (both !== undefined) {
    const [plain = 0, large = 0] = [at(both, true) ?? 0, at(both, false) ?? 0];
    return {
      title: "Large pages",
      text: `In a table of ${mebibytes(both)} lookups of 32 bytes run at ${rate(large)} with large pages and at ${rate(plain)} with plain allocations, ${formatNumber(large / plain, 3)}× apart${within ? `; in ${mebibytes(BINDING_MIB)} it is ${rate(within)}` : ""}.`,
      experiment,
    };
  }
  const beyond = sizes.find((mib) => mib > BINDING_MIB && at(mib, false));
  const slow = beyond === undefined ? undefined : at(beyond, false);
  if (beyond === undefined || !slow || !within) return null;
  return {
    title: "Large pages",
    text: `Without large pages lookups of 32 bytes fall from ${rate(within)} in ${mebibytes(BINDING_MIB)} to ${rate(slow)} in ${mebibytes(beyond)}: addresses have to be translated.`,
    experiment,
  };
}

/** What partitioning first gains over inserting one by one. */
function builds(rows: Rows): Finding | null {
  const experiment = "limit/build";
  const of = (table: string, variant: string) => firstValue(rows, experiment, { table, variant, where: { n: "last" } });
  const gains = ["quotient", "bucketed"].flatMap((table) => {
    const [partitioned, single] = [of(table, "partitioned"), of(table, "")];
    if (partitioned === null || single === null) return [];
    return `${titleOf({ table, system: {} })} ${rate(partitioned)} in place of ${rate(single)} (${formatNumber(partitioned / single, 3)}×)`;
  });
  if (gains.length === 0) return null;
  const n = Math.max(...select(rows, { experiment }, { where: { n: "last" } }).rows.map((row) => row.n));
  const sorted = firstValue(rows, experiment, { table: "radix-sort", variant: "", where: { n: "last" } });
  const text = `${whole(n)} pairs are partitioned first, then put into buckets in workgroup memory, in place of one by one: ${gains.join("; ")}${sorted === null ? "" : `. They are sorted at ${rate(sorted)}`}.`;
  return { title: "Builds", text, experiment };
}

/** What CUDA libraries reached on the same device model, beside the best of ours. */
function beside({ panels, points, references }: PlotData): Finding | null {
  const lines = panels.flatMap((panel) => {
    const best = <T extends { readonly panel: string; readonly x: number | string; readonly y: number }>(
      all: readonly T[],
    ) => all.filter((p) => p.panel === panel && p.x === LOAD_FACTOR).sort((a, b) => b.y - a.y)[0];
    const [ours, theirs] = [best(points), best(references)];
    if (!ours || !theirs) return [];
    return `${panel.toLowerCase()}: ${ours.series} ${rate(ours.y)}, ${theirs.series} ${rate(theirs.y)}`;
  });
  if (lines.length === 0) return null;
  const text = `At load factor ${LOAD_FACTOR} the fastest table in WGSL and the fastest CUDA library that was measured on the same model, by other code and in another run: ${lines.join("; ")}.`;
  return { title: "Beside CUDA", text, experiment: COMPARED };
}
