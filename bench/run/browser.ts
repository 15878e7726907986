/** Workers as threads of a Chromium without a window, which is started for each and driven by its DevTools protocol over a pipe. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { UsageError } from "../../kernels/device/errors.js";
import { packageRoot } from "../base/paths.js";
import { tail } from "../native/tail.js";
import type { Child } from "./pool.js";
import type { FromWorker } from "./protocol.js";

/** Names a Chromium that is not in the PATH, or a script that starts one with its own libraries. */
const NAMED = "HASHBENCH_CHROMIUM";
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const WORKER = join(packageRoot, "dist", "page", "worker.js");

const ARGUMENTS = [
  "--headless=new",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The worker's modules lie in files.
  "--allow-file-access-from-files",
  // Also timestamps that are not rounded.
  "--enable-unsafe-webgpu",
];
/** On a GPU without a display. */
const ON_GPU = ["--use-angle=vulkan", "--enable-features=Vulkan", "--disable-vulkan-surface", "--ignore-gpu-blocklist"];
const ON_SWIFTSHADER = ["--use-webgpu-adapter=swiftshader"];
/** Chromium does not start as root otherwise, nor reach the GPU in some containers. */
const AS_ROOT = ["--no-sandbox", "--disable-gpu-sandbox", "--no-zygote"];

/** A command line that starts Chromium on that adapter. Throws a UsageError where there is none. */
export function chromiumCommand(adapter: string): readonly [string, ...string[]] {
  const named = process.env[NAMED];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
  const program = named ?? found;
  if (!program || !existsSync(program))
    throw new UsageError(
      named
        ? `${NAMED}=${named}: no such file`
        : `--webgpu chromium needs ${PROGRAMS[0]} in the PATH, or ${NAMED}=<program>`,
    );
  const gpu = /swiftshader/i.test(adapter) ? ON_SWIFTSHADER : ON_GPU;
  return [program, ...ARGUMENTS, ...gpu, ...(process.getuid?.() === 0 ? AS_ROOT : [])];
}

interface Result {
  readonly targetId?: string;
  readonly sessionId?: string;
  readonly exceptionDetails?: object;
  /** Of an expression. */
  readonly result?: { readonly value?: unknown };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly payload?: string };
  readonly result?: Result;
  readonly error?: { readonly message: string };
}

/** Starts the worker of the page in a browser of its own. */
export function browserChild(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Child {
  const profile = mkdtempSync(join(tmpdir(), "hashbench-browser-"));
  const child = spawn(program, [...args, `--user-data-dir=${profile}`, "about:blank"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    // Its processes are a group, which ends as one.
    detached: true,
  });
  const errors = tail(child.stderr);
  const [toBrowser, fromBrowser] = [child.stdio[3], child.stdio[4]] as [Duplex, Duplex];
  const waiting = new Map<number, (message: Message) => void>();
  let heard: (said: FromWorker) => void = () => undefined;
  let ended: (why: string) => void = () => undefined;
  let gone: string | null = null;
  const end = (why: string) => {
    gone ??= why;
    ended(gone);
  };
  const said = (payload: string) => {
    const message = JSON.parse(payload) as FromWorker | { readonly type: "gone"; readonly why: string };
    if (message.type === "gone") end(message.why);
    else heard(message);
  };
  lines(fromBrowser, (text) => {
    const message = JSON.parse(text) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === "Runtime.bindingCalled") said(message.params?.payload ?? "");
  });
  // What was written to a browser that has ended.
  toBrowser.on("error", () => undefined);
  child.on("error", (error) => end(error.message));
  const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  // A command that is done does not wait for the browser's end.
  process.once("exit", remove);
  child.on("exit", (code, signal) => {
    process.off("exit", remove);
    remove();
    end(`${signal ?? `code ${code}`}${errors.line()}`);
  });
  let last = 0;
  const call = async (method: string, params: object, sessionId?: string) => {
    const id = ++last;
    const { result = {}, error } = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve);
      toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    if (result.exceptionDetails) throw new Error(JSON.stringify(result.exceptionDetails));
    return result;
  };
  const session = (async () => {
    const url = pathToFileURL(WORKER).href;
    const { targetId } = await call("Target.createTarget", { url });
    const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
    const evaluate = (expression: string) => call("Runtime.evaluate", { expression }, sessionId);
    await call("Runtime.enable", {}, sessionId);
    await call("Runtime.addBinding", { name: "say" }, sessionId);
    // The page shows the worker's own text: its scripts have the same origin. It begins as an empty one, which has another.
    while ((await evaluate("location.href")).result?.value !== url) await sleep(50);
    await evaluate(`(() => {
      const worker = new Worker(${JSON.stringify(url)}, { type: "module" });
      worker.onmessage = ({ data }) => say(JSON.stringify(data));
      worker.onerror = ({ message }) => say(JSON.stringify({ type: "gone", why: message || "its script could not be loaded" }));
      globalThis.tell = (message) => worker.postMessage(message);
    })()`);
    return evaluate;
  })();
  session.catch((error: Error) => end(error.message));
  return {
    send: (message) =>
      void session.then((evaluate) => evaluate(`tell(${JSON.stringify(message)})`)).catch(() => undefined),
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
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    },
  };
}

/** Hands over each text of the stream that ends with a zero. */
function lines(stream: Duplex, take: (text: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop() ?? "";
    for (const part of parts) take(part);
  });
}
