/** Commands that measure, interrupted. */
import { NO_PROGRESS, type Progress } from "../run/progress.js";
import { cellProgress } from "./progress.js";

/** What ends a run early, with the exit codes that a shell gives: Ctrl-C, and a scheduler that takes a task's machine away. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ctrl-C ends the work, and the process, with a line that says what is left of it, and SIGTERM does. What has been measured is on
 * disk, workers end with their parent, and the folder's lock goes: the task may go on at once, on another machine.
 * @param quiet without progress
 * @param rest what is left, given the results folder once there is one
 */
export async function interruptible<T>(
  quiet: boolean | undefined,
  rest: (out: string | null) => string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const shown = quiet ? NO_PROGRESS : cellProgress(process.stderr);
  let out: string | null = null;
  let [cells, measured] = [0, 0];
  const interrupt = (signal: keyof typeof INTERRUPTED): void => {
    shown.ended();
    const at = cells > 0 ? ` at ${measured} of ${cells} cells` : "";
    console.error(`hashbench: interrupted${at}; ${rest(out)}`);
    process.exit(INTERRUPTED[signal]);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work({
      ...shown,
      started(device, planned, work, folder) {
        out = folder;
        cells = work.cells.length;
        shown.started(device, planned, work, folder);
      },
      finished(cell, result) {
        measured += 1;
        shown.finished(cell, result);
      },
    });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** How a run goes on that was interrupted. */
export function resumed(flags: {
  readonly out?: string;
  readonly resume?: boolean;
  readonly force?: boolean;
}): (out: string | null) => string {
  return (out) => {
    if (flags.out && flags.resume) return "the same command goes on";
    if (out === null) return "nothing was measured";
    const place = flags.out ? "" : `--out ${JSON.stringify(out)} and `;
    return `the same command with ${place}--resume${flags.force ? " in place of --force" : ""} goes on`;
  };
}
