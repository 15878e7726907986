/** A native table's program: a child process that speaks the protocol of kernels/native/README.md. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { constants } from "node:os";
import { z } from "zod";
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import { ProgramLost } from "../base/errors.js";
import { oneLine } from "../results/line.js";
import { type Manifest, PROTOCOL } from "./manifest.js";
import { line, ns } from "./replies.js";
import { namesOfFiles } from "./shared-files.js";
import { tail } from "./tail.js";

/** For a program to start, and to say what it is: CUDA takes a second. */
const HELLO_MS = 30_000;
/** For a program to end by itself. */
const END_MS = 2_000;
/** Characters of the longest reply. */
const LONGEST = 1 << 16;

const helloSchema = z.object({
  protocol: z.literal(PROTOCOL, `the protocol's version ${PROTOCOL} is wanted`),
  device: line,
  driver: line,
  compiler: line,
  library: line,
  clock: line,
  fills: z.literal(1).optional(),
});

/** What a program says of itself: texts of one line. `device`: as its own API names it; `clock`: what times operations. */
export type Facts = Omit<z.infer<typeof helloSchema>, "protocol" | "fills">;

interface Waiting {
  take(reply: unknown): void;
  reject(error: unknown): void;
}

/** Items first … first + n - 1 of arrays (`SharedArray`), by the names that an operation has for these. */
export interface Operands {
  readonly arrays: Readonly<Record<string, { readonly number: number }>>;
  readonly first?: number;
  readonly n: number;
}

export class Program {
  private readonly waiting: Waiting[] = [];
  private lost: Error | null = null;
  private unread = "";
  private arrays = 0;
  private said: Facts | null = null;
  /** It fills arrays by itself. */
  fills = false;

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcessWithoutNullStreams,
  ) {
    const errors = tail(child.stderr);
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.take(text));
    child.on("error", (error) => this.lose(new UsageError(`${name} cannot be started: ${oneLine(error.message)}`)));
    // Of a pipe whose reader has gone: its end is said by `exit`.
    child.stdin.on("error", () => undefined);
    child.once("close", (code, signal) => {
      this.lose(new ProgramLost(`${name}: its program ended with ${signal ?? `code ${code}`}${errors.line()}`));
    });
    // It does not keep this process alive: whoever waits for a reply does.
    child.unref();
    for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
  }

  /**
   * Starts the program in the folder of its manifest. It ends when this process does, whatever it is doing then.
   * Throws a UsageError if it cannot be started, or what it says is not of this version of the protocol; DoesNotFit if it cannot
   * run here.
   */
  static async start({ id, command: [file = "", ...args], folder }: Manifest, limitMs = HELLO_MS): Promise<Program> {
    const child = spawn(file, args, { cwd: folder, stdio: "pipe", detached: true });
    const program = new Program(id, child);
    if (child.pid !== undefined) guard(child, child.pid);
    const late = setTimeout(
      () => program.lose(new UsageError(`${id}: its program does not answer within ${limitMs / 1000} s`)),
      limitMs,
    );
    try {
      const { protocol: _, fills, ...facts } = await program.ask("hello", helloSchema, { protocol: PROTOCOL });
      program.said = facts;
      program.fills = fills !== undefined;
      return program;
    } catch (error) {
      program.end();
      throw error instanceof ProgramLost ? new UsageError(error.message) : error;
    } finally {
      clearTimeout(late);
    }
  }

  get facts(): Facts {
    if (!this.said) throw new Error("no program says what it is before it has started");
    return this.said;
  }

  /** Whether it can be asked. */
  get alive(): boolean {
    return this.lost === null;
  }

  /**
   * Sends a request; its reply. Rejects with DoesNotFit if the program cannot do it, with an Error if it failed, and with ProgramLost if
   * it ended, or what it said is no reply: then it is killed.
   */
  ask<T>(what: string, reply: z.ZodType<T>, more: object = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.lost) return reject(this.lost);
      const take = (said: unknown): void => {
        try {
          resolve(this.read(what, reply, said));
        } catch (error) {
          reject(error);
        }
      };
      this.waiting.push({ take, reject });
      this.child.stdin.write(`${JSON.stringify({ do: what, ...more })}\n`);
    });
  }

  private read<T>(what: string, reply: z.ZodType<T>, said: unknown): T {
    const { unfit, error } = refusalSchema.safeParse(said).data ?? {};
    if (unfit !== undefined) throw new DoesNotFit(`${this.name}: ${unfit}`);
    if (error !== undefined) throw new Error(`${this.name}: ${error}`);
    const parsed = reply.safeParse(said);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const why = [...(issue?.path ?? []), issue?.message].join(": ");
    throw this.lose(new ProgramLost(`${this.name}: ${shown(said)} is no reply to ${what}: ${why}`));
  }

  /** The same of an operation on arrays, whose reply has these members beside its nanoseconds. */
  async operate<Shape extends z.ZodRawShape>(what: string, { arrays, first = 0, n }: Operands, shape: Shape) {
    const numbers = Object.fromEntries(Object.entries(arrays).map(([name, { number }]) => [name, number]));
    const reply = z.object({ ns, ...shape });
    return this.ask(what, reply, { ...numbers, first, n });
  }

  /** By which requests name one more array. */
  nextArray(): number {
    this.arrays += 1;
    return this.arrays;
  }

  /** The program may end now, and is killed if it does not. */
  end(): void {
    this.child.stdin.end();
    setTimeout(() => kill(this.child), END_MS).unref();
  }

  private take(text: string): void {
    const lines = (this.unread + text).split("\n");
    this.unread = lines.pop() ?? "";
    for (const one of lines) this.reply(one);
    if (this.unread.length > LONGEST) this.lose(this.odd(this.unread));
  }

  private reply(text: string): void {
    if (this.lost) return;
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch {
      this.lose(this.odd(text));
      return;
    }
    const asked = this.waiting.shift();
    if (asked) asked.take(content);
    else this.lose(this.odd(text));
  }

  private odd(text: string): ProgramLost {
    return new ProgramLost(`${this.name}: its program said ${shown(text)}, which is no reply`);
  }

  /** Kills the program; all who wait get the error, and so does who asks later. The first error stays. */
  lose(error: Error): Error {
    this.lost ??= error;
    kill(this.child);
    for (const { reject } of this.waiting.splice(0)) reject(this.lost);
    return this.lost;
  }
}

const refusalSchema = z
  .object({ unfit: z.string().transform(oneLine), error: z.string().transform(oneLine) })
  .partial();

function shown(value: unknown): string {
  const text = oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Kills the process group of a child that is one. */
function kill({
  pid,
  exitCode,
  signalCode,
}: Pick<ChildProcessWithoutNullStreams, "pid" | "exitCode" | "signalCode">): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, constants.signals.SIGKILL);
  } catch {
    // It has just ended.
  }
}

/**
 * A shell that kills the child when this process ends, however it does, and removes arrays that were being made; it goes when the child
 * has ended.
 */
function guard(child: ChildProcessWithoutNullStreams, pid: number): void {
  const script = 'read -r ended || { kill -s KILL -- "-$0"; for name; do rm -f -- "$name"*; done; }';
  const shell = spawn("sh", ["-c", script, String(pid), ...namesOfFiles()], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.on("error", () => undefined);
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  child.once("exit", () => shell.stdin.end("ended\n"));
}
