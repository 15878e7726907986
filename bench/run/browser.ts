/** Workers as threads of a page, in a browser that is started for each. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../base/errors.js";
import { tail } from "../native/tail.js";
import { BrowserPage } from "./browser-page.js";
import type { BrowserStart } from "./browser-start.js";
import type { Child } from "./pool.js";
import type { FromWorker } from "./protocol.js";

/** Why a browser has ended is known a little later than that its page is gone. */
const REASON_MS = 1000;

/** @param launcher put before the command; see GpuSlot */
export function browserChild({ command, argumentsFor, env }: BrowserStart, launcher: readonly string[] = []): Child {
  const profile = mkdtempSync(join(tmpdir(), "hashbench-browser-"));
  let heard: (said: FromWorker) => void = () => undefined;
  let ended: (why: string) => void = () => undefined;
  let gone: string | null = null;
  /** Of its processes, which are a group and end as one. */
  let group: number | undefined;
  const kill = () => {
    try {
      if (group !== undefined) process.kill(-group, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  };
  const end = (why: string) => {
    gone ??= why;
    ended(gone);
  };
  const page = new BrowserPage(
    (said) => (said.type === "gone" ? end(said.why) : heard(said)),
    () => setTimeout(() => end("its page was closed"), REASON_MS).unref(),
  );
  // A command that is done does not wait for the browser's end.
  const clear = () => {
    process.off("exit", clear);
    kill();
    page.end();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", clear);
  const over = (why: string) => {
    clear();
    end(why);
  };
  const start = async () => {
    const [program = "", ...args] = [...launcher, ...command, ...argumentsFor(profile), await page.listen()];
    // It was ended before it began.
    if (gone !== null) return clear();
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      detached: true,
    });
    group = child.pid;
    const errors = tail(child.stderr);
    child.on("error", ({ message }) => over(message));
    child.on("exit", (code, signal) => over(`${signal ?? `code ${code}`}${errors.line()}`));
  };
  start().catch((error) => over(messageOf(error)));
  return {
    send: (message) => page.tell(message),
    listen(onMessage, onEnd) {
      heard = onMessage;
      ended = onEnd;
      if (gone !== null) onEnd(gone);
    },
    leave() {
      heard = () => undefined;
      ended = () => undefined;
    },
    kill() {
      gone ??= "SIGKILL";
      kill();
    },
  };
}
