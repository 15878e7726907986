/** The life of a scenario's tables: they are filled, go through the rounds before samples, and every key is asked for at the end. */
import type { Owner } from "../../kernels/device/owned.js";
import type { Course, Done, Position } from "./course.js";
import { everyOf, NEVER, NONE, partsOfWindow, place } from "./scenario.js";
import { wayBack } from "./snapshot.js";

/** Absent keys that are asked for at the end, at least: as many as a data set has. */
const FEWEST_ABSENT = 1024;

/** Findings of the comparison of answers in rounds. */
export interface Seen {
  /** The first that was wrong; "" if none was. */
  readonly wrong: string;
  /** Pairs in the table after each round. */
  readonly pairs: readonly number[];
}

export class Life {
  /** Where samples begin; null before the tables came to that. */
  private begin: Position | null = null;
  /** Puts the table back as it was there; null where it cannot, or has not come to that yet. */
  private back: (() => Promise<boolean>) | null = null;

  constructor(
    private readonly gpu: Owner,
    readonly course: Course,
    /** Buffers that the table keeps between operations. */
    private readonly memory: readonly GPUBuffer[],
    /** Operations that the filling and the check of all keys have room for. */
    private readonly room: number,
  ) {}

  /** Pairs in the table. */
  get pairs(): number {
    const { from, to } = this.course.now.alive;
    return to - from;
  }

  /** Brings the table to where samples begin, if it has not gone through that or is too old. */
  async grow(): Promise<void> {
    const { course, begin, back } = this;
    const { anew, life } = course.scenario;
    if (begin && !anew && (await back?.())) course.now = begin;
    else if (!begin || anew || back || course.now.number > begin.number + (life?.beyond ?? 0)) await this.age();
  }

  private async age(): Promise<void> {
    const { course, gpu, memory, room } = this;
    const { filling, anew } = course.scenario;
    await course.renew();
    await course.fill(room);
    await course.go(course.before.length, {});
    this.begin = course.now;
    this.back = filling && !anew ? await wayBack(gpu, course.table.table, memory) : null;
  }

  /** Digests of the operations of the first round after the filling, hexadecimal. */
  digest(): Promise<string> {
    const { rounds, scenario, table } = this.course;
    const [first = []] = [...this.course.before, ...scenario.sample];
    const round = place(first, { from: 0, to: scenario.filling?.count ?? 0 }, rounds.absent);
    rounds.plan([round], 0, { salt: table.salt });
    return rounds.digest(round);
  }

  /** Findings of the comparison of answers in a sample's first rounds. */
  async seen(done: readonly Done[]): Promise<Seen> {
    const { rounds } = this.course;
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

  /** The answers of the last round that went alone: "" if all were right. */
  async compareLast(): Promise<string> {
    const { last, rounds } = this.course;
    await rounds.check();
    return last ? (await this.seen([last])).wrong : "";
  }

  /**
   * Asks every table for every key that is alive, for the keys that were erased last, and for keys that never were. With marks it asks
   * for every key. A table with marks that counts its pairs is asked for present keys alone: its count rules others out, and searches for
   * absent keys would read whole lists. "" if all is right.
   */
  async checkAll(): Promise<string> {
    const { room } = this;
    const { rounds, tables, alive: windows } = this.course;
    for (const [i, table] of tables.entries()) {
      const alive = windows[i] ?? NONE;
      const erased = { from: Math.max(0, alive.from - room), to: alive.from };
      const never = { from: NEVER, to: NEVER + Math.min(rounds.absent, Math.max(FEWEST_ABSENT, alive.to)) };
      const asked = rounds.marked > 0 ? [{ from: 0, to: rounds.marked }] : [alive, erased, never];
      for (const part of asked.flatMap((window) => partsOfWindow(window, room))) {
        const presentOnly = table.table.nodes !== undefined;
        const wrong = await rounds.ask(everyOf(part, alive), table.salt, table.find, presentOnly);
        if (wrong) return `after the last round ${tables.length > 1 ? `of ${alive.to} pairs ` : ""}${wrong}`;
      }
    }
    return "";
  }
}
