/** The last line of a terminal, which says what is being done. It is drawn in place, and other output goes above it. */

import { setImmediate } from "node:timers/promises";
import { hanging } from "../base/document.js";

/** Part of a line that shows how much is done. */
const LEAST_BAR = 10;

export class StatusLine {
  private text: ((width: number) => string) | null = null;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  /** @param text in a line of that many columns; longer texts are cut */
  show(text: (width: number) => string): void {
    this.text = text;
    this.stream.write(`${ERASED}${this.drawn()}`);
  }

  /** A line, or several, that stay. */
  print(text: string): void {
    this.stream.write(`${ERASED}${fitted(text, this.stream)}\n${this.drawn()}`);
  }

  clear(): void {
    if (this.text) this.stream.write(ERASED);
    this.text = null;
  }

  /** A terminal that does not know its size says 0. */
  private drawn(): string {
    const width = (this.stream.columns || 80) - FREE;
    return this.text ? cut(this.text(width), width) : "";
  }
}

/** A line for people: on a terminal it is broken at words, elsewhere it is one line. */
export function fitted(line: string, { isTTY, columns }: NodeJS.WriteStream, indent?: string): string {
  return isTTY ? hanging(line, columns || 80, indent) : line;
}

/** Columns that stay free, so that no terminal goes on to the next line: it shows ^C where the cursor is. */
const FREE = 3;
const ERASED = "\r\x1b[K";

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
}

/** `name ████░░░░ rest`: the bar takes what is left of the width. @param nameWidth columns for the name, where there are that many */
export function barLine(
  { name, nameWidth, share, rest }: { name: string; nameWidth: number; share: number; rest: string },
  width: number,
): string {
  const room = width - rest.length - 2;
  const forName = Math.max(0, Math.min(nameWidth, room - LEAST_BAR));
  const bar = Math.max(0, room - forName);
  const full = Math.round(bar * Math.min(1, share));
  return `${cut(name, forName).padEnd(forName)} ${"█".repeat(full)}${"░".repeat(bar - full)} ${rest}`;
}

/** What is done, and how much of all. */
type Step = (name: string, done: number, total: number) => Promise<void>;

/** Steps of work that takes seconds, on a terminal's last line; nothing elsewhere. */
export function stepsOn(
  stream: NodeJS.WriteStream,
  quiet = false,
): { readonly step: Step; readonly ended: () => void } {
  if (quiet || !stream.isTTY) return { step: async () => undefined, ended: () => undefined };
  const line = new StatusLine(stream);
  const interrupt = (): void => {
    line.clear();
    console.error("hashbench: interrupted");
    process.exit(SIGINT);
  };
  process.once("SIGINT", interrupt);
  return {
    async step(name, done, total) {
      line.show((width) =>
        barLine({ name, nameWidth: NAME_WIDTH, share: done / total, rest: `${done}/${total}` }, width),
      );
      // Drawing gives no signal a turn by itself.
      await setImmediate();
    },
    ended() {
      process.off("SIGINT", interrupt);
      line.clear();
    },
  };
}

/** The exit code that a shell gives. */
const SIGINT = 130;
/** Columns for the name of a step. */
const NAME_WIDTH = 40;
