/** Files in memory, which native tables' programs map. Those that are in no use any more are kept for the next table. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statfsSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { DoesNotFit } from "../../kernels/device/errors.js";

/** Words that are written at a time. */
export const CHUNK = 2 ** 24;
const WORD = 4;

/** Where files are memory, and where else they may be: containers have little of the first. */
const FOLDERS = ["/dev/shm", tmpdir()];

/** How names of files begin there, while they have one. */
export function namesOfFiles(): string[] {
  return FOLDERS.map((folder) => join(folder, `hashbench-${process.pid}-`));
}

/** Where a process finds the open files of another, which need no name then. */
const REOPENS = existsSync(`/proc/${process.pid}/fd`);

/** The first of the folders that has room for so many bytes. Throws DoesNotFit if none has. */
export function folderFor(bytes: number, folders: readonly string[] = FOLDERS): string {
  const found = folders.filter(existsSync).find((folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= bytes;
  });
  if (found === undefined) throw new DoesNotFit(`no room for an array of ${bytes} bytes in ${folders.join(" or ")}`);
  return found;
}

let made = 0;

/** Words of a file, in pieces: those from `first` on. */
export type Words = (first: number, n: number) => Promise<Uint32Array> | Uint32Array;

/** A file of u32 words. */
export class SharedFile {
  /** What it holds, as whoever wrote it says; "" of a file that may change. */
  content = "";
  /** Arrays that are it. */
  users = 0;
  private readonly descriptor: number;
  private name: string;

  /** Throws DoesNotFit. */
  constructor(readonly words: number) {
    made += 1;
    this.name = join(folderFor(WORD * words), `hashbench-${process.pid}-${made}`);
    this.descriptor = openSync(this.name, "wx+", 0o600);
    if (REOPENS) this.unname();
  }

  /** By which another process opens it. */
  get path(): string {
    return REOPENS ? `/proc/${process.pid}/fd/${this.descriptor}` : this.name;
  }

  /** Whether another process can open it still. */
  get reopens(): boolean {
    return this.name !== "" || REOPENS;
  }

  /** Whoever has it open keeps it. */
  unname(): void {
    if (this.name !== "") unlinkSync(this.name);
    this.name = "";
  }

  close(): void {
    this.unname();
    closeSync(this.descriptor);
  }

  /** As it was made. */
  get bytes(): number {
    return WORD * this.words;
  }

  /** In bytes, as it is now: a program may have cut it. */
  get size(): number {
    return fstatSync(this.descriptor).size;
  }

  async write(n: number, words: Words): Promise<void> {
    for (let first = 0; first < n; first += CHUNK) {
      const some = await words(first, Math.min(CHUNK, n - first));
      const bytes = new Uint8Array(some.buffer, some.byteOffset, some.byteLength);
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.descriptor, bytes, at, bytes.length - at, WORD * first + at);
    }
  }

  /** Reads words from `first` on, as many as `into` has. */
  read(into: Uint32Array, first: number): void {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    for (let at = 0; at < bytes.length; )
      at += readSync(this.descriptor, bytes, at, bytes.length - at, WORD * first + at);
  }
}

/** A file that is so many times too large is left for larger arrays: programs copy files as a whole. */
const SPARE = 1.25;

function memory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/** All files of this process, those in no use that were given back last behind the others. */
export class SharedFiles {
  private readonly files = new Set<SharedFile>();

  /** @param most Words beyond which none are kept. Default: a quarter of the memory that the process may have. */
  constructor(private readonly most = memory() / WORD / 4) {}

  /** A file for so many words of one array, of no content yet. Throws DoesNotFit. */
  async scratch(words: number): Promise<SharedFile> {
    const { file, fresh } = this.take(words);
    // Written, so that the room is taken now: who writes to a mapped file when there is none any more is killed.
    if (fresh) await this.filled(file, words, (_, n) => new Uint32Array(n));
    return file;
  }

  /** The file that holds this, for one more array; where there is none it is written now. Throws DoesNotFit. */
  async holding(content: string, n: number, words: Words): Promise<SharedFile> {
    const known = [...this.files].find((file) => file.content === content && file.reopens);
    if (known) {
      known.users += 1;
      return known;
    }
    const { file } = this.take(n);
    await this.filled(file, n, words);
    file.content = content;
    return file;
  }

  /** An array is no more. @param whole Whether nobody writes to its file any more. */
  give(file: SharedFile, whole: boolean): void {
    file.users -= 1;
    const kept = file.reopens && file.size === file.bytes && (whole || file.content !== "");
    if (!kept) file.content = "";
    if (file.users > 0) return;
    this.files.delete(file);
    if (!kept) file.close();
    else this.files.add(file);
    while (this.words > this.most && this.dropOldest());
  }

  private get words(): number {
    return [...this.files].reduce((sum, { words }) => sum + words, 0);
  }

  private take(words: number): { readonly file: SharedFile; readonly fresh: boolean } {
    const fits = (file: SharedFile) => file.words >= words && file.words <= SPARE * words;
    const free = [...this.files].find((file) => file.users === 0 && file.content === "" && fits(file));
    const file = free ?? this.make(words);
    file.users = 1;
    return { file, fresh: !free };
  }

  private make(words: number): SharedFile {
    for (;;) {
      try {
        const file = new SharedFile(words);
        this.files.add(file);
        return file;
      } catch (error) {
        if (!(error instanceof DoesNotFit) || !this.dropOldest()) throw error;
      }
    }
  }

  private async filled(file: SharedFile, n: number, words: Words): Promise<void> {
    try {
      await file.write(n, words);
    } catch (error) {
      this.give(file, false);
      throw error;
    }
  }

  /** Frees a file that is in no use; false if there is none. */
  private dropOldest(): boolean {
    const oldest = [...this.files].find(({ users }) => users === 0);
    if (!oldest) return false;
    this.files.delete(oldest);
    oldest.close();
    return true;
  }
}
