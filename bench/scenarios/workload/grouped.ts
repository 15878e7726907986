/** The rows of a group-by on the device, and the check of its answer. */
import { fillStep, groupsFor } from "../../../kernels/common/steps.js";
import { dispatch } from "../../../kernels/device/bind.js";
import { DoesNotFit } from "../../../kernels/device/errors.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { GroupRows, Groups } from "../../../kernels/group-by/group-by.js";
import type { GroupWord } from "../../../kernels/group-by/layout.js";
import { firstWrong, hex } from "./check.js";
import { digestOf } from "./keys.js";

const FILE = "bench/scenarios/workload/grouped.wgsl";
/** In the order of the numbers that grouped.wgsl has for them. */
export const SHAPES = ["even", "zipf", "hot", "q1", "orders"] as const;
export type Shape = (typeof SHAPES)[number];
const OF = ["sum", "upper", "min", "max", "count"] as const satisfies readonly GroupWord["of"][];

export interface GroupedSpec {
  readonly n: number;
  /** Groups that rows may be in; `q1` and `orders` have their own number. */
  readonly groups: number;
  readonly shape: Shape;
  /** Zipf's exponent. */
  readonly skew: number;
  readonly columns: number;
  readonly seed: number;
}

/** Groups that there may be. */
export function groupsOf({ n, groups, shape }: Pick<GroupedSpec, "n" | "groups" | "shape">): number {
  if (shape === "q1") return 4;
  return shape === "orders" ? 7 * Math.ceil(n / 28) : groups;
}

export class GroupedRows implements GroupRows {
  private constructor(
    private readonly gpu: Owner,
    private readonly plan: Readonly<Record<"rows" | "groups" | "seed" | "shape" | "skew" | "what" | "first", number>>,
    readonly keys: GPUBuffer,
    readonly columns: readonly GPUBuffer[],
    readonly digest: string,
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, spec: GroupedSpec): Promise<GroupedRows> {
    const { n, shape, skew, columns: count, seed } = spec;
    const shapes = { shape: SHAPES.indexOf(shape), skew: Math.round(1000 * skew) };
    const plan = { rows: n, groups: groupsOf(spec), seed, ...shapes, what: 0, first: 0 };
    const keys = await gpu.alloc("keys of rows", 4 * n);
    const makeKeys = await gpu.kernel({ file: FILE, entry: "make_keys", takes: ["keys", "plan"] });
    const makeColumn = await gpu.kernel({ file: FILE, entry: "make_column", takes: ["column", "plan"] });
    const columns: GPUBuffer[] = [];
    for (let i = 0; i < count; i++) columns.push(await gpu.alloc(`column ${i + 1} of rows`, 4 * n));
    await gpu.run([
      dispatch(makeKeys, groupsFor(n), { keys, plan }),
      ...columns.map((column, i) => dispatch(makeColumn, groupsFor(n), { column, plan: { ...plan, first: i * n } })),
    ]);
    return new GroupedRows(gpu, plan, keys, columns, await digestOf(gpu, keys, n));
  }

  get n(): number {
    return this.plan.rows;
  }

  /** What is wrong with the answer, in one line; "" if nothing is. Throws DoesNotFit. */
  async wrong(answer: Groups, words: readonly GroupWord[]): Promise<string> {
    const { groups } = this.plan;
    if (answer.groups > answer.room) return `${answer.groups} groups in an answer with room for ${answer.room}`;
    if (4 * groups > this.gpu.maxBinding) throw new DoesNotFit(`a check of ${groups} groups`);
    return scoped(this.gpu, async (own) => {
      const low = await own.alloc("tally", 4 * groups);
      const high = await own.alloc("tally's upper words", 4 * groups);
      const empty = await Promise.all([low, high].map((words) => fillStep(own, words, 0)));
      const kernel = await own.kernel({ file: FILE, entry: "tally", takes: ["keys", "column", "low", "high", "plan"] });
      const tally = async ({ of, column }: GroupWord) => {
        const plan = { ...this.plan, what: OF.indexOf(of) };
        const bindings = { keys: this.keys, column: this.columns[column] ?? this.keys, low, high, plan };
        await own.run([...empty, dispatch(kernel, groupsFor(this.n), bindings)]);
      };
      const check = (entry: string, items: number, of: number, first: number, names: readonly string[]) => {
        const all = { keys: answer.keys, answers: answer.answers, low, high };
        const plan = { ...this.plan, rows: answer.groups, what: of, first };
        const bound = { plan, ...Object.fromEntries(names.map((name) => [name, all[name as keyof typeof all]])) };
        return firstWrong(own, items, { file: FILE, entry, conditions: { VERDICT: true }, bound });
      };
      await tally({ of: "count", column: 0 });
      const others = await check("check_groups", answer.groups, 0, 0, ["keys", "low", "high"]);
      if (others) return `${others.count} groups are there twice or of no row, first ${hex(others.first)}`;
      const missing = await check("check_missing", groups, 0, 0, ["low", "high"]);
      if (missing) return `${missing.count} groups are missing`;
      for (const [i, word] of words.entries()) {
        await tally(word);
        const wrong = await check("check_word", answer.groups, OF.indexOf(word.of), i * answer.room, [
          "keys",
          "answers",
          "low",
          "high",
        ]);
        if (wrong) return `${word.of} of column ${word.column} is wrong in ${wrong.count} of ${answer.groups} groups`;
      }
      return "";
    });
  }
}
