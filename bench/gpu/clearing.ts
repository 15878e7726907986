/**
 * NVIDIA's driver clears memory that was freed, in the background: on an H100 for 2.1 ms a GiB, in which lookups take 1.2 times as long. It
 * begins once Dawn gives the memory back, which is with a submission after `destroy`. What is measured waits for it.
 */

const MS_A_GIB = 3;
/** Between the submission and the memory's return. */
const LATE_MS = 2;
/** What less takes is shorter than the work before a sample. */
const LEAST_BYTES = 2 ** 26;

export class Clearing {
  /** Bytes that were freed since the last submission. */
  private freed = 0;
  private until = 0;

  /** Whether what was freed waits for a submission. */
  get waits(): boolean {
    return this.freed >= LEAST_BYTES;
  }

  free(bytes: number): void {
    this.freed += bytes;
  }

  /** @param now milliseconds */
  submitted(now = performance.now()): void {
    if (!this.waits) return;
    this.until = Math.max(this.until, now + LATE_MS) + (this.freed / 2 ** 30) * MS_A_GIB;
    this.freed = 0;
  }

  /** How long it still takes. @param now milliseconds */
  leftMs(now = performance.now()): number {
    return Math.max(0, this.until - now);
  }
}
