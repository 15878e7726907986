/** Runs of the same cells under several implementations of WebGPU on one GPU, in alternating blocks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../kernels/device/errors.js";
import type { CellSpec } from "../base/experiment.js";
import { denoCommand, type Implementation, isBrowser } from "../device/adapter/deno.js";
import { RUN_FILE } from "../results/names.js";
import { programOf } from "./browser-start.js";
import { NO_PROGRESS, type Progress } from "./progress.js";
import { type RunOptions, type RunSummary, run } from "./run.js";
import { Turns } from "./turns.js";

/**
 * A run per implementation, whose results are in a folder of its name; `out` holds them. Where one fails, all end with its error. Throws a
 * UsageError before any begins where a program is missing.
 */
export async function alternate(
  options: RunOptions,
  webgpu: readonly Implementation[],
  progress: Progress,
): Promise<{ readonly out: string; readonly runs: readonly RunSummary[] }> {
  for (const one of webgpu) {
    if (isBrowser(one)) programOf(one);
    if (one === "wgpu") denoCommand();
  }
  const turns = new Turns(webgpu.length);
  let out: string | undefined;
  const ofOne = together(webgpu.length, progress, () => out ?? "");
  const runs = webgpu.map((implementation) =>
    run(
      {
        ...options,
        on: { ...options.on, webgpu: implementation },
        turns,
        out: (device) => {
          out ??= parentFor(options.out(device));
          return join(out, implementation);
        },
      },
      ofOne(implementation),
    ).catch((error) => {
      turns.end(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(runs).finally(() => progress.ended());
  const failed = ends.find(({ status }) => status === "rejected");
  if (failed?.status === "rejected") throw failed.reason;
  return { out: out ?? "", runs: ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : [])) };
}

/** Throws a UsageError where the folder holds a run of one implementation. */
function parentFor(out: string): string {
  if (!existsSync(join(out, RUN_FILE))) return out;
  throw new UsageError(`--out ${out} holds a run of one implementation; give another --out`);
}

/** Several runs as one: it starts when all have, and a note of all is told once. */
function together(members: number, progress: Progress, out: () => string): (name: string) => Progress {
  const notes = new Set<string>();
  const started: Parameters<Progress["started"]>[2][] = [];
  return (name) => {
    const under = (cell: CellSpec): CellSpec => ({ ...cell, op: `${cell.op} under ${name}` });
    return {
      ...NO_PROGRESS,
      started(device, planned, work) {
        started.push(work);
        if (started.length < members) return;
        const cells = started.flatMap((one) => one.cells);
        const experiments = started.flatMap(({ expected }) => expected.experiments);
        const sum = (end: "from" | "to") => started.reduce((all, { expected }) => all + expected.seconds[end], 0);
        const expected = { experiments, seconds: { from: sum("from"), to: sum("to") } };
        progress.started(device, planned, { cells, expected, budgetMs: work.budgetMs }, out());
      },
      note(line) {
        if (!notes.has(line)) progress.note(line);
        notes.add(line);
      },
      working: (cell, phase, samples) => progress.working(under(cell), phase, samples),
      finished: (cell, result) => progress.finished(under(cell), result),
    };
  };
}
