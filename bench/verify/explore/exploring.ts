/** Explores what runs on an interpreted device: every schedule of the dispatches that it hands over, and what comes of each. */
import type { Gpu } from "../../../kernels/device/gpu.js";
import { Mismatch } from "../bulk.js";
import { InterpretedGpu } from "./gpu.js";
import { Fault } from "./lane.js";
import type { Machine } from "./machine.js";
import {
  type Bounds,
  type DispatchSchedule,
  drawSchedules,
  type Outcome,
  type Searched,
  searchSchedules,
} from "./search.js";
import type { Access } from "./watched.js";

export interface Settings extends Bounds {
  readonly relaxed: boolean;
  /** Schedules of each dispatch that are drawn at random, in place of all; `draw` gives numbers from 0 to 1. */
  readonly random?: { readonly count: number; draw(): number };
}

/** A schedule of each dispatch of the operation. */
export type Schedule = readonly DispatchSchedule[];

export interface Explored {
  readonly schedules: number;
  readonly states: number;
  /** What the operation left, each once. */
  readonly endings: number;
  /** As of {@link Searched}, of the dispatch of which least was explored. */
  readonly preemptions: number;
  readonly failure?: { readonly why: string; readonly schedule: Schedule; readonly trace: readonly Access[] };
}

/** Dispatches of a case that was explored, by the outcomes of those before them. */
type Tree = Map<string, Searched>;

/** The lanes of a subgroup, as on most GPUs. */
const SUBGROUP = 32;

export abstract class Exploring<One> {
  protected readonly gpu = new InterpretedGpu(SUBGROUP);

  constructor(
    private readonly settings: Settings,
    /** The device as kernels' hosts see it. */
    protected readonly seen = (gpu: InterpretedGpu): Gpu => gpu,
    /** What budgets are in; looked at once per schedule and once per ending. */
    private readonly now = () => performance.now(),
  ) {
    this.gpu.relaxed = settings.relaxed;
  }

  /** Runs the case on a device that has nothing yet, which hands dispatches over. Throws Mismatch if it went wrong. */
  protected abstract run(one: One, gpu: InterpretedGpu, dispatched: (machine: Machine) => void): Promise<void>;

  /** @param budget time for it, in ms or as `now` has it */
  async explore(one: One, budget: number): Promise<Explored> {
    const tree: Tree = new Map();
    const begin = this.now();
    const end = begin + budget;
    // The rest is for looking at what the schedules left.
    const searched = begin + budget / 2;
    const endings = new Set<string>();
    let path: number[] = [];
    for (;;) {
      const taken: { readonly outcome: Outcome; readonly of: number; readonly at: number }[] = [];
      const failure = await this.follow(one, (machine) => {
        const key = taken.map(({ at }) => at).join();
        const node = tree.get(key) ?? this.search(machine, searched);
        tree.set(key, node);
        const at = path[taken.length] ?? 0;
        const faulty = node.outcomes.findIndex(({ fault }) => fault !== undefined);
        const outcome = node.outcomes[faulty >= 0 ? faulty : at] as Outcome;
        taken.push({ outcome, of: node.outcomes.length, at });
        if (outcome.fault !== undefined) throw new Mismatch(outcome.fault);
        machine.apply(outcome.changed);
      });
      endings.add(taken.map(({ at }) => at).join());
      if (failure !== null) {
        const schedule = taken.map(({ outcome }) => outcome.schedule);
        const { trace } = await this.replay(one, schedule);
        return { ...summaryOf(tree), endings: endings.size, failure: { why: failure, schedule, trace } };
      }
      const last = taken.findLastIndex(({ of, at }) => at + 1 < of);
      if (last < 0) break;
      path = [...taken.slice(0, last).map(({ at }) => at), (taken[last]?.at ?? 0) + 1];
      if (this.now() > end) return { ...summaryOf(tree), preemptions: -1, endings: endings.size };
    }
    return { ...summaryOf(tree), endings: endings.size };
  }

  /** Runs one schedule; why it is wrong, if it is, and its accesses. */
  async replay(one: One, schedule: Schedule): Promise<{ why: string | null; trace: Access[] }> {
    const trace: Access[] = [];
    let number = 0;
    const why = await this.follow(one, (machine) => {
      const { steps, shared } = schedule[number++] ?? { steps: [], shared: [] };
      machine.trace = trace;
      machine.replay(steps, shared);
    });
    return { why, trace };
  }

  private search(machine: Machine, end: number): Searched {
    const { random } = this.settings;
    const isOver = () => this.now() > end;
    return random
      ? drawSchedules(machine, random.count, random.draw, isOver)
      : searchSchedules(machine, this.settings, isOver);
  }

  /** Why the case went wrong; null if it did not. */
  private async follow(one: One, dispatched: (machine: Machine) => void): Promise<string | null> {
    return failing(this.run(one, this.gpu.another(), dispatched));
  }
}

/** Why a case went wrong; null if it did not. */
export async function failing(work: Promise<void>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Mismatch || error instanceof Fault) return error.message;
    throw error;
  }
}

function summaryOf(tree: Tree): Omit<Explored, "endings"> {
  const all = [...tree.values()];
  const sum = (of: (one: Searched) => number) => all.reduce((total, one) => total + of(one), 0);
  const preemptions = Math.min(...all.map((one) => one.preemptions));
  return { schedules: sum(({ schedules }) => schedules), states: sum(({ states }) => states), preemptions };
}
