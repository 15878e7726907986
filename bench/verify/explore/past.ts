/**
 * What a load may see under WGSL's memory model, where all atomics are relaxed: any value that its word had, as long as a lane never goes
 * back. `word & zero` orders what follows after what came before it, as DESIGN's rules for tables have it: the lane's writes so far are
 * performed, and its later loads see all that is performed. Read-modify-writes see the newest value. Not modelled: a load that sees
 * a write which its own lane makes possible later, and other orders of the writes to one word.
 */
import { LOAD } from "./builtins.js";
import type { Lane } from "./lane.js";
import type { Memory } from "./memory.js";

interface Write {
  readonly word: number;
  readonly lane: number;
  /** The time from which on lanes see it that have ordered their loads. */
  performed: number;
}

/** How many writes a load may look back, so that schedules stay few. */
const FARTHEST = 2;

export class Past {
  private readonly writes = new Map<string, Write[]>();
  /** By lane and word, the newest write that the lane knows. */
  private readonly known = new Map<string, number>();
  private readonly ordered = new Map<number, number>();
  private time = 0;

  clear(): void {
    this.writes.clear();
    this.known.clear();
    this.ordered.clear();
    this.time = 0;
    this.count = 0;
  }

  /** Number of writes so far. */
  count = 0;

  write(lane: Lane, memory: Memory, at: number, old: number, word: number): void {
    if (memory.local) return;
    this.count += 1;
    const key = keyOf(memory, at);
    const all = this.writes.get(key) ?? [{ word: old, lane: -1, performed: 0 }];
    all.push({ word, lane: lane.number, performed: Number.POSITIVE_INFINITY });
    this.writes.set(key, all);
    this.known.set(`${lane.number}:${key}`, all.length - 1);
  }

  /** What the lane's load sees; undefined where nothing was written. */
  read(lane: Lane, memory: Memory, at: number): number | undefined {
    const key = keyOf(memory, at);
    const all = this.writes.get(key);
    if (!all) return undefined;
    const seen = Math.max(this.oldest(lane, key, all), all.length - 1 - lane.back);
    this.known.set(`${lane.number}:${key}`, seen);
    return all[seen]?.word;
  }

  /** How many writes the lanes' loads may look back, at most. */
  most(lanes: readonly Lane[]): number {
    let most = 0;
    for (const lane of lanes) {
      if (lane.op !== LOAD || !lane.memory) return 0;
      const key = keyOf(lane.memory, lane.at);
      const all = this.writes.get(key);
      if (all) most = Math.max(most, all.length - 1 - this.oldest(lane, key, all));
    }
    return Math.min(most, FARTHEST);
  }

  private oldest(lane: Lane, key: string, all: readonly Write[]): number {
    const ordered = this.ordered.get(lane.number) ?? 0;
    const performed = all.findLastIndex((one) => one.performed <= ordered);
    return Math.max(performed, this.known.get(`${lane.number}:${key}`) ?? 0);
  }

  /** What the lane does next comes after what it did. Returns the time. */
  after(lane: Lane): number {
    this.time += 1;
    this.ordered.set(lane.number, this.time);
    for (const all of this.writes.values())
      for (const one of all) if (one.lane === lane.number) one.performed = Math.min(one.performed, this.time);
    return this.time;
  }
}

const keyOf = (memory: Memory, at: number): string => `${memory.id}:${at}`;
