/** What a run would measure, and for how long: it opens the device, measures nothing and writes nothing. */

import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import { slotsFor } from "../device/adapter/slots.js";
import { cellKey } from "../results/key.js";
import { finishedIn } from "../results/write.js";
import { bytesOf } from "../scenarios/index.js";
import { configuration } from "./configuration.js";
import { earlierOn } from "./earlier.js";
import { type Estimate, estimate } from "./estimate.js";
import { forkPool } from "./fork.js";
import { Group } from "./group.js";
import { blocks, bundles, only, type Part, placeIn } from "./order.js";
import { hasCoresAside, idsOf, openingOf, plannedFor, type RunOptions, runInfo } from "./run.js";

export interface DryRun {
  readonly device: DeviceInfo;
  readonly out: string;
  readonly estimate: Estimate;
  /** Finished in the folder that --resume names. */
  readonly kept: number;
  /** Device bytes of the largest cell, and of the cells that are measured in turn, data sets excluded. */
  readonly bytes: { readonly cell: number; readonly group: number };
  readonly cells: readonly CellSpec[];
}

export async function dryRun(options: RunOptions): Promise<DryRun> {
  const { choice, software, quick, poolOptions } = await openingOf(options);
  const pool = forkPool(poolOptions);
  try {
    const device = await pool.device();
    const planned = plannedFor({ ...options, quick }, device);
    const out = options.out(device);
    const asked = configuration(options, planned, runInfo(device, options));
    const finished = new Set(finishedIn(out, asked, options));
    const parts = only(planned, (cell) => !finished.has(cellKey(cell)));
    const cells = parts.flatMap((part) => part.cells);
    const all = planned.reduce((sum, part) => sum + part.cells.length, 0);
    const gpus = slotsFor(software ? "" : (choice.details?.vendor ?? choice.name), options.gpus).length;
    return {
      device,
      out,
      estimate: estimate(parts, {
        device,
        earlier: earlierOn(device, out, idsOf(options)),
        beside: hasCoresAside(software),
        gpus,
      }),
      kept: all - cells.length,
      bytes: largest(parts, poolOptions.memory),
      cells,
    };
  } finally {
    pool.stop();
  }
}

/** Groups as the worker makes them, where time does not end one sooner. */
export function largest(parts: readonly Part[], memory: number): DryRun["bytes"] {
  let cell = 0;
  let group = 0;
  for (const block of blocks(parts)) {
    const place = placeIn(block.experiments);
    let current: Group | undefined;
    for (const [spec] of bundles(block.cells, (one) => one)) {
      const bytes = knownBytes(spec);
      // It will be skipped.
      if (!bytes) continue;
      cell = Math.max(cell, bytes.all);
      const candidate = { bytes, place: place(spec) };
      if (!current?.joins(candidate)) {
        current = new Group({ memory, room: Number.POSITIVE_INFINITY }, () => 0);
        current.joins(candidate);
      }
      group = Math.max(group, current.held);
    }
  }
  return { cell, group };
}

function knownBytes(spec: CellSpec): ReturnType<typeof bytesOf> | null {
  try {
    return bytesOf(spec);
  } catch {
    return null;
  }
}
