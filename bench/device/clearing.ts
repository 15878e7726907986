/**
 * NVIDIA's driver clears memory that was freed, in the background, and slows lookups down meanwhile (results/studies/freed-memory.md).
 * It begins once Dawn gives the memory back. That is when work that was submitted after `destroy` has ended: behind a long pass the
 * time starts at that pass's end. What is measured waits for it.
 */

const MS_A_GIB = 3;
/** Between that end and the memory's return. */
const LATE_MS = 2;
/** What less takes is shorter than the work before a sample. */
const LEAST_BYTES = 2 ** 26;

export class Clearing {
  /** Bytes that were freed since the last submission. */
  private freed = 0;
  /** Those that come back when that submission has ended, the oldest first. */
  private returning: { readonly submission: number; readonly bytes: number }[] = [];
  private until = 0;

  /** Whether what was freed has yet to come back. */
  get waits(): boolean {
    return this.freed >= LEAST_BYTES || this.returning.length > 0;
  }

  free(bytes: number): void {
    this.freed += bytes;
  }

  submitted(submission: number): void {
    if (this.freed < LEAST_BYTES) return;
    this.returning.push({ submission, bytes: this.freed });
    this.freed = 0;
  }

  /** It has ended, and all before it. @param now milliseconds */
  ended(submission: number, now = performance.now()): void {
    for (let [first] = this.returning; first && first.submission <= submission; [first] = this.returning) {
      this.returning.shift();
      this.until = Math.max(this.until, now + LATE_MS) + (first.bytes / 2 ** 30) * MS_A_GIB;
    }
  }

  /** How long it still takes. @param now milliseconds */
  leftMs(now = performance.now()): number {
    return Math.max(0, this.until - now);
  }
}
