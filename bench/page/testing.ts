/** For the tests of the page: a real Firefox. */
import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../base/errors.js";
import { type Preferences, writePreferences } from "../run/browser-start.js";

export interface Firefox {
  /** Where it puts what is downloaded. */
  readonly downloads: string;
  open(address: string): Promise<void>;
  /** Runs the body of an async function in the page; its value, as JSON has it. Rejects with what it throws. */
  run(body: string): Promise<unknown>;
  /** Waits until the expression holds in the page. Rejects after so many seconds. */
  until(expression: string, seconds: number): Promise<void>;
  /** What it has printed: errors of pages among it. */
  printed(): string;
  close(): Promise<void>;
}

/**
 * The system's Firefox, without a window; a text that says why where there is none or it does not start. It is driven by its own
 * protocol, Marionette: Playwright asks for a command of WebDriver BiDi that Firefox 153 lacks.
 */
export async function openFirefox(preferences: Preferences): Promise<Firefox | string> {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const programs = ["firefox-esr", "firefox"].flatMap((name) => folders.map((folder) => join(folder, name)));
  const program = programs.find((path) => existsSync(path));
  if (!program) return "no Firefox: firefox-esr or firefox is not in the PATH";
  const profile = await mkdtemp(join(tmpdir(), "hashbench-firefox-"));
  const downloads = join(profile, "downloads");
  await mkdir(downloads);
  const own = { "marionette.port": 0, "browser.download.folderList": 2, "browser.download.dir": downloads };
  writePreferences(profile, { ...own, ...preferences });
  const log = join(profile, "log.txt");
  // With the profile as its home it leaves nothing elsewhere.
  const env = { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: "1" };
  const words = ["--headless", "--no-remote", "--marionette", "--profile", profile];
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const written = createWriteStream(log);
  for (const stream of [child.stdout, child.stderr]) stream.pipe(written, { end: false });
  const close = async () => {
    await end(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const session = new Marionette(await connected(join(profile, "MarionetteActivePort"), child));
    await session.call("WebDriver:NewSession", { capabilities: { alwaysMatch: {} } });
    await session.call("WebDriver:SetTimeouts", { script: 60_000, pageLoad: 60_000 });
    const run = (body: string) => session.run(body);
    return {
      downloads,
      close,
      run,
      printed: () => readFileSync(log, "utf8"),
      async open(address) {
        await session.call("WebDriver:Navigate", { url: address });
      },
      async until(expression, seconds) {
        for (const began = Date.now(); (await run(`return Boolean(${expression})`)) !== true; await sleep(200))
          if (Date.now() - began > 1000 * seconds) throw new Error(`not within ${seconds} s: ${expression}`);
      },
    };
  } catch (error) {
    await close();
    return `no Firefox: ${program}: ${messageOf(error)}`;
  }
}

/** Ends it, and the processes that it has started: they are a group. */
async function end({ pid, exitCode, signalCode }: ChildProcess): Promise<void> {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
  await sleep(200);
}

/** Waits for the file that holds the port, and connects. */
async function connected(file: string, child: ChildProcess): Promise<Socket> {
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  for (const began = Date.now(); Date.now() - began < 60_000; await sleep(100)) {
    if (failure) throw failure;
    if (child.exitCode !== null) throw new Error(`it ended with status ${child.exitCode}`);
    const port = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (port > 0) return connect(port, "127.0.0.1");
  }
  throw new Error("it did not listen within 60 s");
}

/** The protocol: `<bytes>:<JSON>`, one answer a command. */
class Marionette {
  private received = Buffer.alloc(0);
  private last = 0;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();

  constructor(private readonly socket: Socket) {
    socket.on("data", (bytes) => this.take(bytes));
    const ended = () => {
      for (const { reject } of this.waiting.values()) reject(new Error("Firefox has ended"));
      this.waiting.clear();
    };
    socket.on("error", ended);
    socket.on("close", ended);
  }

  call(command: string, parameters: object): Promise<unknown> {
    this.last += 1;
    const text = JSON.stringify([0, this.last, command, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((resolve, reject) => this.waiting.set(this.last, { resolve, reject }));
  }

  async run(body: string): Promise<unknown> {
    const script = `const done = arguments[arguments.length - 1];
      (async () => {${body}})().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value } = (await this.call("WebDriver:ExecuteAsyncScript", { script, args: [] })) as {
      value: { value?: unknown; error?: string };
    };
    if (value.error !== undefined) throw new Error(value.error);
    return value.value;
  }

  private take(bytes: Buffer): void {
    this.received = Buffer.concat([this.received, bytes]);
    for (;;) {
      const colon = this.received.indexOf(":");
      const end = colon + 1 + Number(this.received.toString("latin1", 0, Math.max(0, colon)));
      if (colon < 0 || this.received.length < end) return;
      const message: unknown = JSON.parse(this.received.toString("utf8", colon + 1, end));
      this.received = this.received.subarray(end);
      // The first is a greeting.
      if (!Array.isArray(message)) continue;
      const [, id, error, value] = message as [number, number, { message: string } | null, unknown];
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) waiting?.reject(new Error(error.message));
      else waiting?.resolve(value);
    }
  }
}
