/** The first row of each key, on the device: a group-by of the rows' numbers by their minimum. See README.md. */
import { PrefixSum } from "../common/scan.js";
import { fillStep, groupsFor } from "../common/steps.js";
import { dispatch } from "../device/bind.js";
import type { Owner } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { type GroupByOptions, makeGroupBy } from "./group-by.js";
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

/** @param options as of a group-by of one column */
export async function makeDistinct(gpu: Owner, options: Omit<GroupByOptions, "aggregates" | "columns"> = {}) {
  const file = "kernels/group-by/distinct.wgsl";
  const [by, scan, number, mark, count, write] = await Promise.all([
    makeGroupBy(gpu, { ...options, aggregates: ["min"] }),
    PrefixSum.make(gpu),
    gpu.kernel({ file: "kernels/join/rows.wgsl", takes: ["numbers", "n"] }),
    gpu.kernel({ file, entry: "mark_firsts", takes: ["distinct_plan", "firsts", "marks"] }),
    gpu.kernel({ file, entry: "count_marks", takes: ["distinct_plan", "marks_in", "offsets"] }),
    gpu.kernel({ file, entry: "write_rows", takes: ["distinct_plan", "marks_in", "offsets", "rows"] }),
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
  return {
    /** Throws as a group-by. */
    async run(run: RunSteps, { keys, n }: { readonly keys: GPUBuffer; readonly n: number }): Promise<Distinct> {
      const { numbers, marks, offsets, cleared } = await rooms.get(n);
      const { ns, plan, restarts, groups: distinct, answers } = await by.run(run, { keys, columns: [numbers], n });
      const rows = await outputs.get(distinct);
      const words = Math.ceil(n / 32);
      const distinct_plan = { keys: distinct, words };
      const { ns: more } = await run([
        cleared,
        dispatch(mark, groupsFor(distinct), { distinct_plan, firsts: answers, marks }),
        dispatch(count, groupsFor(words), { distinct_plan, marks_in: marks, offsets }),
        ...scan.steps(offsets, words),
        dispatch(write, groupsFor(words), { distinct_plan, marks_in: marks, offsets, rows }),
      ]);
      return { ns: ns + more, plan, restarts, distinct, marks, rows };
    },
  };
}
