/** Progress on stderr: a bar with the time left on a terminal, one line a cell elsewhere. */
import { SingleBar } from "cli-progress";
import type { CellSpec } from "../experiment.js";
import type { CellResult } from "../results/record.js";
import type { Progress } from "../run/run.js";

export function cellProgress(stream: NodeJS.WriteStream): Progress {
  let bar: SingleBar | null = null;
  let done = 0;
  let total = 0;
  const line = (text: string): void => {
    if (bar) stream.write(`\r\x1b[K${text}\n`);
    else stream.write(`${text}\n`);
  };
  return {
    started(device, planned, cells, out) {
      total = cells;
      line(`${device.name}, ${device.driver}${device.software ? " (software adapter)" : ""}`);
      for (const { experiment, scale, cells: all } of planned) {
        line(`${experiment.id}: ${all.length} cells at scale ${scale.toPrecision(3)}`);
      }
      line(`results go to ${out}`);
      if (!stream.isTTY || total === 0) return;
      const format = "{bar} {value}/{total} cells, {eta_formatted} left  {cell}";
      bar = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true, etaBuffer: 20 });
      bar.start(total, 0, { cell: "" });
    },
    note: line,
    finished(cell, result) {
      done += 1;
      bar?.increment(1, { cell: name(cell) });
      if (!bar || (result.status !== "ok" && result.status !== "skipped"))
        line(`[${done}/${total}] ${describe(cell, result)}`);
    },
    ended() {
      bar?.stop();
      bar = null;
    },
  };
}

function name({ experiment, table, variant, op }: CellSpec): string {
  return [experiment, table, variant, op].filter(Boolean).join(" ");
}

function describe(cell: CellSpec, { status, reason, metrics, samples }: CellResult): string {
  const at = [
    `n=${cell.n}`,
    cell.dataset,
    cell.loadFactor === null ? "" : `LF ${cell.loadFactor}`,
    cell.positiveRatio === null ? "" : `${100 * cell.positiveRatio} % present`,
    ...Object.entries(cell.params).map(([name, value]) => (name === "tableMiB" ? `${value} MiB` : `${name} ${value}`)),
  ].filter(Boolean);
  const mops = metrics.find(({ metric }) => metric === "mops");
  const result =
    status === "ok" && mops
      ? `${mops.value.toPrecision(4)} M op/s (${samples.length} samples)`
      : `${status}: ${reason}`;
  return `${name(cell)} ${at.join(", ")}: ${result}`;
}
