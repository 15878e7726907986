/** How many cells are measured in turn: all series at a place, and as many as fit in memory and end soon. */

import type { CellBytes } from "../scenarios/benchmark.js";

/** Cells of a group; more if its last place would not be whole … */
const CELLS = 16;
/** … up to this number. */
const MOST_CELLS = 32;
/** Wall time after which the first of a group should end: that of preparing all of it and of their fewest samples. */
const GROUP_MS = 10_000;

export interface GroupLimits {
  /** Device bytes that the cells may hold together. */
  readonly memory: number;
  /** Cells at most, however few they are. */
  readonly room: number;
}

export interface Candidate {
  /** Device bytes that it will hold: all, and by name the part that other cells may share. */
  readonly bytes: CellBytes;
  /** Cells at one place are to be compared with each other; they are neighbours. */
  readonly place: string;
}

export class Group {
  private cells = 0;
  private bytes = 0;
  private readonly shared = new Set<string>();
  private samplingMs = 0;
  private place = "";
  private readonly began: number;

  constructor(
    private readonly limits: GroupLimits,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.began = now();
  }

  /** Takes the next cell, if it may join. The first one always may. */
  joins(candidate: Candidate): boolean {
    if (!this.admits(candidate)) return false;
    this.cells += 1;
    this.bytes += this.more(candidate);
    for (const name of Object.keys(candidate.bytes.shared)) this.shared.add(name);
    this.place = candidate.place;
    return true;
  }

  /** @param leastMs wall time that the fewest samples of a cell will take */
  takes(leastMs: number): void {
    this.samplingMs += leastMs;
  }

  get held(): number {
    return this.bytes;
  }

  /** Bytes that it adds to what the group has. */
  private more({ bytes }: Candidate): number {
    const known = Object.entries(bytes.shared).filter(([name]) => this.shared.has(name));
    return known.reduce((rest, [, size]) => rest - size, bytes.all);
  }

  private admits(candidate: Candidate): boolean {
    if (this.cells === 0) return true;
    const { memory, room } = this.limits;
    if (this.cells >= Math.min(room, MOST_CELLS) || this.bytes + this.more(candidate) > memory) return false;
    if (this.now() - this.began + this.samplingMs >= GROUP_MS) return false;
    return this.cells < CELLS || candidate.place === this.place;
  }
}
