/** Queries in which lanes, or workgroups, meet: those of one dispatch are explored, and the answer has to be the same after each schedule. */
import { mix32 } from "../../../kernels/common/random.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { type Owner, owned } from "../../../kernels/device/owned.js";
import { STATUS_WORDS } from "../../../kernels/device/status.js";
import { makeDistinct } from "../../../kernels/group-by/distinct.js";
import { type GroupByTuning, makeGroupBy } from "../../../kernels/group-by/group-by.js";
import type { Plan } from "../../../kernels/group-by/plan.js";
import { SEED } from "../../../kernels/group-by/sampling.js";
import { makeJoin } from "../../../kernels/join/join.js";
import type { RunSteps } from "../../../kernels/table.js";
import { Mismatch, upload } from "../bulk.js";
import { Exploring } from "./exploring.js";
import type { InterpretedGpu } from "./gpu.js";
import type { Machine } from "./machine.js";

export interface QueryCase {
  readonly query: "group-by" | "distinct" | "join";
  readonly name: string;
  /** The end of the path of the kernel that is explored. */
  readonly kernel: string;
  answer(own: Owner, run: RunSteps): Promise<string>;
  readonly right: string;
}

const hashOf = (key: number) => mix32((key ^ SEED) >>> 0);
const ONE = 1;
/** The next key that begins where ONE does: among 2^13 slots in global memory, in its part of the rows, and in workgroup memory. */
const OTHER =
  Array.from({ length: 2 ** 20 }, (_, i) => 2 + i).find(
    (key) => hashOf(key) >>> 19 === hashOf(ONE) >>> 19 && (hashOf(key) & 0x8000) === (hashOf(ONE) & 0x8000),
  ) ?? 0;
const NAMES = new Map([
  [ONE, "one"],
  [OTHER, "other"],
]);
/** More lanes than go on together. */
const LANES = 33;

/** What a pass is for, but for the sample of thousands of lanes, which comes first and is known. */
function afterSample(device: Gpu): RunSteps {
  const sample: Partial<Record<string, number>> = { distinct: 2, left: 3 };
  let passes = 0;
  return async (...pass) => {
    if (passes++ > 0) return device.time(...pass);
    return { ...(await device.time([])), status: Uint32Array.from(STATUS_WORDS, (name) => sample[name] ?? 0) };
  };
}

/** Sums of 1, 2, 4 … of rows with these keys. */
function sums(name: string, kernel: string, keys: readonly number[], how: GroupByTuning & { plan: Plan }): QueryCase {
  const values = keys.map((_, i) => 2 ** i);
  const sumOf = (key: number) => values.reduce((sum, value, i) => sum + (keys[i] === key ? value : 0), 0);
  return {
    query: "group-by",
    name,
    kernel,
    async answer(own, run) {
      const by = await makeGroupBy(own, { turns: 1, ...how, aggregates: ["sum"] });
      const rows = { keys: await upload(own, keys), columns: [await upload(own, values)], n: keys.length };
      const { groups, keys: found, answers } = await by.run(run, rows);
      const words = await own.read(answers, groups);
      return [...(await own.read(found, groups))]
        .map((key, g) => `${NAMES.get(key)} ${words[g]}`)
        .sort()
        .join();
    },
    right: [...new Set(keys)]
      .map((key) => `${NAMES.get(key)} ${sumOf(key)}`)
      .sort()
      .join(),
  };
}

/** The join of rows with these keys, by an index of which a part has two slots, with themselves. */
function joined(name: string, keys: readonly number[]): QueryCase {
  const pairs = keys.flatMap((key, j) => keys.flatMap((other, i) => (key === other ? [`${i} ${j}`] : [])));
  return {
    query: "join",
    name,
    kernel: "/index.wgsl",
    async answer(own, run) {
      const limits = { ...own.info.limits, maxComputeInvocationsPerWorkgroup: LANES };
      const few: Owner = Object.create(own, { info: { value: { ...own.info, limits } } });
      const join = await makeJoin(few, { kind: "inner", slots: 2 });
      const side = { keys: await upload(own, keys), n: keys.length };
      const { results, rows } = await join.run(run, side, side);
      const build = rows.build && (await own.read(rows.build, results));
      return [...(await own.read(rows.probe, results))]
        .map((j, i) => `${build?.[i]} ${j}`)
        .sort()
        .join();
    },
    right: pairs.sort().join(),
  };
}

const firsts: QueryCase = {
  query: "distinct",
  name: "two first rows in one word of the mask",
  kernel: "/distinct.wgsl",
  async answer(own, run) {
    const by = await makeDistinct(own, { lanes: 1, slots: 2, turns: 1, workgroups: 1, plan: "local" });
    const keys = [ONE, OTHER, ONE];
    const { distinct, marks, rows } = await by.run(run, { keys: await upload(own, keys), n: keys.length });
    return `${(await own.read(marks, 1))[0]}: ${await own.read(rows, distinct)}`;
  },
  right: "3: 0,1",
};

export const QUERIES: readonly QueryCase[] = [
  // A workgroup of one lane takes the first four rows, another one the fifth; either group may have the slot in global memory, and the other one the next.
  sums("workgroups meet in global memory", "/local.wgsl", [ONE, OTHER, ONE, OTHER, ONE], {
    plan: "local",
    lanes: 1,
    slots: 2,
    reach: 1,
    workgroups: 2,
  }),
  ...[true, false].map((sparse) =>
    sums(
      `lanes meet in workgroup memory${sparse ? ", few groups" : ""}`,
      "/local.wgsl",
      [ONE, OTHER, ONE, ONE, OTHER],
      {
        plan: "local",
        lanes: LANES,
        slots: 2,
        reach: 2,
        workgroups: 1,
        sparse,
      },
    ),
  ),
  joined("two rows of one key", [ONE, ONE]),
  joined("two keys of one slot", [ONE, OTHER]),
  firsts,
];

export const QUERY_NAMES: readonly string[] = [...new Set(QUERIES.map(({ query }) => query))];

export class QueryExplorer extends Exploring<QueryCase> {
  protected async run(one: QueryCase, gpu: InterpretedGpu, dispatched: (machine: Machine) => void): Promise<void> {
    gpu.only = one.kernel;
    gpu.dispatched = dispatched;
    const device = this.seen(gpu);
    const { got } = await owned(device, async (own) => ({ got: await one.answer(own, afterSample(own)) }));
    if (got !== one.right) throw new Mismatch(`${got}; right is ${one.right}`);
  }
}
