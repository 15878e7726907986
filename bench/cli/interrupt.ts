/** `hashbench run`, interrupted. */
import type { Progress } from "../run/progress.js";
import { cellProgress } from "./progress.js";

/** What ends a run early, with the exit codes that a shell gives: Ctrl-C, and a scheduler that takes a task's machine away. */
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Ctrl-C ends the work, and the process, with how to go on, and SIGTERM does. What has been measured is on disk, workers end with
 * their parent, and the folder's lock goes: the task may go on at once, on another machine.
 */
export async function interruptible<T>(
  flags: { readonly out?: string; readonly resume?: boolean; readonly force?: boolean },
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const shown = cellProgress(process.stderr);
  let out: string | null = null;
  const interrupt = (signal: keyof typeof INTERRUPTED): void => {
    shown.ended();
    const place = flags.out ? "" : `--out ${JSON.stringify(out)} and `;
    const resume = `${place}--resume${flags.force ? " in place of --force" : ""}`;
    const rest = out === null ? "nothing was measured" : `the same command with ${resume} goes on`;
    console.error(`hashbench: interrupted; ${flags.out && flags.resume ? "the same command goes on" : rest}`);
    process.exit(INTERRUPTED[signal]);
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    return await work({
      ...shown,
      started(device, planned, total, folder) {
        out = folder;
        shown.started(device, planned, total, folder);
      },
    });
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}
