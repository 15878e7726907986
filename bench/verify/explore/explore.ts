/** Explores cases of a table: every schedule of the dispatches of an operation, and what the table holds after each. */
import { EMPTY } from "../../../kernels/common/steps.js";
import { configure } from "../../../kernels/define.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { MIXED_KINDS, type TableType } from "../../../kernels/table.js";
import { Bulk, Mismatch, makeTable } from "../bulk.js";
import { type Ending, type ExploreCase, endingsOf, pairsText, textOf } from "./cases.js";
import { meet } from "./functions.js";
import { InterpretedGpu } from "./gpu.js";
import { Fault } from "./lane.js";
import type { Machine, Option } from "./machine.js";
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

/** A case, and how many lanes there are from one of its operations to the next. */
export interface Placed extends ExploreCase {
  readonly apart: number;
}

/** Dispatches of an operation that was explored, by the outcomes of those before them. */
type Tree = Map<string, Searched>;

/** The lanes of a subgroup, as on most GPUs. */
const SUBGROUP = 32;
/** A table for as few pairs as operations use is as full as it may be. */
const LOAD_FACTOR = 0.8;

const FEW = 8;

export class Explorer {
  private readonly gpu = new InterpretedGpu(SUBGROUP);
  /** What may come of a case, as text. */
  private readonly endings = new WeakMap<Placed, readonly string[]>();

  constructor(
    private readonly type: TableType,
    private readonly settings: Settings,
    /** The device as the table sees it. */
    private readonly seen = (gpu: InterpretedGpu): Gpu => gpu,
    /** What budgets are in; looked at once per schedule and once per ending. */
    private readonly now = () => performance.now(),
  ) {
    this.gpu.relaxed = settings.relaxed;
  }

  /**
   * Of cases that stand for one another, the one whose lanes share most words; where lanes go on together, in one warp and in several.
   */
  async placed(similar: readonly ExploreCase[]): Promise<Placed[]> {
    const { together } = await this.sharing({ ...(similar[0] as ExploreCase), apart: 1 });
    const apart = together > 1 && this.type.incremental ? together : 1;
    const tries: { readonly one: Placed; readonly shared: number }[] = [];
    for (const one of similar) tries.push(await this.sharing({ ...one, apart }));
    const { one } = tries.reduce((a, b) => (b.shared > a.shared ? b : a));
    return apart > 1 ? [{ ...one, apart: 1 }, one] : [one];
  }

  /** Lanes that go on together in the kernels of a case, and how many words they are found to share. */
  private async sharing(one: Placed) {
    const gpu = this.gpu.another();
    let shared = 0;
    const dispatched = (machine: Machine) => {
      machine.run(({ actors, optionsOf }) => optionsOf(actors[0] ?? 0)[0] as Option);
      shared += machine.shared.length;
    };
    // Of a case that fails with its first schedule no other keys are wanted.
    if ((await failing(this.runOf(one, gpu).run(dispatched))) !== null) shared = Number.POSITIVE_INFINITY;
    return { one, together: gpu.together, shared };
  }

  /** @param budget time for it, in ms or as `now` has it */
  async explore(one: Placed, budget: number): Promise<Explored> {
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
  async replay(one: Placed, schedule: Schedule): Promise<{ why: string | null; trace: Access[] }> {
    const trace: Access[] = [];
    let number = 0;
    const why = await this.follow(one, (machine) => {
      const { steps, shared } = schedule[number++] ?? { steps: [], shared: [] };
      machine.trace = trace;
      machine.replay(steps, shared);
    });
    return { why, trace };
  }

  private runOf(one: Placed, gpu: InterpretedGpu): CaseRun {
    const endings = this.endings.get(one) ?? endingsTold(this.type, one);
    this.endings.set(one, endings);
    return new CaseRun(gpu, this.seen(gpu), this.type, one, endings);
  }

  private search(machine: Machine, end: number): Searched {
    const { random } = this.settings;
    const isOver = () => this.now() > end;
    return random
      ? drawSchedules(machine, random.count, random.draw, isOver)
      : searchSchedules(machine, this.settings, isOver);
  }

  /** Makes the table and does the operations; why they went wrong. */
  private async follow(one: Placed, dispatched: (machine: Machine) => void): Promise<string | null> {
    return failing(this.runOf(one, this.gpu.another()).run(dispatched));
  }
}

/** Why a case went wrong; null if it did not. */
async function failing(work: Promise<void>): Promise<string | null> {
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

/** A table of its own for one run of a case. */
class CaseRun {
  constructor(
    private readonly gpu: InterpretedGpu,
    private readonly device: Gpu,
    private readonly type: TableType,
    private readonly one: Placed,
    private readonly endings: readonly string[],
  ) {}

  /** Throws Mismatch if what the operations left, or answered, is not what some order of them leaves. */
  async run(dispatched: (machine: Machine) => void): Promise<void> {
    const { before, erased, operations, params } = this.one;
    const n = before.length + operations.length;
    // Among many others it is as full as it may be.
    const loadFactor = Math.min(before.length > FEW ? 1 : LOAD_FACTOR, configure(this.type, params).safeLoadFactor);
    const table = await makeTable(this.device, this.type, { n, loadFactor, params, insertions: 3 * n });
    await table.clear();
    const bulk = new Bulk(this.device, table);
    if (before.length > 0)
      await bulk.insert(
        before.map(([key]) => key),
        before.map(([, value]) => value),
      );
    if (erased.length > 0) await bulk.erase(erased);
    this.gpu.dispatched = dispatched;
    this.gpu.together = 1;
    const answers = await this.operate(bulk);
    this.gpu.dispatched = null;
    await this.check(bulk, answers);
    table.destroy();
  }

  /** What each operation answered, or the sum of what they counted. */
  private async operate(bulk: Bulk): Promise<readonly number[]> {
    const { operations, by, rule, apart } = this.one;
    if (by === "functions") return meet(this.device, bulk.table, this.one);
    const n = (operations.length - 1) * apart + 1;
    // Between them are others that change nothing.
    const spread = (rest: number, of: (i: number) => number) =>
      Array.from({ length: n }, (_, i) => (i % apart === 0 ? of(i / apart) : rest));
    const keys = spread(EMPTY, (i) => operations[i]?.key ?? 0);
    const values = spread(0, (i) => operations[i]?.value ?? 0);
    const others = n - operations.length;
    if (by === "mixed") {
      const kinds = spread(MIXED_KINDS.find, (i) => MIXED_KINDS[operations[i]?.kind as keyof typeof MIXED_KINDS]);
      const { answers } = await bulk.mixed({ kinds, keys, values, slices: [{ first: 0, count: n }] });
      return operations.map((_, i) => answers[i * apart] ?? 0);
    }
    const kind = operations[0]?.kind;
    if (rule) {
      const { states, results } = await bulk.upsert(keys, values, { rule });
      return [states, results].flatMap((words) => operationsOf(words, apart));
    }
    if (kind === "find") return operationsOf(await bulk.find(keys), apart);
    if (kind === "erase") return [(await bulk.erase(keys)).count];
    const { count } = await bulk.insert(keys, values);
    return [count - others];
  }

  /** What searches find of the keys. */
  private async contents(bulk: Bulk, keys: readonly number[]): Promise<Map<number, readonly number[]>> {
    const { answers: kind } = this.type;
    const words = kind === "range" ? 2 : 1;
    const found = await bulk.find(keys, undefined, words);
    const list = bulk.table.storage?.list;
    const listed = list ? await this.gpu.read(list, list.size / 4) : new Uint32Array();
    const of = (i: number): readonly number[] => {
      const [answer = EMPTY, count] = found.subarray(words * i);
      if (kind === "range") return rangeOf(listed, answer, count);
      if (kind === "id" && answer !== EMPTY) return listed[answer] === keys[i] ? [1] : [answer];
      return answer === EMPTY ? [] : [answer];
    };
    return new Map(keys.map((key, i) => [key, of(i)] as const).filter(([, values]) => values.length > 0));
  }

  private async check(bulk: Bulk, answers: readonly number[]): Promise<void> {
    const { before, operations } = this.one;
    const keys = [...new Set([...before.map(([key]) => key), ...operations.map(({ key }) => key), 5000])];
    const pairs = await this.contents(bulk, keys);
    const got = textOf({ answers, pairs });
    const { endings } = this;
    if (!endings.includes(got))
      throw new Mismatch(`${got}; no order of the operations leaves that, but ${endings.join(", or ")}`);
    await checkNodes(bulk);
    await checkExported(bulk, pairs);
    if (!this.type.ops.includes("erase")) return;
    const { count } = await bulk.erase(keys);
    const left = await bulk.find(keys);
    const again = keys.filter((_, i) => left[i] !== EMPTY);
    if (count !== pairs.size || again.length > 0)
      throw new Mismatch(
        `${pairs.size} keys are there, ${count} could be erased; found after that: ${again.join(" ") || "none"}`,
      );
    if (!this.type.incremental) return;
    // Nothing stays locked, and what has room for them takes all keys again.
    const refused = (await bulk.insert(keys, keys)).count;
    const back = await this.contents(bulk, keys);
    if (back.size + refused !== keys.length)
      throw new Mismatch(
        `of ${keys.length} keys that are inserted again ${refused} are refused, and ${back.size} are found`,
      );
  }
}

/** The endings as a run tells them: of operations of one kind the sum of what they counted. */
function endingsTold(type: TableType, one: Placed): string[] {
  const { operations, by, rule } = one;
  const kind = operations[0]?.kind;
  return endingsOf(type, one).map((ending) => {
    if (by !== "kind" || rule || kind === "find") return textOf(ending);
    const count = kind === "erase" ? ending.answers.reduce((sum, answer) => sum + answer, 0) : 0;
    return textOf({ ...ending, answers: [count] });
  });
}

/** Every node beyond the first of a list is one that the allocator has handed out, once. */
async function checkNodes({ table: { nodes } }: Bulk): Promise<void> {
  const allocated = await nodes?.allocated?.();
  const occupied = await nodes?.occupancy();
  if (allocated === undefined || allocated === null || !occupied) return;
  const linked = occupied.nodes - occupied.lists;
  if (allocated !== linked) throw new Mismatch(`${linked} nodes are linked, ${allocated} are handed out`);
}

/** What is exported is what searches find. */
async function checkExported(bulk: Bulk, pairs: Ending["pairs"]): Promise<void> {
  if (!bulk.table.export) return;
  const exported = new Map((await bulk.export(pairs.size + 1)).map(([key, value]) => [key, [value]] as const));
  const [got, found] = [exported, pairs].map(pairsText);
  if (got !== found) throw new Mismatch(`exported are ${got}; found are ${found}`);
}

/** A list's part that an answer (first, count) names. */
const rangeOf = (list: Uint32Array, first = EMPTY, count = 0): number[] =>
  first === EMPTY ? [] : [...list.subarray(first, first + count)].toSorted((a, b) => a - b);

const operationsOf = (answers: Uint32Array, apart: number): number[] => [...answers].filter((_, i) => i % apart === 0);
