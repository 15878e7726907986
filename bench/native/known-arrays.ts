/** Arrays of known content that a program has: tables that it serves one after another want the same keys, values and queries. */
import type { Program } from "./program.js";
import { SharedArray } from "./shared-array.js";
import type { Words } from "./shared-files.js";

const WORD = 4;
/** Bytes of arrays that no table has, which are kept for the next one. */
const ROOM = 2 ** 32;

interface Entry {
  readonly bytes: number;
  readonly made: Promise<Made>;
  users: number;
}

interface Made {
  readonly array: SharedArray;
  /** Gives back what it takes of the device's memory. */
  readonly release: () => void;
}

export class KnownArrays {
  /** By content, those that were wanted last behind the others. */
  private readonly entries = new Map<string, Entry>();

  /** @param takes so many bytes of the device are the program's until what it resolves to is called */
  constructor(
    private readonly program: Program,
    private readonly takes: (bytes: number) => Promise<() => void>,
    private readonly room = ROOM,
  ) {}

  /** The array with n words of that content, which the caller has until it gives it back. Throws DoesNotFit. */
  async get(content: string, n: number, words: Words): Promise<SharedArray> {
    const known = this.entries.get(content);
    const entry = known ?? { bytes: WORD * n, made: this.make(content, n, words), users: 0 };
    this.entries.delete(content);
    this.entries.set(content, entry);
    entry.users += 1;
    try {
      return (await entry.made).array;
    } catch (error) {
      if (this.entries.get(content) === entry) this.entries.delete(content);
      throw error;
    }
  }

  /** Who got it does not use it any more. */
  async give(content: string): Promise<void> {
    const entry = this.entries.get(content);
    if (!entry) return;
    entry.users -= 1;
    await this.keep(this.room);
  }

  /** Keeps so many bytes of arrays that no table has, at most; whether there were more. */
  async keep(bytes: number): Promise<boolean> {
    const unused = [...this.entries].filter(([, { users }]) => users === 0);
    let sum = unused.reduce((all, [, entry]) => all + entry.bytes, 0);
    const dropped: Promise<void>[] = [];
    for (const [content, entry] of unused) {
      if (sum <= bytes) break;
      sum -= entry.bytes;
      this.entries.delete(content);
      dropped.push(entry.made.then(({ array, release }) => array.drop().finally(release)));
    }
    await Promise.all(dropped);
    return dropped.length > 0;
  }

  /** The program has ended, or is about to. */
  end(): void {
    for (const { made } of this.entries.values())
      made.then(({ array, release }) => array.drop().finally(release)).catch(() => undefined);
    this.entries.clear();
  }

  private async make(content: string, n: number, words: Words): Promise<Made> {
    const release = await this.takes(WORD * n);
    try {
      return { array: await SharedArray.holding(this.program, content, n, words), release };
    } catch (error) {
      release();
      throw error;
    }
  }
}
