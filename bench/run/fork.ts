/** Workers as processes of Node. */
import { fork } from "node:child_process";
import { join } from "node:path";
import { packageRoot } from "../base/paths.js";
import { tail } from "../native/tail.js";
import type { Child } from "./pool.js";
import type { FromWorker } from "./protocol.js";

/** @param env which Vulkan driver and loader @param command what runs the worker, with what is put before it; see GpuSlot */
export function forked(env: Readonly<Record<string, string>>, command: readonly string[]): Child {
  const [program = process.execPath, ...args] = command;
  const child = fork(join(packageRoot, "dist", "bench", "run", "worker.js"), {
    execPath: program,
    execArgv: args,
    env: { ...process.env, ...env },
    // Dawn prints warnings about limits at every start; they are shown only as the reason of a crash.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const spawned = new Promise((resolve) => child.once("spawn", resolve));
  let quiet = (): void => undefined;
  const leave = (): void => {
    child.removeAllListeners("message");
    child.removeAllListeners("exit");
    quiet();
  };
  return {
    send: (message) => void spawned.then(() => child.send(message)),
    listen(onMessage, onEnd) {
      leave();
      const errors = tail(child.stderr);
      quiet = errors.end;
      child.on("message", (message) => onMessage(message as FromWorker));
      child.once("exit", (code, signal) => onEnd(`${signal ?? `code ${code}`}${errors.line()}`));
    },
    leave,
    kill: () => void child.kill("SIGKILL"),
  };
}
