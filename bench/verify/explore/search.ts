/**
 * All schedules of a dispatch, depth first. Lanes stop only before accesses to words that another actor touches too, one of them writing: orders
 * of all other accesses make no difference. Which words these are is found while searching; the search begins anew when there is
 * another one. What may follow from a state is explored once, whichever way leads there. Schedules with fewer preemptions come first.
 */
import { Fault } from "./lane.js";
import type { Choice, Chooser, Machine, Option } from "./machine.js";
import type { SharedWord, Word } from "./watched.js";

export interface Bounds {
  /** Times that an actor is interrupted which could go on; Infinity: as often as can be. */
  readonly preemptions: number;
  /** Weak compare-exchanges of a schedule that fail without a reason. */
  readonly failures: number;
  /** Loads of a schedule that see an old value, where the memory is relaxed. */
  readonly old: number;
}

/** The steps of a dispatch, each up to the next access of a word that was known to be shared. */
export interface DispatchSchedule {
  readonly steps: readonly Option[];
  readonly shared: readonly SharedWord[];
}

/** What a schedule left. */
export interface Outcome {
  readonly schedule: DispatchSchedule;
  readonly changed: readonly Word[];
  /** What a kernel did that it must not do. */
  readonly fault?: string;
}

export interface Searched {
  readonly outcomes: readonly Outcome[];
  /** Schedules that ran to their end. */
  readonly schedules: number;
  readonly states: number;
  /** Preemptions up to which all schedules were explored; Infinity: all there are. -1: the time was over before. */
  readonly preemptions: number;
}

/** Thrown within a schedule that need not go on. */
const KNOWN = new Error("known");

/** Bounds up to this one are searched in turn, so that a failure has few preemptions; then all that may be. */
const IN_TURN = 3;

class Search {
  private readonly outcomes = new Map<string, Outcome>();
  private schedules = 0;
  private states = 0;
  private limited = false;

  constructor(
    private readonly machine: Machine,
    private readonly bounds: Bounds,
    private readonly isOver: () => boolean,
  ) {}

  search(): Searched {
    const { preemptions } = this.bounds;
    let complete = -1;
    for (let most = 0; ; most = most < IN_TURN ? Math.min(most + 1, preemptions) : preemptions) {
      this.limited = false;
      const ended = this.upTo(most);
      if (ended) complete = this.limited ? most : Number.POSITIVE_INFINITY;
      if (!ended || !this.limited || this.faulty || most === preemptions) break;
    }
    this.machine.restore();
    const { schedules, states } = this;
    return { outcomes: [...this.outcomes.values()], schedules, states, preemptions: complete };
  }

  private get faulty(): boolean {
    return [...this.outcomes.values()].some(({ fault }) => fault !== undefined);
  }

  /** Whether all schedules with so many preemptions were explored. */
  private upTo(most: number): boolean {
    let known = this.machine.shared.length;
    let visited = new Map<string, number>();
    let path: { readonly options: readonly Option[]; at: number }[] = [];
    for (;;) {
      if (this.isOver() && this.schedules > 0) return false;
      this.schedule(path, visited, most);
      if (this.faulty) return true;
      if (this.machine.shared.length > known) {
        known = this.machine.shared.length;
        visited = new Map();
        path = [];
        continue;
      }
      for (let top = path.at(-1); top && ++top.at >= top.options.length; top = path.at(-1)) path.pop();
      if (path.length === 0) return true;
    }
  }

  private schedule(
    path: { readonly options: readonly Option[]; at: number }[],
    visited: Map<string, number>,
    most: number,
  ): void {
    const taken: Option[] = [];
    let depth = 0;
    const spent = { preemptions: 0, failures: 0, old: 0 };
    const choose = (choice: Choice): Option => {
      if (depth === path.length) {
        const key = `${choice.state()},${choice.last},${spent.failures},${spent.old}`;
        if ((visited.get(key) ?? Number.POSITIVE_INFINITY) <= spent.preemptions) throw KNOWN;
        visited.set(key, spent.preemptions);
        this.states += 1;
        path.push({ options: this.allowed(choice, most, spent), at: 0 });
      }
      const entry = path[depth++];
      const one = entry?.options[entry.at];
      if (!one) throw new Error("nothing to choose");
      if (costs(choice) && one.actor !== choice.actors[0]) spent.preemptions += 1;
      if (one.fails) spent.failures += 1;
      if (one.back > 0) spent.old += 1;
      taken.push(one);
      return one;
    };
    if (ends(this.machine, this.outcomes, taken, choose)) this.schedules += 1;
  }

  private allowed(choice: Choice, most: number, spent: Bounds): readonly Option[] {
    const others = spent.preemptions < most || !costs(choice);
    if (!others && choice.actors.length > 1) this.limited = true;
    return (others ? choice.actors : choice.actors.slice(0, 1))
      .flatMap((actor) => choice.optionsOf(actor))
      .filter(
        ({ fails, back }) =>
          !(fails && spent.failures >= this.bounds.failures) && !(back > 0 && spent.old >= this.bounds.old),
      );
  }
}

/** Actors among which any may come next when one ends or waits. Of more of them, another than the next one in turn is a preemption too. */
const FEW = 4;

/** Whether it is a preemption to choose another actor than the first. */
function costs({ actors, last }: Choice): boolean {
  return last !== null || actors.length > FEW;
}

/** Runs a schedule, whose steps `choose` adds, and notes what it left; whether it came to its end. */
function ends(machine: Machine, outcomes: Map<string, Outcome>, steps: readonly Option[], choose: Chooser): boolean {
  const schedule = { steps, shared: [...machine.shared] };
  try {
    machine.run(choose);
  } catch (error) {
    if (error === KNOWN) return false;
    if (!(error instanceof Fault)) throw error;
    outcomes.set(`fault ${error.message}`, { schedule, changed: [], fault: error.message });
    return false;
  }
  const { outcome } = machine;
  if (!outcomes.has(outcome)) outcomes.set(outcome, { schedule, changed: machine.changed() });
  return true;
}

/** @param isOver whether the time for it is over */
export function searchSchedules(machine: Machine, bounds: Bounds, isOver: () => boolean): Searched {
  return new Search(machine, bounds, isOver).search();
}

/** So many schedules that are drawn at random; `draw` gives numbers from 0 to 1. */
export function drawSchedules(machine: Machine, count: number, draw: () => number, isOver: () => boolean): Searched {
  const outcomes = new Map<string, Outcome>();
  let schedules = 0;
  for (; schedules < count && !(schedules > 0 && isOver()); schedules++) {
    const steps: Option[] = [];
    const choose = ({ actors, optionsOf }: Choice): Option => {
      const options = optionsOf(actors[Math.floor(draw() * actors.length)] ?? 0);
      const one = options[Math.floor(draw() * options.length)] as Option;
      steps.push(one);
      return one;
    };
    if (!ends(machine, outcomes, steps, choose)) break;
  }
  machine.restore();
  return { outcomes: [...outcomes.values()], schedules, states: 0, preemptions: -1 };
}
