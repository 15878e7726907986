/**
 * Progress on stderr: a bar with the time left and what is being measured on a terminal. Elsewhere one line per cell, and a
 * line that says what is being measured where none has come for a second, then for two, for four … up to thirty.
 */

import { SingleBar } from "cli-progress";
import type { CellSpec } from "../base/experiment.js";
import { formatNumber } from "../base/format.js";
import { deviceLine } from "../results/device-name.js";
import type { CellResult } from "../results/record.js";
import type { Progress } from "../run/progress.js";
import type { WorkPhase } from "../run/stopwatch.js";
import { about, TimeLeft } from "./time-left.js";

const FIRST_SILENCE_MS = 1000;
const LONGEST_SILENCE_MS = 30_000;
const REDRAW_MS = 1000;

export function cellProgress(stream: NodeJS.WriteStream): Progress {
  let bar: SingleBar | null = null;
  let done = 0;
  let total = 0;
  let now = "";
  let silence = FIRST_SILENCE_MS;
  let timer: NodeJS.Timeout | undefined;
  let redraw: NodeJS.Timeout | undefined;
  let left: TimeLeft | null = null;
  const line = (text: string): void => {
    if (bar) stream.write(`\r\x1b[K${text}\n`);
    else stream.write(`${text}\n`);
    listen();
  };
  /** Breaks a silence. */
  const listen = (): void => {
    clearTimeout(timer);
    if (bar || done >= total) return;
    timer = setTimeout(() => {
      silence = Math.min(2 * silence, LONGEST_SILENCE_MS);
      if (now) line(`measuring ${now}; ${done} of ${total} cells done`);
      else listen();
    }, silence).unref();
  };
  return {
    started(device, planned, { cells, expected, budgetMs }, out) {
      total = cells.length;
      const time = new TimeLeft(expected, budgetMs);
      left = time;
      line(deviceLine(device));
      for (const { experiment, scale, cells: all } of planned) {
        line(`${experiment.id}: ${all.length} cells at scale ${formatNumber(scale, 3)}`);
      }
      line(`results go to ${out}`);
      if (!stream.isTTY || total === 0) return;
      const format = "{bar} {value}/{total} cells, {left} left  {cell}";
      bar = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true });
      bar.start(total, 0, { cell: "", left: about(time.ms) });
      redraw = setInterval(() => bar?.update({ left: about(time.ms) }), REDRAW_MS).unref();
    },
    note: line,
    working(cell, phase, samples) {
      now = `${name(cell)} ${place(cell)}: ${progressOf(phase, samples)}`;
      bar?.update({ cell: now });
    },
    finished(cell, result) {
      done += 1;
      left?.finished(cell);
      bar?.increment();
      if (!bar || (result.status !== "ok" && result.status !== "skipped"))
        line(`[${[done, ...(total > 0 ? [total] : [])].join("/")}] ${describe(cell, result)}`);
    },
    ended() {
      clearTimeout(timer);
      clearInterval(redraw);
      bar?.stop();
      bar = null;
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
