/** Explores cases of a table: every schedule of the dispatches of an operation, and what the table holds after each. */
import { EMPTY } from "../../../kernels/common/steps.js";
import { configure } from "../../../kernels/define.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { MIXED_KINDS, type TableType } from "../../../kernels/table.js";
import { type Bulk, Mismatch, withTable } from "../bulk.js";
import { type Ending, type ExploreCase, endingsOf, isMultimap, pairsText, textOf } from "./cases.js";
import { Exploring, failing } from "./exploring.js";
import { meet } from "./functions.js";
import type { InterpretedGpu } from "./gpu.js";
import type { Machine, Option } from "./machine.js";

/** A case, and how many lanes there are from one of its operations to the next. */
export interface Placed extends ExploreCase {
  readonly apart: number;
}

/** A table for as few pairs as operations use is as full as it may be. */
const LOAD_FACTOR = 0.8;

const FEW = 8;

export class Explorer extends Exploring<Placed> {
  /** What may come of a case, as text. */
  private readonly endings = new WeakMap<Placed, readonly string[]>();

  constructor(
    private readonly type: TableType,
    ...exploring: ConstructorParameters<typeof Exploring>
  ) {
    super(...exploring);
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
    if ((await failing(this.run(one, gpu, dispatched))) !== null) shared = Number.POSITIVE_INFINITY;
    return { one, together: gpu.together, shared };
  }

  protected run(one: Placed, gpu: InterpretedGpu, dispatched: (machine: Machine) => void): Promise<void> {
    const endings = this.endings.get(one) ?? endingsTold(this.type, one);
    this.endings.set(one, endings);
    return new CaseRun(gpu, this.seen(gpu), this.type, one, endings).run(dispatched);
  }
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
    await withTable(this.device, this.type, { n, loadFactor, params, insertions: 3 * n }, async (bulk) => {
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
    });
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
    if (isMultimap(this.type, this.one.params)) {
      const lists = (await bulk.findAll(keys)).map((values) => values.toSorted((a, b) => a - b));
      return new Map(keys.map((key, i) => [key, lists[i] ?? []] as const).filter(([, values]) => values.length > 0));
    }
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
    const all = [...pairs.values()].reduce((sum, values) => sum + values.length, 0);
    const { count } = await bulk.erase(keys, isMultimap(this.type, this.one.params));
    const left = await bulk.find(keys);
    const again = keys.filter((_, i) => left[i] !== EMPTY);
    if (count !== all || again.length > 0)
      throw new Mismatch(
        `${all} pairs are there, ${count} could be erased; found after that: ${again.join(" ") || "none"}`,
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
