/** An array that a native table's program and this process have. */
import { ProgramLost } from "../base/errors.js";
import type { Program } from "./program.js";
import { nothing } from "./replies.js";
import { CHUNK, type SharedFile, SharedFiles, type Words } from "./shared-files.js";

const files = new SharedFiles();

/** u32 words in a file. */
export class SharedArray {
  private constructor(
    private readonly program: Program,
    private readonly file: SharedFile,
    /** In requests. */
    readonly number: number,
  ) {}

  get words(): number {
    return this.file.words;
  }

  /** Of so many words at least and no content, to be written by both. Throws DoesNotFit. */
  static async scratch(program: Program, words: number): Promise<SharedArray> {
    return SharedArray.of(program, await files.scratch(words));
  }

  /**
   * Of what is called `content` wherever it is wanted: the programs of all tables read one file, which is written once. Throws
   * DoesNotFit.
   */
  static async holding(program: Program, content: string, n: number, words: Words): Promise<SharedArray> {
    const array = await SharedArray.of(program, await files.holding(content, n, words));
    try {
      await array.sent();
    } catch (error) {
      await array.drop();
      throw error;
    }
    return array;
  }

  private static async of(program: Program, file: SharedFile): Promise<SharedArray> {
    const number = program.nextArray();
    try {
      const write = file.content === "";
      await program.ask("share", nothing, { array: number, words: file.words, file: file.path, write });
    } catch (error) {
      files.give(file, false);
      throw error;
    }
    // Both have it open.
    file.unname();
    return new SharedArray(program, file, number);
  }

  /** Writes n words, and has the program take them. */
  async send(n: number, words: Words): Promise<void> {
    await this.file.write(n, words);
    await this.sent();
  }

  /** Each of the first n words is made of this byte where the program has them; in the file as well, or not. */
  async fill(n: number, byte: number): Promise<void> {
    if (this.program.fills) {
      await this.program.ask("fill", nothing, { array: this.number, byte });
      return;
    }
    const some = new Uint32Array(Math.min(n, CHUNK)).fill(byte * 0x01010101);
    await this.send(n, (_, words) => some.subarray(0, words));
  }

  private sent(): Promise<unknown> {
    return this.program.ask("send", nothing, { array: this.number });
  }

  /** Has the program write down what it has now. Throws a ProgramLost if the file has become shorter. */
  async fetch(): Promise<void> {
    await this.program.ask("fetch", nothing, { array: this.number });
    const { bytes, size } = this.file;
    if (size !== bytes)
      throw this.program.lose(new ProgramLost(`an array of ${bytes} bytes has ${size} after its program used it`));
  }

  /** Words from `first` on, as many as `into` has, as they were fetched last. */
  read(into: Uint32Array, first = 0): void {
    this.file.read(into, first);
  }

  /** Gives it back. */
  async drop(): Promise<void> {
    try {
      if (this.program.alive) await this.program.ask("drop", nothing, { array: this.number });
    } finally {
      files.give(this.file, this.program.alive);
    }
  }
}
