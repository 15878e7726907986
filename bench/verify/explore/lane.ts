/** One lane (an invocation) that runs: what compiled kernels call. */
import { applied, LOAD, STORE, WEAK } from "./builtins.js";
import type { Memory } from "./memory.js";

/** Why a lane does not go on by itself. */
export const RUNS = 0;
export const ACCESS = 1;
export const BARRIER = 2;
export const VOTE = 3;
export const DONE = 4;

/** A loop that goes on for so long has no bound, or one that nobody wants to wait for. */
const MOST_TURNS = 3000;

const MANY_TURNS = 256;

/** Of a vote: which, where, and what this lane gives to it. */
export interface Vote {
  readonly name: string;
  readonly line: number;
  readonly values: readonly (number | boolean | number[])[];
}

/** Thrown by a lane: what a kernel did that it must not do. */
export class Fault extends Error {}

/** Lanes that go on together: one, or those of a subgroup or of a small workgroup. */
export interface Actor {
  /** From 1 on. */
  readonly number: number;
  readonly lanes: { readonly lane: Lane; readonly code: Generator<void, void> }[];
  readonly group: Group;
  /** What it has seen so far, hashed. */
  seen: number;
  /** How often it changed a word. */
  changes: number;
  /** It looks at the same words again and again; until another actor changes one, it rests. Changes by others at that time. */
  rests: number | null;
  readonly looks: Map<string, { readonly others: number; readonly word: number; times: number }>;
  /** It has accessed a word that it may write. */
  touched: boolean;
}

/** A workgroup. */
export interface Group {
  readonly number: number;
  readonly actors: Actor[];
  /** Barriers that it has passed. */
  round: number;
}

/** What runs lanes, and is told what they do. */
export interface Runner {
  /** File and line of a line of the linked module. */
  place(line: number): string;
  /** An atomic access is about to be made; whether the lane stops before it. */
  asks(lane: Lane, memory: Memory, at: number, writes: boolean): boolean;
  /** A plain access is made. */
  plain(lane: Lane, memory: Memory, at: number, writes: boolean): void;
  /** What an atomic load sees. */
  seen(lane: Lane, memory: Memory, at: number): number;
  /** What follows is ordered after what the lane did. */
  after(lane: Lane): void;
  store(memory: Memory, at: number, word: number, lane?: Lane): void;
  /** An atomic access was made. */
  acted(lane: Lane, memory: Memory, at: number, old: number, next: number, hit: boolean): void;
}

export class Lane {
  stop = RUNS;
  /** How often it went on. */
  steps = 0;
  /** The access that it is about to make. */
  op = 0;
  memory: Memory | null = null;
  at = 0;
  private x = 0;
  private y = 0;
  line = 0;
  /** Whether its weak compare-exchange fails, and how many writes ago its load looks: chosen before it goes on. */
  fails = false;
  back = 0;
  voting: Vote | null = null;
  /** What the vote came to. */
  got: unknown;
  private turns = 0;
  // The lane's own numbers, as compiled code names them.
  readonly workgroup_id: readonly number[];
  readonly num_workgroups: readonly number[];
  readonly local_invocation_id: readonly number[];
  readonly global_invocation_id: readonly number[];
  readonly subgroup_invocation_id: number;
  /** The rest are private variables (`p_…`). */
  [name: string]: unknown;

  constructor(
    private readonly machine: Runner,
    /** Of all lanes of the dispatch. */
    readonly number: number,
    readonly actor: Actor,
    readonly bound: Readonly<Record<string, Memory>>,
    readonly shared: Readonly<Record<string, Memory>>,
    readonly local_invocation_index: number,
    workgroupSize: number,
    groups: readonly [x: number, y: number],
    readonly subgroup_size: number,
  ) {
    const [x] = groups;
    const column = actor.group.number % x;
    this.workgroup_id = [column, Math.floor(actor.group.number / x), 0];
    this.num_workgroups = [...groups, 1];
    this.local_invocation_id = [local_invocation_index, 0, 0];
    this.global_invocation_id = [
      column * workgroupSize + local_invocation_index,
      Math.floor(actor.group.number / x),
      0,
    ];
    this.subgroup_invocation_id = local_invocation_index % subgroup_size;
  }

  constant(memory: Memory, at: number): number {
    return memory.words[at] ?? this.outside(memory, at);
  }

  read(memory: Memory, at: number): number {
    const word = memory.words[at] ?? this.outside(memory, at);
    this.machine.plain(this, memory, at, false);
    return word;
  }

  write(memory: Memory, at: number, word: number): void {
    if (at >= memory.words.length) this.outside(memory, at);
    this.machine.plain(this, memory, at, true);
    this.machine.store(memory, at, word);
  }

  /** An atomic access comes; whether the lane stops before it. */
  ask(op: number, memory: Memory, at: number, x: number, y: number, line: number): boolean {
    if (at >= memory.words.length) this.outside(memory, at);
    this.op = op;
    this.memory = memory;
    this.at = at;
    this.x = x;
    this.y = y;
    this.line = line;
    if (!this.machine.asks(this, memory, at, op !== LOAD)) return false;
    this.stop = ACCESS;
    return true;
  }

  /** Whether its compare-exchange could fail without a reason. */
  get mayFail(): boolean {
    return this.op === WEAK && this.memory?.words[this.at] === this.x;
  }

  /** Makes the access. */
  act(): unknown {
    const { op, memory, at, x, y, fails } = this;
    if (!memory) throw new Error("no access");
    const old = op === LOAD ? this.machine.seen(this, memory, at) : (memory.words[at] ?? 0);
    const hit = op === WEAK && old === x && !fails;
    const next = op === WEAK ? (hit ? y : old) : (applied[op]?.(old, x) ?? old);
    if (op !== LOAD && (op !== WEAK || hit)) this.machine.store(memory, at, next, this);
    this.machine.acted(this, memory, at, old, next, hit);
    this.fails = false;
    this.back = 0;
    if (op === WEAK) return [old, hit];
    return op === STORE ? undefined : old;
  }

  /** `word & zero`: what comes after it comes after what the word was made of. */
  after(word: number, zero: number): number {
    this.machine.after(this);
    return (word & zero) >>> 0;
  }

  /** It has gone round loops for long. */
  get loops(): boolean {
    return this.turns > MANY_TURNS;
  }

  wait(line: number): void {
    this.line = line;
    this.stop = BARRIER;
  }

  vote(name: string, line: number, values: Vote["values"]): void {
    this.line = line;
    this.voting = { name, line, values };
    this.stop = VOTE;
  }

  turn(line: number): void {
    if (++this.turns > MOST_TURNS) throw new Fault(`a loop goes on for ever (${this.machine.place(line)})`);
  }

  private outside(memory: Memory, at: number): never {
    throw new Fault(
      `word ${at} of ${memory.name}, which has ${memory.words.length} (${this.machine.place(this.line)})`,
    );
  }
}

type Given = readonly Vote["values"][];

const sum = (given: Given): number => given.reduce((all, [word]) => (all + Number(word)) >>> 0, 0);

/** What the lanes of a subgroup get that vote together, in their order, by what they give. */
const VOTES: Readonly<Record<string, (given: Given, lanes: readonly Lane[]) => unknown[]>> = {
  subgroupBallot(given, lanes) {
    const votes = [0, 0, 0, 0];
    lanes.forEach((lane, i) => {
      const bit = lane.subgroup_invocation_id;
      if (given[i]?.[0]) votes[bit >> 5] = ((votes[bit >> 5] ?? 0) | (1 << (bit & 31))) >>> 0;
    });
    return given.map(() => votes);
  },
  subgroupShuffle(given, lanes) {
    const of: unknown[] = [];
    lanes.forEach((lane, i) => {
      of[lane.subgroup_invocation_id] = given[i]?.[0];
    });
    return given.map(([, source]) => of[Number(source)] ?? 0);
  },
  subgroupBroadcastFirst: (given) => given.map(() => given[0]?.[0]),
  subgroupAny: (given) => given.map(() => given.some(([value]) => value === true)),
  subgroupAll: (given) => given.map(() => given.every(([value]) => value === true)),
  subgroupAdd: (given) => new Array(given.length).fill(sum(given)),
  subgroupInclusiveAdd: (given) => given.map((_, i) => sum(given.slice(0, i + 1))),
  subgroupExclusiveAdd: (given) => given.map((_, i) => sum(given.slice(0, i))),
};

export function voted(name: string, lanes: readonly Lane[]): unknown[] {
  const vote = VOTES[name];
  if (!vote) throw new Fault(`${name} is not among the votes that can be explored`);
  return vote(
    lanes.map(({ voting }) => voting?.values ?? []),
    lanes,
  );
}
