/**
 * Progress on stderr: a bar with the time left and what is being measured on a terminal. Elsewhere one line per cell, and a
 * line that says what is being measured where none has come for a second, then for two, for four … up to thirty.
 */

import type { CellSpec } from "../base/experiment.js";
import { formatNumber } from "../base/format.js";
import { deviceLine } from "../results/device-name.js";
import type { CellResult } from "../results/record.js";
import type { Progress } from "../run/progress.js";
import type { WorkPhase } from "../run/stopwatch.js";
import { barLine, StatusLine } from "./status-line.js";
import { about, TimeLeft } from "./time-left.js";

const FIRST_SILENCE_MS = 1000;
const LONGEST_SILENCE_MS = 30_000;
const REDRAW_MS = 1000;

export function cellProgress(stream: NodeJS.WriteStream): Progress {
  const status = stream.isTTY ? new StatusLine(stream) : null;
  let done = 0;
  let total = 0;
  let now = "";
  let longest = 0;
  let silence = FIRST_SILENCE_MS;
  let timer: NodeJS.Timeout | undefined;
  let redraw: NodeJS.Timeout | undefined;
  let left: TimeLeft | null = null;
  const line = (text: string): void => {
    if (status) status.print(text);
    else stream.write(`${text}\n`);
    listen();
  };
  /** Breaks a silence. */
  const listen = (): void => {
    clearTimeout(timer);
    if (status || done >= total) return;
    timer = setTimeout(() => {
      silence = Math.min(2 * silence, LONGEST_SILENCE_MS);
      if (now) line(`measuring ${now}; ${done} of ${total} cells done`);
      else listen();
    }, silence).unref();
  };
  const draw = (): void =>
    status?.show((width) => {
      if (!left) return `${done > 0 ? `${done} done; ` : ""}${now}`;
      const rest = `${done}/${total} cells, ${about(left.ms)} left`;
      return barLine({ name: now || "starting", nameWidth: longest, share: done / total, rest }, width);
    });
  return {
    started(device, planned, { cells, expected, budgetMs }, out) {
      total = cells.length;
      line(deviceLine(device));
      for (const { experiment, scale, cells: all } of planned) {
        line(`${experiment.id}: ${all.length} cells at scale ${formatNumber(scale, 3)}`);
      }
      line(`results go to ${out}`);
      if (!status || total === 0) return;
      left = new TimeLeft(expected, budgetMs);
      draw();
      redraw = setInterval(draw, REDRAW_MS).unref();
    },
    note: line,
    working(cell, phase, samples) {
      now = `${name(cell)} ${place(cell)}: ${progressOf(phase, samples)}`;
      longest = Math.max(longest, now.length);
      draw();
    },
    finished(cell, result) {
      done += 1;
      left?.finished(cell);
      if (!left || (result.status !== "ok" && result.status !== "skipped"))
        line(`[${[done, ...(total > 0 ? [total] : [])].join("/")}] ${describe(cell, result)}`);
      else draw();
    },
    ended() {
      clearTimeout(timer);
      clearInterval(redraw);
      status?.clear();
    },
  };
}

function name({ experiment, table, variant, op }: CellSpec): string {
  return [experiment, table, variant, op].filter(Boolean).join(" ");
}

/** Cells are sampled in turn: between two turns the number of samples says more than the phase. */
function progressOf(phase: WorkPhase, samples: number): string {
  if (samples > 0) return `${samples} samples`;
  return phase === "verify" || phase === "count" || phase === "prepare" ? phase : "warm-up";
}

/** Where in its figure a cell is. */
function place(cell: CellSpec): string {
  return [
    `n=${cell.n}`,
    cell.dataset,
    cell.loadFactor === null ? "" : `LF ${cell.loadFactor}`,
    cell.positiveRatio === null ? "" : `${100 * cell.positiveRatio} % present`,
    ...Object.entries(cell.params).map(([name, value]) => (name === "tableMiB" ? `${value} MiB` : `${name} ${value}`)),
  ]
    .filter(Boolean)
    .join(", ");
}

function describe(cell: CellSpec, { status, reason, metrics, samples }: CellResult): string {
  const mops = metrics.find(({ metric }) => metric === "mops");
  const result =
    status === "ok" && mops
      ? `${formatNumber(mops.value, 4)} M op/s (${samples.length} samples)`
      : `${status}: ${reason}`;
  return `${name(cell)} ${place(cell)}: ${result}`;
}
