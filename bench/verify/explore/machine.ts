/** The lanes of one dispatch, run one step after another in an order that is chosen from outside. */
import { ACCESS, type Actor, BARRIER, DONE, Fault, type Group, Lane, RUNS, VOTE, voted } from "./lane.js";
import { hash, Memory } from "./memory.js";
import { type DispatchOf, type SharedWord, Watched } from "./watched.js";

/** What an actor may do next. */
export interface Option {
  readonly actor: number;
  /** Its compare-exchange fails though the word is the expected one. */
  readonly fails: boolean;
  /** Its load sees the word as it was before so many writes. */
  readonly back: number;
}

/** Where a choice is to be made. */
export interface Choice {
  /** Actors that can go on; the one that made the last step first, then those after it in turn. */
  readonly actors: readonly number[];
  /** The actor that made the last step, if it can make the next one. */
  readonly last: number | null;
  /** Of all that decides what may follow. */
  state(): string;
  optionsOf(actor: number): Option[];
}

/** Throws to give the schedule up. */
export type Chooser = (choice: Choice) => Option;

/** Lanes of a workgroup that go on together where it has barriers and no subgroups: a virtual warp. */
const VIRTUAL_WARP = 32;

export class Machine extends Watched {
  private actors: Actor[] = [];
  /** Those that may go on. */
  private going: Actor[] = [];
  /** Actors that access nothing which they may write: they need not run again. */
  private readonly idle = new Set<number>();
  /** Of workgroups. */
  private readonly local = new Map<string, Memory>();

  /** Lanes of an actor. */
  readonly together: number;

  constructor(dispatch: DispatchOf) {
    super(dispatch);
    const { workgroupSize: size, votes, barriers } = dispatch.program;
    this.together = votes ? dispatch.subgroup : barriers && size <= VIRTUAL_WARP ? size : 1;
  }

  /** Runs all lanes, each as far as it gets, one workgroup after another: one of the possible schedules. */
  runInOrder(): void {
    const [x, y] = this.dispatch.groups;
    for (let number = 0; number < x * y; number++) {
      this.local.clear();
      const group = this.group(number);
      this.actors = group.actors;
      for (const one of this.actors) this.advance(one);
      this.passBarriers([group]);
      this.checkEnd();
    }
  }

  /** Runs one schedule from the beginning; `Machine.outcome` says what it left. Throws Fault. */
  run(choose: Chooser): void {
    this.restore();
    this.watching = true;
    this.schedules += 1;
    const [x, y] = this.dispatch.groups;
    this.actors = Array.from({ length: x * y }, (_, i) => this.group(i)).flatMap(({ actors }) => actors);
    for (const one of this.actors) this.advance(one);
    this.passBarriers(new Set(this.actors.map(({ group }) => group)));
    this.going = this.actors;
    if (!this.dispatch.program.barriers) {
      for (const one of this.actors) if (!one.touched && !isReady(one)) this.idle.add(one.number);
      this.going = this.actors.filter(isReady);
    }
    const byNumber = new Map(this.going.map((one) => [one.number, one]));
    let before = 0;
    for (let awake = this.awake(); awake.length > 0; awake = this.awake()) {
      // In turn, from the last one on.
      const at = awake.findIndex(({ number }) => number >= before);
      const turn = at <= 0 ? awake : [...awake.slice(at), ...awake.slice(0, at)];
      const actors = turn.map(({ number }) => number);
      const chosen = choose({
        actors,
        last: actors[0] === before ? before : null,
        state: () => `${this.state.key},${actors.reduce((set, number) => set ^ hash(5, number, 0, 0), 0)}`,
        optionsOf: (number) => this.optionsOf(byNumber.get(number) as Actor),
      });
      before = chosen.actor;
      const actor = byNumber.get(before);
      if (!actor) throw new Error(`no actor ${before}`);
      this.step(actor, chosen);
    }
    this.checkEnd();
    if (this.race) throw new Fault(this.race);
  }

  /** Repeats a schedule of another dispatch like this one, where these words were known to be shared. */
  replay(steps: readonly Option[], shared: readonly SharedWord[]): void {
    this.repeats = true;
    for (const [id, at] of shared) this.known.add(`${id}:${at}`);
    let step = 0;
    this.run(({ actors, optionsOf }) => steps[step++] ?? (optionsOf(actors[0] ?? 0)[0] as Option));
  }

  private group(number: number): Group {
    const { program, bound, subgroup, groups } = this.dispatch;
    const { together } = this;
    const size = program.workgroupSize;
    const group: Group = { number, actors: [], round: 0 };
    const shared = this.workgroupMemory(number);
    for (let first = 0; first < size; first += together) {
      const actor: Actor = {
        number: 1 + Math.floor((number * size + first) / together),
        lanes: [],
        group,
        seen: 0,
        changes: 0,
        rests: null,
        looks: new Map(),
        touched: false,
      };
      if (this.idle.has(actor.number)) continue;
      for (let index = first; index < Math.min(size, first + together); index++) {
        const lane = new Lane(this, number * size + index, actor, bound, shared, index, size, groups, subgroup);
        program.begin(lane);
        actor.lanes.push({ lane, code: program.main(lane) });
      }
      group.actors.push(actor);
    }
    return group;
  }

  private workgroupMemory(group: number): Record<string, Memory> {
    const found: Record<string, Memory> = {};
    for (const [name, words] of this.dispatch.program.workgroup) {
      const key = `${group}:${name}`;
      const memory =
        this.local.get(key) ?? new Memory(hash(group, 0, 0, this.local.size), name, new Uint32Array(words), true);
      this.local.set(key, memory);
      found[name] = memory;
    }
    return found;
  }

  /** Lets the lanes run up to the next access of a word that is shared, a barrier, or their end. */
  private advance(actor: Actor): void {
    for (;;) {
      for (const one of actor.lanes) if (one.lane.stop === RUNS) this.go(one);
      if (isReady(actor)) {
        const next = nextLanes(actor);
        if (next.some(({ lane }) => lane.memory && this.isShared(lane.memory, lane.at))) return;
        for (const one of next) this.go(one);
      } else if (!this.vote(actor)) return;
    }
  }

  private go({ lane, code }: Actor["lanes"][number]): void {
    lane.stop = RUNS;
    lane.steps += 1;
    if (code.next().done) lane.stop = DONE;
  }

  /** Lets the lanes that vote go on; whether there are any. */
  private vote(actor: Actor): boolean {
    const lanes: Lane[] = [];
    let waits = false;
    for (const { lane } of actor.lanes) {
      if (lane.stop === VOTE) lanes.push(lane);
      else if (lane.stop === BARRIER) waits = true;
    }
    const first = lanes[0]?.voting;
    if (!first) return false;
    const { name, line } = first;
    if (waits || lanes.some(({ voting }) => voting?.line !== line || voting.name !== name))
      throw new Fault(`lanes of one subgroup are at several votes (${this.place(line)})`);
    const got = voted(name, lanes);
    for (let i = 0; i < lanes.length; i++) {
      const lane = lanes[i] as Lane;
      lane.got = got[i];
      lane.stop = RUNS;
    }
    return true;
  }

  /** Lets these workgroups go on where all of their lanes are at a barrier, as often as they get to one. */
  private passBarriers(groups: Iterable<Group>): void {
    if (!this.dispatch.program.barriers) return;
    for (const group of groups) while (this.passBarrier(group)) for (const one of group.actors) this.advance(one);
  }

  private passBarrier(group: Group): boolean {
    let [waiting, ended] = [0, 0];
    for (const { lanes } of group.actors) {
      for (const { lane } of lanes) {
        if (lane.stop === BARRIER) waiting += 1;
        else if (lane.stop === DONE) ended += 1;
        else return false;
      }
    }
    if (waiting === 0) return false;
    const all = group.actors.flatMap(({ lanes }) => lanes.map(({ lane }) => lane));
    const line = all.find(({ stop }) => stop === BARRIER)?.line ?? 0;
    if (ended > 0) throw new Fault(`a barrier that not all lanes of the workgroup reach (${this.place(line)})`);
    group.round += 1;
    for (const lane of all) lane.stop = RUNS;
    return true;
  }

  private checkEnd(): void {
    for (const { lanes } of this.actors)
      for (const { lane } of lanes)
        if (lane.stop !== DONE) throw new Fault(`lane ${lane.number} waits for ever (${this.place(lane.line)})`);
  }

  /** Actors that can go on; all that wait, where each of them waits for a change by another one. */
  private awake(): Actor[] {
    const ready = this.going.filter(isReady);
    const awake = ready.filter((one) => !this.isResting(one));
    if (awake.length > 0) return awake;
    for (const one of ready) one.rests = null;
    return ready;
  }

  private isResting({ rests, changes }: Actor): boolean {
    return rests !== null && rests === this.changes - changes;
  }

  private optionsOf(actor: Actor): Option[] {
    const { number } = actor;
    const lanes = nextLanes(actor).map(({ lane }) => lane);
    const options: Option[] = [{ actor: number, fails: false, back: 0 }];
    if (lanes.some(({ mayFail }) => mayFail)) options.push({ actor: number, fails: true, back: 0 });
    const most = this.past?.most(lanes) ?? 0;
    for (let back = 1; back <= most; back++) options.push({ actor: number, fails: false, back });
    return options;
  }

  /** One access of each lane that is at the same line. */
  private step(actor: Actor, { fails, back }: Option): void {
    for (const one of nextLanes(actor)) {
      one.lane.fails = fails;
      one.lane.back = back;
      this.go(one);
    }
    this.advance(actor);
    this.passBarriers([actor.group]);
  }
}

const isReady = ({ lanes }: Actor): boolean => lanes.some(({ lane }) => lane.stop === ACCESS);

/**
 * The lanes that make the actor's next access: those that stand where the one with the fewest steps does, so that none waits for another
 * one for ever.
 */
function nextLanes({ lanes }: Actor): Actor["lanes"] {
  const waiting = lanes.filter(({ lane }) => lane.stop === ACCESS);
  if (waiting.length < 2) return waiting;
  const { lane: first } = waiting.reduce((a, b) => (b.lane.steps < a.lane.steps ? b : a));
  return waiting.filter(({ lane }) => lane.line === first.line && lane.op === first.op);
}
