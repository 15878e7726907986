/** Workgroups that meet in the table of groups in global memory: every schedule of the dispatch that adds rows up. */
import { expect, test } from "vitest";
import { mix32 } from "../../../kernels/common/random.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { owned } from "../../../kernels/device/owned.js";
import { STATUS_WORDS } from "../../../kernels/device/status.js";
import { makeGroupBy } from "../../../kernels/group-by/group-by.js";
import { SEED } from "../../../kernels/group-by/sampling.js";
import type { RunSteps } from "../../../kernels/table.js";
import { addPackageKernels } from "../../device/sources.js";
import { withEdits } from "../../device/testing.js";
import { upload } from "../bulk.js";
import { InterpretedGpu } from "./gpu.js";
import { type Outcome, searchSchedules } from "./search.js";

addPackageKernels();

/** The slot of a key among 2^13. */
const slotOf = (key: number) => mix32((key ^ SEED) >>> 0) >>> 19;
const ONE = 1;
/** The next key that has its slot. */
const OTHER = Array.from({ length: 2 ** 16 }, (_, i) => 2 + i).find((key) => slotOf(key) === slotOf(ONE)) ?? 0;
/** A workgroup of one lane takes the first four rows, another one the fifth. */
const KEYS = [ONE, OTHER, ONE, OTHER, ONE];
const VALUES = [1, 2, 4, 8, 16];
const SAMPLE = { distinct: 2, left: 3 };
const BOUNDS = { preemptions: 2, failures: 1, old: 0 };

const interpreter = new InterpretedGpu(32);

/** The sums after each schedule, each answer once. */
async function answers(seen = (gpu: InterpretedGpu): Gpu => gpu): Promise<string[]> {
  const found = new Set<string>();
  let outcomes: readonly Outcome[] | undefined;
  for (let at = 0; at < (outcomes?.length ?? 1); at++) {
    const gpu = interpreter.another();
    const device = seen(gpu);
    // Clearing the table, and adding.
    let dispatches = 0;
    gpu.dispatched = (machine) => {
      if (++dispatches !== 2) return machine.runInOrder();
      outcomes ??= searchSchedules(machine, BOUNDS, () => false).outcomes;
      const { fault, changed } = outcomes[at] as Outcome;
      if (fault !== undefined) throw new Error(fault);
      machine.apply(changed);
    };
    // The sample, of thousands of lanes, is known.
    let passes = 0;
    const runs: RunSteps = async (...pass) => {
      const done = passes++ > 0 ? await device.time(...pass) : await device.time([]);
      return passes > 1
        ? done
        : { ...done, status: Uint32Array.from(STATUS_WORDS, (name) => ({ ...SAMPLE })[name as "left"] ?? 0) };
    };
    const made = await owned(device, async (own) => {
      const tuning = { lanes: 1, slots: 1, reach: 1, turns: 1, workgroups: 2 };
      const by = await makeGroupBy(own, { ...tuning, plan: "local", aggregates: ["sum"] });
      const rows = { keys: await upload(own, KEYS), columns: [await upload(own, VALUES)], n: KEYS.length };
      const { groups, keys, answers: sums } = await by.run(runs, rows);
      return { keys: await own.read(keys, groups), sums: await own.read(sums, groups) };
    });
    const named = [...made.keys].map((key, i) => `${key === ONE ? "one" : "other"} ${made.sums[i]}`);
    found.add(named.toSorted().join(", "));
  }
  // Either group may have the slot, and the other one the next.
  expect(outcomes?.length).toBeGreaterThan(1);
  return [...found];
}

test("all rows are added up, whichever workgroup claims the slot of a group first", async () => {
  expect(await answers()).toEqual(["one 21, other 10"]);
});

test("a workgroup that takes the slot of another group for its own is found", async () => {
  const edits = { "held = select(claim.old_value, hash, claim.exchanged);": "held = hash;" };
  const faulty = (gpu: InterpretedGpu) => withEdits(gpu, "kernels/group-by/table.wgsl", edits);
  expect(await answers(faulty)).not.toEqual(["one 21, other 10"]);
});
