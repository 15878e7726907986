/**
 * Goes through the rounds of a scenario on a cell's tables, one after another.
 *
 * Rounds of many passes overlap: what the next one asks for is written while this one runs. The host waits for insertions, which may have to
 * be tried again with the same pairs, and for a round's end; waits were four fifths of the time of such runs. Erasures that end a round
 * are waited for with it, or, where the table is sure to keep its size, with the next round's insertion. What a table decides by its pairs
 * before an insertion, it decides by those before these erasures.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { OpResult, RunSteps } from "../../kernels/table.js";
import type { Between } from "../measure/sampled.js";
import type { PreparedTable } from "./prepared-table.js";
import {
  changedBy,
  isLookup,
  NONE,
  type Placed,
  type PlacedRound,
  place,
  placeFilling,
  type Round,
  type Scenario,
  type Window,
} from "./scenario.js";
import type { DeviceRounds } from "./workload/rounds.js";

/**
 * Part of the slots that have to be never used in a table that uses none again. With fewer an operation would look at thousands of slots,
 * and with none a search for an absent key at all of them.
 */
const NEVER_USED = 1 / 1000;
/**
 * A round that takes this many times as long as the fastest before it is a table's last. Where slots of erased keys are used again but
 * never become EMPTY (warpcore), a search for an absent key looks at more and more of the table, and at all of it in the end.
 */
const WORN_OUT = 100;
/** Shorter rounds are none: the system of a software adapter may have interrupted a round of microseconds. */
const WORN_OUT_NS = 2e8;
/** Rounds whose plans are on the device at a time, at most. */
export const PLANNED = 1024;

/** A round, by number: the filling's are below 0, then come those before the samples, then the samples'. */
export interface Numbered extends PlacedRound {
  readonly number: number;
  /** Null for the filling. */
  readonly round: Round | null;
}

/** The result of a round. */
export interface Done {
  readonly round: Numbered;
  /** All operations together. */
  readonly ns: number;
  /** By step. */
  readonly results: readonly (OpResult | undefined)[];
}

/** Is told of each round, and waited for. */
export interface Watch {
  readonly between?: Between | undefined;
  /** All of a round is submitted, or will be with what is submitted next, and nothing of the next one is. */
  submitted?(): Promise<void>;
  ended?(): Promise<void>;
}

/** The state of a life: the next round, and the keys that are alive. */
export interface Position {
  /** The round that is next. */
  readonly number: number;
  /** Keys that are alive before the round. */
  readonly alive: Window;
}

export class Course {
  now: Position = { number: 0, alive: NONE };
  /** Keys that are alive, by table. */
  readonly alive: Window[];
  /** The last round that went alone. */
  last: Done | null = null;
  /** Rounds before those of a sample. */
  readonly before: readonly Round[];
  /** Nanoseconds of the fastest round. */
  private fastest = Number.POSITIVE_INFINITY;

  constructor(
    private readonly gpu: Owner,
    /** More than one where rounds clear: then each of the sample's rounds has its own. */
    readonly tables: readonly PreparedTable[],
    readonly rounds: DeviceRounds,
    readonly scenario: Scenario,
  ) {
    this.before = scenario.before ?? [];
    this.alive = tables.map(() => NONE);
  }

  /** The table of the rounds before samples, and of the sample's rounds if none of them clears. */
  get table(): PreparedTable {
    return this.tableAt(0);
  }

  /** The table that a round of the sample goes to. @param round its number, from 0 */
  tableAt(round: number): PreparedTable {
    const table = this.tables[this.tables.length > 1 ? round : 0];
    if (!table) throw new Error("a round without a table");
    return table;
  }

  /** The round's place in the sample. */
  private placeOf({ number }: Pick<Numbered, "number">): number {
    return Math.max(0, number - this.before.length) % this.scenario.sample.length;
  }

  /** Empties all tables, whose pairs get other values. */
  async renew(): Promise<void> {
    await Promise.all(this.tables.map((table) => table.renew()));
    this.now = { number: 0, alive: NONE };
    this.alive.fill(NONE);
  }

  /** Inserts the first pairs into the empty table, at most `most` at a time. */
  async fill(most: number): Promise<void> {
    const { filling } = this.scenario;
    const rounds = filling ? placeFilling(filling, most) : [];
    await this.through(
      rounds.map((round, i) => ({ ...round, number: i - rounds.length, round: null })),
      {},
    );
  }

  /** The next rounds, one pass behind the other. */
  async go(count: number, watch: Watch): Promise<Done[]> {
    const done: Done[] = [];
    while (done.length < count)
      done.push(...(await this.through(this.next(Math.min(PLANNED, count - done.length)), watch)));
    return done;
  }

  /** The next round, each of whose passes is run alone by `run`. */
  async goAlone(run: RunSteps): Promise<Done> {
    const [round] = this.next(1);
    if (!round) throw new Error("no round");
    this.checkRoom(round);
    this.plan([round]);
    await this.rounds.pick();
    this.gpu.flush();
    const results: (OpResult | undefined)[] = [];
    for (const [at, { count }] of round.steps.entries()) if (count > 0) results[at] = await this.does(round, at, run);
    this.last = { round, ns: nsOf(results), results };
    // The time of counting kernels is not the table's.
    this.end(this.last, run === this.table.time);
    return this.last;
  }

  private next(count: number): Numbered[] {
    const { before, scenario, rounds } = this;
    let { number, alive } = this.now;
    return Array.from({ length: count }, () => {
      const round = before[number] ?? scenario.sample[this.placeOf({ number })];
      if (!round) throw new Error("a scenario without a sample");
      const placed = place(round, alive, rounds.absent);
      alive = placed.after;
      return { ...placed, number: number++, round };
    });
  }

  private plan(rounds: readonly Numbered[]): void {
    const [first] = rounds;
    if (first) this.rounds.plan(rounds, first.number, { noted: this.placeOf(first), salt: this.table.salt });
  }

  private async through(rounds: readonly Numbered[], watch: Watch): Promise<Done[]> {
    const { timeNext, timeDeferred, timesAlone: alone } = this.table;
    const all: Done[] = [];
    let before = 0;
    /** The end of a round that goes with the next one's insertions; null if it has ended. */
    let open: (() => Promise<void>) | null = null;
    const heat = async () => {
      await watch.between?.(before);
      this.gpu.flush();
    };
    const closing: RunSteps = async (...pass) => {
      const timed = timeNext(...pass);
      if (!open) return timed;
      timed.catch(() => undefined);
      const end = open;
      open = null;
      // Submitted behind the insertions, while the host waits for their result. The host hears of the erasures before it hears of these.
      await heat();
      await end();
      return timed;
    };
    this.plan(rounds);
    if (rounds.length > 0) await this.rounds.pick();
    await watch.between?.(before);
    for (const [i, round] of rounds.entries()) {
      this.checkRoom(round);
      const table = this.tableAt(this.placeOf(round));
      const begun: Promise<OpResult>[] = [];
      const ending = round.steps.at(-1);
      let stays = false;
      for (const [at, step] of round.steps.entries()) {
        // The size is the one that the insertions before it leave.
        if (step === ending && step.do === "erase") stays = insertsFirst(rounds[i + 1]) && table.stays(step.count);
        // An empty dispatch takes time too, but is not part of the workload.
        if (step.count === 0) continue;
        const does = (run: RunSteps) => this.does(round, at, run);
        if (isLookup(step.do)) begun[at] = (await table.begin(does, timeDeferred)).done;
        else if (step.do === "erase" && step === ending)
          begun[at] = (await table.begin(does, stays ? timeDeferred : timeNext)).done;
        else begun[at] = Promise.resolve(await does(closing));
        if (alone) await begun[at];
      }
      await watch.submitted?.();
      if (i + 1 < rounds.length) await this.rounds.pick();
      const end = async () => {
        const results = await Promise.all(begun);
        before = nsOf(results);
        const done = { round, ns: before, results };
        all.push(done);
        this.end(done, true);
        await watch.ended?.();
      };
      if (stays) {
        open = end;
      } else {
        // Submitted behind this round, while the host waits for its result.
        await heat();
        await end();
      }
    }
    return all;
  }

  private async does(round: Numbered, at: number, run: RunSteps): Promise<OpResult> {
    const [step, own] = [round.steps[at], this.rounds.operations[at]];
    if (!step || !own) throw new Error("a step without operations");
    const { count: n } = step;
    const table = this.tableAt(this.placeOf(round));
    const { keys, values, results } = own;
    if (isLookup(step.do)) return table.does(step.do)(run, { keys, results, n });
    if (step.do === "erase") {
      const result = await table.does("erase")(run, { keys, n });
      if (this.rounds.marked === 0 && result.count !== n) throw new Error(`${result.count} of ${n} keys were erased`);
      return result;
    }
    const batch = { ...own, slices: [{ first: 0, count: n }] };
    const result = await (step.do === "insert"
      ? table.table.insert(run, { keys, values, n })
      : table.does("mixed")(run, batch));
    if (result.count > 0) {
      const refused = `${result.count} of ${insertionsOf(step)} pairs found no slot`;
      const when = round.round ? `round ${round.number}` : "the empty table";
      throw this.scenario.life ? new UsageError(`full in ${when}: ${refused}`) : new Error(refused);
    }
    return result;
  }

  /** Throws a UsageError if the round's insertions would use up the slots of a table that neither grows nor uses slots again. */
  private checkRoom({ round, number, after }: Numbered): void {
    const { table, of } = this.table;
    if (!this.scenario.life || !round || table.nodes?.grow || table.resizable || of.type.reusesSlots) return;
    const { slots } = table;
    const inserted = changedBy([round], "insert");
    if (slots - after.to < NEVER_USED * slots)
      throw new UsageError(
        `full in round ${number}: of ${slots} slots ${slots - after.to + inserted} were never used; ${inserted} pairs are to be inserted`,
      );
  }

  /** Throws a UsageError if the table is worn out. */
  private end({ round, ns }: Done, timed: boolean): void {
    this.now = { number: round.number + 1, alive: round.after };
    this.alive[this.tables.length > 1 ? this.placeOf(round) : 0] = round.after;
    if (!this.scenario.life || !round.round || !timed) return;
    if (ns > Math.max(WORN_OUT_NS, WORN_OUT * this.fastest))
      throw new UsageError(
        `worn out in round ${round.number}: it took ${Math.round(ns / this.fastest)} times as long as the fastest`,
      );
    this.fastest = Math.min(this.fastest, ns);
  }
}

const insertionsOf = ({ parts }: Placed) =>
  parts.reduce((sum, part) => sum + (part.do === "insert" ? part.count : 0), 0);

const nsOf = (results: readonly (OpResult | undefined)[]) =>
  results.reduce((sum, result) => sum + (result?.ns ?? 0), 0);

function insertsFirst(round: PlacedRound | undefined): boolean {
  const [first] = round?.steps ?? [];
  return first?.do === "insert" && first.count > 0;
}
