/** `hashbench run --dry-run`: what a run would measure, and for how long. */

import { columns } from "../base/document.js";
import { decimals } from "../base/format.js";
import { deviceLine } from "../results/device-name.js";
import { type DryRun, dryRun } from "../run/dry-run.js";
import type { RunOptions } from "../run/run.js";
import { rangeText } from "./time-left.js";

export async function showDryRun(options: RunOptions, json: boolean): Promise<void> {
  const found = await dryRun(options);
  if (json) {
    const { estimate, ...rest } = found;
    console.log(JSON.stringify({ dryRun: true, ...rest, ...estimate }, null, 1));
  } else for (const line of dryRunLines(found)) console.log(line);
}

function dryRunLines({ device, estimate, kept, bytes, cells, out }: DryRun): string[] {
  const { experiments, seconds } = estimate;
  const rows = experiments.map(({ id, cells, seconds, from }) => [id, `${cells}`, rangeText(seconds), from]);
  const mib = (value: number) => `${decimals(value / 2 ** 20, value < 2 ** 20 ? 2 : 0)} MiB`;
  return [
    deviceLine(device),
    columns(["experiment", "cells", "time", "from"], rows),
    `cells:   ${cells.length}${kept > 0 ? `, and ${kept} that ${out} has already` : ""}`,
    `memory:  ${mib(bytes.cell)} for the largest cell, ${mib(bytes.group)} for the largest group, without data sets`,
    `time:    ${rangeText(seconds)}`,
    "nothing was measured or written",
  ];
}
