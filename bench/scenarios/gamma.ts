/**
 * Times concurrent batches of the mixes Γ (slab hash, IPDPS 2018, VI.C): insertions, erasures and searches in one dispatch, one
 * operation a lane in random order, batch after batch in one pass. As many keys are inserted as erased, so that the table holds
 * n pairs before and after every batch. Γ0, Γ1 and Γ2 have `updates` 1, 0.4 and 0.2. Every sample begins with the table of the
 * first n pairs, built anew: a table that does not reuse slots, or not at once, fills up during the batches of one sample only.
 */
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import type { OpResult, RunSteps, TableType } from "../../kernels/table.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { MOST_KEYS, real, whole } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { DeviceGamma, GammaPlan } from "./workload/gamma.js";
import { checkDifferent } from "./workload/pairs.js";

/** Operations of a batch, at most: the paper's million. Smaller ones do not fill a large GPU, where a lane has one operation. */
const BATCH = 2 ** 20;
const BATCHES = 1;
/** Bytes of an operation: kind, key, value, answer. */
const OPERATION_BYTES = 16;

export const gammaBenchmark = ofTables({
  /** Its searches are part of the mix: there is no positive ratio to choose. */
  operations: [{ id: "mixed" }],
  parameters: [
    real("updates", 0, 1, "share of insertions and erasures (default: 1)"),
    whole("batch", 2, MOST_KEYS, `operations of a batch (default: as many as pairs, ${BATCH} at most)`),
    whole("batches", 1, 65_536, `batches of a sample (default: ${BATCHES})`),
  ],
  unfit: (type) => (takesGamma(type) ? "" : "cannot insert, find and erase in one dispatch"),
  byBuckets: true,
  presets: (_, type) => type.mixedParams ?? {},
  bytes(of) {
    const { cell } = of;
    const plan = planOf(of);
    const table = of.bytes(of.type.reusesSlots ? cell.n : plan.keys);
    return table + plan.operations * OPERATION_BYTES + cell.n * PAIR_BYTES;
  },
  prepare,
});

function takesGamma({ ops, answers }: TableType): boolean {
  return ops.includes("mixed") && ops.includes("erase") && (answers === undefined || answers === "member");
}

/** The batches of a cell. Throws a UsageError for sizes that do not go together. */
function planOf({ cell: { n, seed, params }, type }: CellTable): GammaPlan {
  return new GammaPlan({
    pairs: n,
    batch: Number(params.batch ?? Math.max(2, Math.min(BATCH, n))),
    batches: Number(params.batches ?? BATCHES),
    updates: Number(params.updates ?? 1),
    seed,
    member: type.answers === "member",
  });
}

async function prepare(of: CellTable, { gpu, keys }: BenchContext): Promise<PreparedCell> {
  const { cell } = of;
  const plan = planOf(of);
  const data = await keys.get(cell.dataset, plan.keys, cell.seed);
  checkDifferent(data, "new keys are keys of their own");
  const table = await of.create(gpu, { n: cell.n, insertions: plan.keys });
  const batches = await DeviceGamma.make(gpu, data, plan);
  const prepared = new PreparedTable(of, gpu, table, batches);

  /** The table of the first n pairs, with values of their own. */
  const reset = async (): Promise<void> => {
    await prepared.renew();
    const { first } = batches;
    await prepared.insert(prepared.time, first, { what: `the first ${first.n} pairs` });
  };
  /** All batches. Throws an Error if not all pairs got in. */
  const run = async (by: RunSteps): Promise<OpResult> => {
    const result = await prepared.does("mixed")(by, batches);
    if (result.count > 0)
      throw new Error(
        `${result.count} insertions found no slot: ${cell.n} pairs, and ${plan.updates} that a batch may insert before it erases as many`,
      );
    return result;
  };
  return {
    mutates: true,
    reset,
    sample: async () => (await run(prepared.time)).ns,
    operations: plan.operations,
    dataHash: data.digest + (await batches.digest()),
    // A batch has no one access that it cannot avoid.
    access: null,
    verify: async () => {
      const wrong = await batches.check(prepared.salt);
      if (wrong) return wrong;
      const left = await batches.checkLeft(prepared.find, prepared.salt);
      return left && `after the last batch ${left}`;
    },
    // All batches once more: each finds what the ones before left.
    metrics: async () => {
      await reset();
      return [...(await prepared.occupancy(cell.n)), ...(await prepared.count(plan.operations, run))];
    },
  };
}
