/**
 * Times building and asking tables whose keys repeat: sets, compacting and multivalue tables (Alcantara et al., GPU Computing
 * Gems 2011, 4.5.2). `n` is the number of items. Parameter `multiplicity`: how often a key occurs in the input on average,
 * and in the queries, which are as many.
 */
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Answer, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { timeAside } from "../measure/aside.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { ERASE, FIND, INSERT } from "./operations.js";
import { real } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { ANSWER_WORDS, type Queries, RepeatedKeys } from "./workload/repeated.js";

export const repeatedBenchmark = ofTables({
  operations: [INSERT, FIND, ERASE],
  kind: "of repeated keys",
  parameters: [real("multiplicity", 1, 2 ** 32, "how often a key occurs in the input on average")],
  unfit: ({ answers }) => (answers ? "" : "answers with values; repeated keys are for sets and their like"),
  bytes(of, { id }) {
    const { n } = of.cell;
    const asked = id === INSERT.id ? 0 : n * 4 * (1 + ANSWER_WORDS[answersOf(of)]);
    return of.bytes() + n * PAIR_BYTES + asked;
  },
  async prepare(of, context, { id }) {
    const { cell } = of;
    if ((cell.positiveRatio ?? 1) !== 1)
      throw new UsageError(`${cell.experiment}: repeated keys are queried as often as they occur`);
    const repeated = await make(of, context);
    if (id === INSERT.id) return insert(repeated);
    return id === FIND.id ? find(repeated) : erase(repeated);
  },
});

function answersOf({ type }: CellTable): Answer {
  if (!type.answers) throw new Error(`${type.id} answers with values`);
  return type.answers;
}

/** Different keys of a cell. Throws UsageError if there is no such number. */
function distinctKeys({ n, params }: CellSpec): number {
  const multiplicity = Number(params.multiplicity);
  if (!(multiplicity >= 1 && multiplicity <= n))
    throw new UsageError(`multiplicity is ${params.multiplicity}; it goes from 1 to the number of items, ${n}`);
  return Math.max(1, Math.round(n / multiplicity));
}

type Repeated = Awaited<ReturnType<typeof make>>;

/** Its items are written; the table is empty. */
async function make(of: CellTable, { gpu, keys }: BenchContext) {
  const { cell } = of;
  const answers = answersOf(of);
  const data = await keys.get(cell.dataset, distinctKeys(cell), cell.seed);
  if (data.unique < data.n)
    throw new UsageError(`repeated keys are made of different ones; ${cell.dataset} has duplicates`);
  const items = await RepeatedKeys.make(gpu, data, { n: cell.n, seed: cell.seed });
  const { n, distinct } = items;
  const prepared = new PreparedTable(of, gpu, await of.create(gpu, { n }), items);
  await prepared.renew();
  const dataHash = await items.digest();
  /** Different keys that the last build counted. */
  let counted: number | undefined;
  return {
    gpu,
    prepared,
    items,
    answers,
    async build(run = prepared.time): Promise<number> {
      const result = await prepared.insert(run, items, { what: `${n} items` });
      counted = result.distinct;
      return result.ns;
    },
    async check(queries: Queries | null = null): Promise<string> {
      if (counted !== distinct) return `the table counts ${counted} different keys of ${distinct}`;
      const list = prepared.table.storage?.list;
      return items.check({ answers, find: prepared.find, ...(list && { list }) }, queries);
    },
    /** Metrics of the builds so far. */
    built(): Metric[] {
      const restarts = exact("restarts", prepared.restarts);
      if (cell.loadFactor === null) return [restarts];
      return [exact("load_factor_reached", distinct / prepared.table.slots), restarts];
    },
    // Accesses of repeated keys are not random ones: device/limits has no pattern like them.
    common: (queries = "") => ({ operations: n, dataHash: dataHash + queries, access: null }),
  };
}

function insert({ prepared, items, build, ...repeated }: Repeated): PreparedCell {
  return {
    ...repeated.common(),
    mutates: true,
    reset: () => prepared.renew(),
    sample: () => build(),
    verify: () => repeated.check(),
    metrics: async () => {
      const built = repeated.built();
      await prepared.renew();
      return [...built, ...(await prepared.count(items.n, build))];
    },
  };
}

async function find({ gpu, prepared, items, answers, build, ...repeated }: Repeated): Promise<PreparedCell> {
  await build();
  const queries = await items.queries(answers);
  /** Median time of a build, ns. */
  const buildTime = async () => {
    const [times] = await timeAside(gpu, [{ mutates: true, reset: () => prepared.renew(), sample: () => build() }]);
    return times?.median ?? Number.NaN;
  };
  return {
    ...repeated.common(queries.digest),
    ...prepared.searches(queries),
    verify: () => repeated.check(queries),
    metrics: async (ns) => {
      const both = exact("build_find_time", (await buildTime()) + ns);
      const asked = (run: RunSteps, n: number) => prepared.table.find(run, { ...queries, n });
      return [both, ...repeated.built(), ...(await prepared.countSome(queries.n, asked))];
    },
  };
}

/** Erases the key of every item: of its copies one finds it. */
async function erase({ prepared, items, answers, build, ...repeated }: Repeated): Promise<PreparedCell> {
  const erased = prepared.does("erase");
  const queries = await items.queries(answers);
  const reset = async (): Promise<void> => {
    await prepared.renew();
    await build();
  };
  return {
    ...repeated.common(queries.digest),
    mutates: true,
    reset,
    sample: async () => {
      const { ns, count } = await erased(prepared.time, queries);
      if (count !== items.distinct) throw new Error(`${count} of ${items.distinct} keys were erased`);
      return ns;
    },
    verify: () => items.checkErased({ answers, find: prepared.find }),
    metrics: async () => {
      await reset();
      return [...repeated.built(), ...(await prepared.count(items.n, (run) => erased(run, queries)))];
    },
  };
}
