/** The first row of each key, on the device: a group-by of the rows' numbers by their minimum. See README.md. */
import { PrefixSum } from "../common/scan.js";
import { EMPTY, fillStep, groupsFor, lazily } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { type GroupByOptions, type GroupRows, makeGroupBy } from "./group-by.js";
import type { Plan } from "./plan.js";

/** What is found. Its buffers stay the owner's, who runs again into them. */
export interface Distinct {
  readonly ns: number;
  readonly plan: Plan;
  readonly restarts: number;
  /** Different keys. */
  readonly distinct: number;
  /** Bit i % 32 of word i / 32 is set where row i is the first of its key. */
  readonly marks: GPUBuffer;
  /** Those rows, ascending. */
  readonly rows: GPUBuffer;
}

/** Rows of keys alone. */
export type KeyRows = Pick<GroupRows, "keys" | "n">;

/** @param options as of a group-by of one column */
export async function makeDistinct(gpu: Owner, options: Omit<GroupByOptions, "aggregates" | "columns"> = {}) {
  const [by, scan, number] = await Promise.all([
    makeGroupBy(gpu, { ...options, aggregates: ["min"] }),
    PrefixSum.make(gpu),
    gpu.kernel({ file: "kernels/join/rows.wgsl", takes: ["numbers", "n"] }),
  ]);
  /** Of n rows. The numbers are made once, the marks are cleared by each run. */
  const rooms = gpu.kept(async (own, n: number) => {
    const numbers = await own.alloc("numbers of rows", 4 * n);
    const marks = await own.alloc("marks of first rows", 4 * Math.ceil(n / 32));
    await own.run([dispatch(number, groupsFor(n), { numbers, n })]);
    const offsets = await own.alloc("offsets of marks", marks.size);
    return { numbers, marks, offsets, cleared: await fillStep(own, marks, 0) };
  });
  const outputs = gpu.kept((own, n: number) => own.alloc("first rows", 4 * n));
  /** What makes the steps from the first rows by key to marks and rows. */
  const marking = async (recorded: boolean) => {
    const kernel = (entry: string) =>
      gpu.kernel({ file: "kernels/group-by/distinct.wgsl", entry, conditions: { RECORDED: recorded } });
    const [mark, count, write] = await Promise.all(["mark_firsts", "count_marks", "write_rows"].map(kernel));
    if (!mark || !count || !write) throw new Error("no kernels");
    return (
      { keys, n }: { readonly keys: number; readonly n: number },
      { marks, offsets, cleared }: Pick<Awaited<ReturnType<typeof rooms.get>>, "marks" | "offsets" | "cleared">,
      {
        firsts,
        rows,
        ...copied
      }: { readonly firsts: GPUBuffer; readonly rows: GPUBuffer; readonly marks_out?: GPUBuffer },
    ): Step[] => {
      const words = Math.ceil(n / 32);
      const distinct_plan = { keys, words };
      return [
        cleared,
        dispatch(mark, groupsFor(keys), { distinct_plan, firsts, marks }),
        dispatch(count, groupsFor(words), { distinct_plan, marks_in: marks, offsets, ...copied }),
        ...scan.steps(offsets, words),
        dispatch(write, groupsFor(words), { distinct_plan, marks_in: marks, offsets, rows }),
      ];
    };
  };
  const marked = lazily(() => marking(false));
  return {
    /** As that of a group-by, whose groups are the different keys. */
    status: by.status,
    /** As of a group-by. */
    async steps({ n: most, distinct: room }: { readonly n: number; readonly distinct: number }) {
      const { numbers, ...own } = await rooms.get(most);
      const into = { keys: await gpu.alloc("different keys", 4 * room), answers: await outputs.get(room), room };
      const [group, none, mark] = await Promise.all([
        by.steps({ n: most, groups: room }),
        fillStep(gpu, into.answers, EMPTY),
        marking(true),
      ]);
      return ({ keys, n }: KeyRows, { marks, rows }: Pick<Distinct, "marks" | "rows">): Step[] => [
        none,
        ...group({ keys, columns: [numbers], n }, into),
        ...mark({ keys: room, n }, own, { firsts: into.answers, rows, marks_out: marks }),
      ];
    },
    /** Throws as a group-by. */
    async run(run: RunSteps, { keys, n }: KeyRows): Promise<Distinct> {
      const { numbers, ...own } = await rooms.get(n);
      const { ns, plan, restarts, groups, answers } = await by.run(run, { keys, columns: [numbers], n });
      const rows = await outputs.get(groups);
      const { ns: more } = await run((await marked())({ keys: groups, n }, own, { firsts: answers, rows }));
      return { ns: ns + more, plan, restarts, distinct: groups, marks: own.marks, rows };
    },
  };
}
