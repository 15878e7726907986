/**
 * What an operation on a table in host memory moves over PCIe, and the rate that follows. The one place that knows the model,
 * which results/studies/out-of-core.md explains.
 */
/** The paper's bus, PCIe 3.0 x16: 8 GT/s, 16 lanes, 128 of 130 bits; bytes a second in each direction. */
export const BYTES_PER_SECOND = 15.75e9;
/** What a GPU reads or writes of host memory at once. */
const SECTOR = 32;
/** Bytes of a packet beside its data: framing and sequence number 4, header with a 64-bit address 16, checksum 4. */
const PACKET = 24;

/** Bytes of a packet with that many bytes of a pair. */
function packet(bytes: number): number {
  return Math.ceil(bytes / SECTOR) * SECTOR + PACKET;
}

/** Transactions of the table, counted where they are performed. */
export class Traffic {
  reads = 0;
  writes = 0;
  /** Reads and writes, an exchange as one of them. */
  accesses = 0;
  /** Trips from the GPU to the host that waited for one another. */
  rounds = 0;
  /** Bytes to the host: requests to read, and what is written. */
  private up = 0;
  /** Bytes to the GPU: what was read. */
  private down = 0;

  /** `count` reads of `bytes` each: a request one way, the data the other. */
  read(count: number, bytes: number): void {
    this.reads += count;
    this.accesses += count;
    this.up += count * PACKET;
    this.down += count * packet(bytes);
  }

  /** `count` writes of `bytes` each; nothing comes back. */
  write(count: number, bytes: number): void {
    this.writes += count;
    this.accesses += count;
    this.up += count * packet(bytes);
  }

  /** `count` atomic exchanges of `bytes` each, which a GPU performs over the bus by a read and a write. */
  exchange(count: number, bytes: number): void {
    this.read(count, bytes);
    this.write(count, bytes);
    this.accesses -= count;
  }

  /** Seconds that the bus needs: of many operations in flight, those one way overlap with those the other way. */
  get seconds(): number {
    return Math.max(this.up, this.down) / BYTES_PER_SECOND;
  }

  reset(): void {
    Object.assign(this, new Traffic());
  }

  /**
   * M operations/s that the bus would allow, a stand-in: see results/studies/out-of-core.md. Null where nothing was moved: an operation that the
   * ticket-board resolved alone needs no bus, and so has no rate on it.
   */
  mops(operations: number): number | null {
    return this.seconds > 0 ? operations / this.seconds / 1e6 : null;
  }
}
