/**
 * Goes through the rounds of a scenario on a cell's table: fills it, ages it, times samples, and checks every answer.
 *
 * Rounds of many passes overlap: what the next one asks for is written while this one runs. The host waits for insertions, which may have to
 * be tried again with the same pairs, and for a round's end; waits were four fifths of the time of such runs. Erasures that end a round
 * are waited for with it, or, where the table is sure to keep its size, with the next round's insertion. What a table decides by its pairs before an
 * insertion, it decides by those before these erasures.
 */
import { UsageError } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { OpResult, Resizing, RunSteps } from "../../kernels/table.js";
import type { Between } from "../measure/sampled.js";
import type { PreparedTable } from "./prepared-table.js";
import {
  changedBy,
  everyOf,
  NEVER,
  NONE,
  type Placed,
  type PlacedRound,
  partsOfWindow,
  place,
  placeFilling,
  type Round,
  type Scenario,
  type Window,
} from "./scenario.js";
import { wayBack } from "./snapshot.js";
import type { DeviceRounds } from "./workload/rounds.js";

/**
 * Part of its slots that a table has to have never used, if it uses none again: with fewer an operation would look at thousands,
 * and with none a search for an absent key at all.
 */
const NEVER_USED = 1 / 1000;
/**
 * A round that takes so many times as long as the fastest before it is a table's last. Where slots of erased keys are used again
 * but never become EMPTY (warpcore), a search for an absent key looks at more and more of the table, and at all of it in the end.
 */
const WORN_OUT = 100;
/** Absent keys that are asked for at the end, at least: as many as a data set has. */
const FEWEST_ABSENT = 1024;
/** Rounds whose plans are on the device at a time, at most. */
export const PLANNED = 1024;

/** What was seen of rounds whose answers were compared: the first that was wrong, "" if none was, and pairs after each. */
export interface Seen {
  readonly wrong: string;
  readonly pairs: readonly number[];
}

/** What a round took. */
export interface Done {
  readonly round: Numbered;
  readonly ns: number;
  readonly restarts: number;
  readonly resized: readonly Resizing[];
  /** By step, what the table said of it. */
  readonly results: readonly (OpResult | undefined)[];
}

/** Who is told how far the rounds are, and waited for. */
export interface Watch {
  readonly between?: Between | undefined;
  /** All of a round is submitted, or will be with what is submitted next, and nothing of the next one is. */
  submitted?(): Promise<void>;
  ended?(done: Done): Promise<void>;
}

/** A round, by number: the filling's are below 0, then come those before the samples, then the samples'. */
export interface Numbered extends PlacedRound {
  readonly number: number;
  readonly round: Round | null;
}

/** What was begun, and its place in the round. */
type Begun = readonly [at: number, done: Promise<OpResult>];

export class Life {
  /** The round that is next, and what is alive before it; null before the table was filled. */
  private now: { readonly number: number; readonly alive: Window } | null = null;
  /** The same where samples begin. */
  private begin: typeof this.now = null;
  /** Puts the table back as it was where samples begin; null where it cannot, or has not come to that yet. */
  private back: (() => Promise<boolean>) | null = null;
  /** The last round that went alone. */
  private last: Done | null = null;
  /** Nanoseconds of the fastest round. */
  private fastest = Number.POSITIVE_INFINITY;
  /** By table, what is alive in it. */
  private readonly alive: Window[];
  private readonly before: readonly Round[];

  constructor(
    private readonly gpu: Owner,
    /** More than one where rounds clear: then each of them has its own. */
    private readonly tables: readonly PreparedTable[],
    /** What the table keeps between operations. */
    private readonly memory: readonly GPUBuffer[],
    readonly rounds: DeviceRounds,
    private readonly scenario: Scenario,
    /** Pairs of a part of the filling. */
    private readonly room: number,
  ) {
    this.before = scenario.before ?? [];
    this.alive = tables.map(() => NONE);
  }

  /** The one that the sample's rounds up to a number, that one included, leave. */
  tableAfter(round: number): PreparedTable {
    const table = this.tables[this.tables.length > 1 ? round : 0];
    if (!table) throw new Error("a round without a table");
    return table;
  }

  private get first(): PreparedTable {
    return this.tableAfter(0);
  }

  private tableOf(number: number): PreparedTable {
    return this.tableAfter(Math.max(0, number - this.before.length));
  }

  /** Pairs in the table. */
  get pairs(): number {
    const { from, to } = this.now?.alive ?? NONE;
    return to - from;
  }

  /** Brings the table to where samples begin, if it has not gone through that or is too old. */
  async grow(): Promise<void> {
    const { anew, life } = this.scenario;
    if (!anew && (await this.back?.())) this.now = this.begin;
    else if (anew || this.back || !this.now || this.now.number > this.before.length + (life?.beyond ?? 0))
      await this.age();
  }

  /** Tables that are filled before samples are put back where that can be. */
  private async age(): Promise<void> {
    const { scenario, before } = this;
    await Promise.all(this.tables.map((table) => table.renew()));
    this.now = { number: 0, alive: NONE };
    this.alive.fill(NONE);
    this.back = null;
    if (scenario.filling) await this.through(placed(placeFilling(scenario.filling, this.room)), {});
    await this.go(before.length, {});
    this.begin = this.now;
    if (scenario.filling && !scenario.anew) this.back = await wayBack(this.gpu, this.first.table, this.memory);
  }

  private roundAt(number: number): Round {
    const { sample } = this.scenario;
    const round = this.before[number] ?? sample[(number - this.before.length) % sample.length];
    if (!round) throw new Error("a scenario without a sample");
    return round;
  }

  /** The next rounds. */
  private next(count: number): Numbered[] {
    let { number, alive } = this.now ?? { number: 0, alive: NONE };
    return Array.from({ length: count }, () => {
      const round = this.roundAt(number);
      const { steps, after } = place(round, alive, this.rounds.absent);
      alive = after;
      return { number: number++, round, steps, after };
    });
  }

  /** The next rounds, one pass behind the other. */
  async go(count: number, watch: Watch): Promise<Done[]> {
    const done: Done[] = [];
    for (let left = count; left > 0; left -= PLANNED)
      done.push(...(await this.through(this.next(Math.min(PLANNED, left)), watch)));
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
    for (const [at, step] of round.steps.entries())
      results.push(step.count > 0 ? await this.does(step, at, round, run) : undefined);
    const done = doneOf(round, results);
    // Of counting kernels the time is not the table's.
    this.end(round, done, run === this.first.time);
    this.last = done;
    return done;
  }

  private plan(rounds: readonly Numbered[]): void {
    const [first] = rounds;
    if (!first) return;
    const noted = Math.max(0, first.number - this.before.length) % this.scenario.sample.length;
    this.rounds.plan(rounds, first.number, { noted, salt: this.first.salt });
  }

  private async through(rounds: readonly Numbered[], watch: Watch): Promise<Done[]> {
    const { timeNext, timeDeferred, timesAlone: alone } = this.first;
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
      // Behind the insertions, while the host hears of them. What the table knows of the erasures, it knows before what it knows of these.
      await heat();
      await end();
      return timed;
    };
    this.plan(rounds);
    if (rounds.length > 0) await this.rounds.pick();
    await watch.between?.(before);
    for (const [i, round] of rounds.entries()) {
      this.checkRoom(round);
      const table = this.tableOf(round.number);
      const following = rounds[i + 1];
      const begun: Begun[] = [];
      let stays = false;
      for (const [at, step] of round.steps.entries()) {
        // An empty dispatch takes time too, and is none of the workload's.
        if (step.count === 0) continue;
        const ends = !round.steps.slice(at + 1).some(({ count }) => count > 0);
        if (step.do === "find") begun.push([at, (await table.ask(this.lookups(step, at))).done]);
        else if (step.do === "erase" && ends) {
          stays = insertsFirst(following) && table.stays(step.count);
          const erase = (run: RunSteps) => this.does(step, at, round, run);
          begun.push([at, (await table.begin(erase, stays ? timeDeferred : timeNext)).done]);
        } else begun.push([at, Promise.resolve(await this.does(step, at, round, closing))]);
        if (alone) await begun.at(-1)?.[1];
      }
      await watch.submitted?.();
      if (following) await this.rounds.pick();
      const end = async () => {
        const results: (OpResult | undefined)[] = [];
        for (const [at, result] of begun) results[at] = await result;
        const done = doneOf(round, results);
        before = done.ns;
        all.push(done);
        this.end(round, done, true);
        await watch.ended?.(done);
      };
      if (stays) {
        open = end;
      } else {
        // Behind this round, while the host hears of it.
        await heat();
        await end();
      }
    }
    return all;
  }

  private lookups({ count: n }: Placed, at: number) {
    const { keys, results } = this.operationsAt(at);
    return { keys, results, n };
  }

  private operationsAt(at: number) {
    const own = this.rounds.operations[at];
    if (!own) throw new Error("a step without operations");
    return own;
  }

  private async does(step: Placed, at: number, round: Numbered, run: RunSteps): Promise<OpResult> {
    const { count: n } = step;
    const table = this.tableOf(round.number);
    const own = this.operationsAt(at);
    const { keys, values } = own;
    if (step.do === "find") return table.table.find(run, this.lookups(step, at));
    if (step.do === "erase") {
      const result = await table.does("erase")(run, { keys, n });
      if (this.rounds.marked === 0 && result.count !== n) throw new Error(`${result.count} of ${n} keys were erased`);
      return result;
    }
    const pairs = { keys, values, n };
    const batch = { ...own, slices: [{ first: 0, count: n }] };
    const result = await (step.do === "insert" ? table.table.insert(run, pairs) : table.does("mixed")(run, batch));
    if (result.count > 0) {
      const refused = `${result.count} of ${step.do === "insert" ? n : insertionsOf(step)} pairs found no slot`;
      throw this.scenario.life ? new UsageError(`full in ${nameOf(round)}: ${refused}`) : new Error(refused);
    }
    return result;
  }

  /** Throws a UsageError if the round's insertions would use up the slots of a table that has so many and no more, and uses none again. */
  private checkRoom({ round, number, after }: Numbered): void {
    const { table, of } = this.tableOf(number);
    if (!this.scenario.life || !round || table.nodes?.grow || table.resizable || of.type.reusesSlots) return;
    const { slots } = table;
    const inserted = changedBy([round], "insert");
    if (slots - after.to < NEVER_USED * slots)
      throw new UsageError(
        `full in round ${number}: of ${slots} slots ${slots - after.to + inserted} were never used; ${inserted} pairs are to be inserted`,
      );
  }

  /** Throws a UsageError if the table is worn out. */
  private end({ number, round, after }: Numbered, { ns }: Done, timed: boolean): void {
    this.now = { number: number + 1, alive: after };
    this.alive[this.tables.length > 1 ? Math.max(0, number - this.before.length) : 0] = after;
    if (!this.scenario.life || !round || !timed) return;
    if (ns > WORN_OUT * this.fastest)
      throw new UsageError(
        `worn out in round ${number}: it took ${Math.round(ns / this.fastest)} times as long as the fastest`,
      );
    this.fastest = Math.min(this.fastest, ns);
  }

  /** What was seen of the first rounds of a sample, whose answers were compared. */
  async seen(done: readonly Done[]): Promise<Seen> {
    const { rounds } = this;
    const pairs: number[] = [];
    let wrong = "";
    for (const [i, steps] of (await rounds.checked(done.map(({ round }) => round))).entries()) {
      const { round, results } = done[i] ?? {};
      for (const [at, { wrong: answers, went }] of steps.entries()) {
        const erased = results?.[at]?.count ?? 0;
        const miscounted = rounds.marked > 0 && round?.steps[at]?.do === "erase" && erased !== went;
        const said = answers || (miscounted ? `${erased} keys were erased, ${went} were there` : "");
        if (said && !wrong) wrong = `round ${round?.number}: ${said}`;
      }
      const changed = steps.reduce((sum, { came, went }) => sum + came - went, 0);
      const { from, to } = round?.after ?? NONE;
      pairs.push(rounds.marked > 0 ? (pairs.at(-1) ?? 0) + changed : to - from);
    }
    return { wrong, pairs };
  }

  /** The answers of the last round: "" if all were right. */
  async compareLast(): Promise<string> {
    const { last } = this;
    if (!last) return "";
    await this.rounds.check();
    return (await this.seen([last])).wrong;
  }

  /** Digests of the operations of the first round after the filling, hexadecimal. */
  async digest(): Promise<string> {
    const { rounds, scenario, first } = this;
    const round = place(this.roundAt(0), { from: 0, to: scenario.filling?.count ?? 0 }, rounds.absent);
    rounds.plan([round], 0, { salt: first.salt });
    return rounds.digest(round);
  }

  /** Asks every table for every key that is alive, for those that were erased last, and for keys that never were: "" if all is right. */
  async checkAll(): Promise<string> {
    const { rounds, room } = this;
    for (const [i, table] of this.tables.entries()) {
      const alive = this.alive[i] ?? NONE;
      const erased = { from: Math.max(0, alive.from - room), to: alive.from };
      const never = { from: NEVER, to: NEVER + Math.min(rounds.absent, Math.max(FEWEST_ABSENT, alive.to)) };
      const asked = rounds.marked > 0 ? [{ from: 0, to: rounds.marked }] : [alive, erased, never];
      for (const part of asked.flatMap((window) => partsOfWindow(window, room))) {
        const present = table.table.nodes !== undefined;
        const wrong = await rounds.ask(everyOf(part, alive), table.salt, table.find, present);
        if (wrong) return `after the last round ${this.tables.length > 1 ? `of ${alive.to} pairs ` : ""}${wrong}`;
      }
    }
    return "";
  }
}

const insertionsOf = ({ parts }: Placed) =>
  parts.reduce((sum, part) => sum + (part.do === "insert" ? part.count : 0), 0);
const nameOf = ({ number, round }: Numbered) => (round ? `round ${number}` : "the empty table");

function placed(rounds: readonly PlacedRound[]): Numbered[] {
  return rounds.map((round, i) => ({ ...round, number: i - rounds.length, round: null }));
}

/** Whether the round begins with an insertion. */
function insertsFirst(round: PlacedRound | undefined): boolean {
  return round?.steps.find(({ count }) => count > 0)?.do === "insert";
}

function doneOf(round: Numbered, results: readonly (OpResult | undefined)[]): Done {
  const all = results.flatMap((result) => result ?? []);
  return {
    round,
    ns: all.reduce((sum, { ns }) => sum + ns, 0),
    restarts: all.reduce((sum, { restarts }) => sum + restarts, 0),
    resized: all.flatMap(({ resizing }) => resizing ?? []),
    results,
  };
}
