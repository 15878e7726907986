/** Tells what a run would measure, and for how long. It opens the device, measures nothing and writes nothing. */

import type { DeviceInfo } from "../../kernels/device/gpu.js";
import type { CellSpec } from "../base/experiment.js";
import { slotsFor } from "../device/adapter/slots.js";
import { finishedIn } from "../results/write.js";
import type { Estimate } from "./estimate.js";
import { Group } from "./group.js";
import { onDevice, vendorOf } from "./open.js";
import { blocks, bundles, knownBytes, type Part, placeIn } from "./order.js";
import { askedOn, leftOf, type RunOptions, workersFor } from "./run.js";

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

export function dryRun(options: RunOptions): Promise<DryRun> {
  // One worker tells what the device is.
  const { device, largePages, webgpu = "dawn", gpus = 1 } = options.on;
  return onDevice({ device, largePages, webgpu }, workersFor(options), async (opened) => {
    const { device, choice, memory } = opened;
    const { planned, out, asked } = askedOn(opened, options);
    const finished = new Set(finishedIn(out, asked, options));
    const slots = slotsFor(vendorOf(choice), gpus);
    const { parts, cells, kept, expected } = leftOf(planned, finished, opened, out, slots.length);
    return { device, out, estimate: expected, kept, bytes: largest(parts, memory), cells };
  });
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
