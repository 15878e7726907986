/**
 * Buffers that were freed, kept for the next allocation of their size: to zero one takes far less time than to allocate and free
 * it (results/studies/sampling.md, Memory).
 */

/** Smaller ones are allocated at once. */
const SMALLEST = 2 ** 20;

export class Spares {
  /** The oldest first. */
  private buffers: GPUBuffer[] = [];
  /** Bytes that are in use, and bytes kept. */
  private used = 0;
  private kept = 0;

  /**
   * @param room Bytes that buffers in use and kept ones may have together.
   * @param discard destroys a buffer
   */
  constructor(
    private readonly room: number,
    private readonly discard: (buffer: GPUBuffer) => void,
  ) {}

  /** One of exactly that size, with what it held; null if there is none. Then memory for a new one is made. */
  take(size: number): GPUBuffer | null {
    if (size < SMALLEST) return null;
    this.used += size;
    const at = this.buffers.findLastIndex((buffer) => buffer.size === size);
    const found = this.buffers[at];
    if (!found) {
      this.shrink();
      return null;
    }
    this.buffers.splice(at, 1);
    this.kept -= size;
    return found;
  }

  /** Keeps the buffer, or destroys it where there is no room. */
  put(buffer: GPUBuffer): void {
    if (buffer.size < SMALLEST) {
      this.discard(buffer);
      return;
    }
    this.used -= buffer.size;
    this.kept += buffer.size;
    this.buffers.push(buffer);
    this.shrink();
  }

  /** So many bytes of the device are somebody else's from now on; whether any that were kept are destroyed for them. */
  reserve(bytes: number): boolean {
    const { kept } = this;
    this.used += bytes;
    this.shrink();
    return this.kept < kept;
  }

  /** They are nobody's any more. */
  unreserve(bytes: number): void {
    this.used -= bytes;
  }

  /** A buffer of that size that was taken note of does not exist after all. */
  refused(size: number): void {
    if (size >= SMALLEST) this.used -= size;
  }

  /** Destroys all that are kept; whether there were any. */
  flush(): boolean {
    const any = this.buffers.length > 0;
    for (const buffer of this.buffers) this.discard(buffer);
    this.buffers = [];
    this.kept = 0;
    return any;
  }

  private shrink(): void {
    while (this.kept > 0 && this.used + this.kept > this.room) {
      const oldest = this.buffers.shift();
      if (!oldest) return;
      this.kept -= oldest.size;
      this.discard(oldest);
    }
  }
}
