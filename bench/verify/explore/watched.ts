/** What lanes of a dispatch do to memory: noted, so that it can be undone, compared and told. */
import { ordered, STORE } from "./builtins.js";
import type { Program } from "./compile.js";
import type { Actor, Lane, Runner } from "./lane.js";
import { hash, type Memory, SetHash } from "./memory.js";
import { Past } from "./past.js";

/** One access of a schedule, for people. */
export interface Access {
  readonly lane: number;
  readonly actor: number;
  readonly place: string;
  readonly operation: string;
  readonly word: string;
  readonly old: number;
  readonly next: number;
}

export interface DispatchOf {
  readonly program: Program;
  readonly groups: readonly [x: number, y: number];
  readonly bound: Readonly<Record<string, Memory>>;
  readonly subgroup: number;
  readonly relaxed: boolean;
  /** File and line of a line of the linked module. */
  place(line: number): string;
}

/** A word of a variable of the kernel. */
export interface Word {
  readonly variable: string;
  readonly at: number;
  readonly word: number;
}

/** A word that lanes share: its variable, and which of its words. */
export type SharedWord = readonly [memory: number, at: number];

/** A word before a write. */
interface Change {
  readonly memory: Memory;
  readonly at: number;
  readonly old: number;
}

/** Barriers that a workgroup passes, at most. */
const MOST_ROUNDS = 2 ** 20;
/** Looks at an unchanged word after which an actor rests until another one changes something. */
const LOOKS = 2;

export abstract class Watched implements Runner {
  private undo: Change[] = [];
  protected changes = 0;
  protected watching = false;
  /** Words that were found to be shared. */
  readonly shared: SharedWord[] = [];
  /** Plain accesses of two lanes to one word, one of them writing. */
  race: string | null = null;
  trace: Access[] | null = null;
  protected state = new SetHash();
  private result = new SetHash();
  protected readonly past: Past | null;
  protected schedules = 0;
  /** Words that are shared in a schedule that is repeated. */
  protected readonly known = new Set<string>();
  protected repeats = false;

  constructor(protected readonly dispatch: DispatchOf) {
    this.past = dispatch.relaxed ? new Past() : null;
  }

  place(line: number): string {
    return this.dispatch.place(line);
  }

  /** Of all words that are bound, and of the dispatch. */
  memory(): string {
    const { bound, groups, subgroup } = this.dispatch;
    let [low, high] = groups;
    for (const { words } of Object.values(bound)) {
      low = hash(low, words.length, 0, 0);
      for (let at = 0; at < words.length; at++) {
        const word = words[at] ?? 0;
        low = Math.imul(low ^ word, 0x9e3779b1) ^ (low >>> 15);
        high = Math.imul(high ^ word, 0x85ebca6b) ^ (high >>> 13);
      }
    }
    return `${subgroup},${low},${high}`;
  }

  /** Does what a schedule of another dispatch like this one did. */
  apply(changed: readonly Word[]): void {
    for (const { variable, at, word } of changed) {
      const memory = this.dispatch.bound[variable];
      if (memory) memory.words[at] = word;
    }
  }

  /** Of the memory that is left after the schedule. */
  get outcome(): string {
    return this.result.key;
  }

  /** The words of buffers that were changed, as they are now. */
  changed(): Word[] {
    const found = new Map<Memory, Set<number>>();
    for (const { memory, at } of this.undo) {
      if (memory.local) continue;
      const places = found.get(memory) ?? new Set();
      found.set(memory, places.add(at));
    }
    return [...found].flatMap(([{ name, words }, places]) =>
      [...places].map((at) => ({ variable: name, at, word: words[at] ?? 0 })),
    );
  }

  /** Puts the memory back as it was before the dispatch. */
  restore(): void {
    for (const { memory, at, old } of this.undo.toReversed()) memory.words[at] = old;
    this.undo = [];
    this.changes = 0;
    this.state = new SetHash();
    this.result = new SetHash();
    this.past?.clear();
  }

  // What lanes tell.

  asks(lane: Lane, memory: Memory, at: number, writes: boolean): boolean {
    const { actor } = lane;
    const together = actor.lanes.length > 1;
    // In order, a lane may wait for what another one of its warp writes.
    if (!this.watching) return together && (memory.local || lane.loops);
    actor.touched = true;
    if (memory.touch(at, actor.number, this.timeOf(lane, memory), writes)) this.shared.push([memory.id, at]);
    // It may wait for another actor, which has not come to the word yet.
    if (lane.loops && memory.share(at)) this.shared.push([memory.id, at]);
    return together || this.isShared(memory, at);
  }

  plain(lane: Lane, memory: Memory, at: number, writes: boolean): void {
    if (!this.watching) return;
    lane.actor.touched = true;
    if (!memory.touch(at, lane.number + 1, this.timeOf(lane, memory), writes)) return;
    this.race ??= `lanes race for word ${at} of ${memory.name}, which is no atomic`;
  }

  protected isShared(memory: Memory, at: number): boolean {
    return this.repeats ? this.known.has(`${memory.id}:${at}`) : memory.isShared(at);
  }

  /** Where lanes share no word, all accesses are told. */
  private get tracesAll(): boolean {
    return this.repeats && this.known.size === 0;
  }

  private timeOf(lane: Lane, memory: Memory): number {
    return memory.local ? this.schedules * MOST_ROUNDS + lane.actor.group.round : this.schedules;
  }

  seen(lane: Lane, memory: Memory, at: number): number {
    return this.past?.read(lane, memory, at) ?? memory.words[at] ?? 0;
  }

  after(lane: Lane): void {
    if (this.past) this.remember(lane.actor, this.past.after(lane));
  }

  store(memory: Memory, at: number, word: number, lane?: Lane): void {
    const old = memory.words[at] ?? 0;
    this.undo.push({ memory, at, old });
    if (this.watching) {
      if (lane && this.past) {
        this.past.write(lane, memory, at, old, word);
        this.remember(lane.actor, this.past.count);
      }
      if (old !== word) {
        for (const set of memory.local ? [this.state] : [this.state, this.result]) {
          set.toggle(memory.id, at, old);
          set.toggle(memory.id, at, word);
        }
      }
    }
    memory.words[at] = word;
  }

  acted(lane: Lane, memory: Memory, at: number, old: number, next: number, hit: boolean): void {
    if (!this.watching) return;
    const { actor } = lane;
    if (!this.isShared(memory, at) && !this.tracesAll) return;
    this.remember(actor, hash(lane.number, hash(lane.op, memory.id, at, old), Number(hit), lane.line));
    if (next !== old) {
      this.changes += 1;
      actor.changes += 1;
    }
    const others = this.changes - actor.changes;
    const key = `${lane.number}:${lane.line}:${memory.id}:${at}`;
    const look = actor.looks.get(key);
    if (look?.others === others && look.word === old) {
      look.times += 1;
      if (look.times >= LOOKS) actor.rests = others;
    } else actor.looks.set(key, { others, word: old, times: 0 });
    this.trace?.push({
      lane: lane.number,
      actor: actor.number,
      place: this.place(lane.line),
      operation: `${ordered[lane.op]}${lane.fails ? " (fails)" : lane.back > 0 ? " (an old value)" : ""}`,
      word: `${memory.name}[${at}]`,
      old,
      next: lane.op === STORE || next !== old ? next : old,
    });
  }

  private remember(actor: Actor, what: number): void {
    if (actor.seen !== 0) this.state.toggle(-1, actor.number, actor.seen);
    actor.seen = hash(3, actor.seen, what, 0) || 1;
    this.state.toggle(-1, actor.number, actor.seen);
  }
}
