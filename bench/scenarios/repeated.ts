/**
 * Times building and asking tables whose keys repeat: sets, compacting and multivalue tables (Alcantara et al., GPU Computing
 * Gems 2011, 4.5.2). `n` is the number of items. Parameter `multiplicity`: how often a key occurs in the input on average,
 * and in the queries, which are as many.
 */
import { PAIR_BYTES } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { Answer, OpResult, RunSteps } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { timeAside } from "../measure/aside.js";
import { countedOf } from "../measure/counting/counters.js";
import { exact, type Metric } from "../results/metrics.js";
import type { BenchContext, Operation, PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { ERASE, FIND, INSERT } from "./operations.js";
import { real } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { ANSWER_WORDS, RepeatedKeys } from "./workload/repeated.js";

/** An operation on repeated keys, with all that the benchmark has to know of it. */
interface RepeatedOperation extends Operation {
  /** Whether it asks for the key of every item. */
  readonly queries: boolean;
  prepare(repeated: Repeated): Promise<PreparedCell>;
}

const OPERATIONS: readonly RepeatedOperation[] = [
  { ...INSERT, queries: false, prepare: (repeated) => repeated.insert() },
  { ...FIND, queries: true, prepare: (repeated) => repeated.find() },
  { ...ERASE, queries: true, prepare: (repeated) => repeated.erase() },
];

export const repeatedBenchmark = ofTables({
  operations: OPERATIONS,
  kind: "of repeated keys",
  parameters: [real("multiplicity", 1, 2 ** 32, "how often a key occurs in the input on average")],
  unfit: ({ answers }) => (answers ? "" : "answers with values; repeated keys are for sets and their like"),
  bytes(of, { queries }) {
    const { n } = of.cell;
    const asked = queries ? n * 4 * (1 + ANSWER_WORDS[answersOf(of)]) : 0;
    return of.bytes() + n * PAIR_BYTES + asked;
  },
  async prepare(of, context, operation) {
    const { cell } = of;
    if ((cell.positiveRatio ?? 1) !== 1)
      throw new UsageError(`${cell.experiment}: repeated keys are queried as often as they occur`);
    return operation.prepare(await Repeated.make(of, context));
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

class Repeated {
  /** Different keys that the last build counted. */
  private counted: number | undefined;

  private constructor(
    private readonly gpu: Owner,
    private readonly prepared: PreparedTable,
    private readonly answers: Answer,
    private readonly items: RepeatedKeys,
    private readonly dataHash: string,
  ) {}

  /** Its items are written; the table is empty. */
  static async make(of: CellTable, { gpu, keys }: BenchContext): Promise<Repeated> {
    const { cell } = of;
    const data = await keys.get(cell.dataset, distinctKeys(cell), cell.seed);
    if (data.unique < data.n)
      throw new UsageError(`repeated keys are made of different ones; ${cell.dataset} has duplicates`);
    const items = await RepeatedKeys.make(gpu, data, { n: cell.n, seed: cell.seed });
    const prepared = new PreparedTable(of, gpu, await of.create(gpu, { n: cell.n }), items);
    await prepared.renew();
    return new Repeated(gpu, prepared, answersOf(of), items, await items.digest());
  }

  async insert(): Promise<PreparedCell> {
    const { prepared, items } = this;
    return {
      ...this.common(),
      mutates: true,
      reset: () => prepared.renew(),
      sample: async () => (await this.build(prepared.time)).ns,
      verify: () => this.check(),
      metrics: async () => {
        const built = this.built();
        await prepared.renew();
        return [...built, ...(await prepared.count(items.n, (run) => this.build(run)))];
      },
    };
  }

  async find(): Promise<PreparedCell> {
    const { prepared, items, answers } = this;
    await this.build(prepared.time);
    const queries = await items.queries(answers);
    return {
      ...this.common(queries.digest),
      ...prepared.searches(queries),
      verify: () => this.check(queries),
      metrics: async (ns) => {
        const both = exact("build_find_time", (await this.buildTime()) + ns);
        const n = countedOf(queries.n);
        const asked = (run: RunSteps) => prepared.table.find(run, { ...queries, n });
        return [both, ...this.built(), ...(await prepared.count(n, asked, { of: queries.n }))];
      },
    };
  }

  /** Erases the key of every item: of its copies one finds it. */
  async erase(): Promise<PreparedCell> {
    const { prepared, items, answers } = this;
    const { time, find } = prepared;
    const erase = prepared.does("erase");
    const queries = await items.queries(answers);
    const reset = async (): Promise<void> => {
      await prepared.renew();
      await this.build(time);
    };
    return {
      ...this.common(queries.digest),
      mutates: true,
      reset,
      sample: async () => {
        const { ns, count } = await erase(time, queries);
        if (count !== items.distinct) throw new Error(`${count} of ${items.distinct} keys were erased`);
        return ns;
      },
      verify: () => items.checkErased({ answers, find }),
      metrics: async () => {
        await reset();
        const counted = await prepared.count(items.n, (run) => erase(run, queries));
        return [...this.built(), ...counted];
      },
    };
  }

  private common(queries = "") {
    return {
      operations: this.items.n,
      dataHash: this.dataHash + queries,
      // Accesses of repeated keys are not random ones: device/limits has no pattern like them.
      access: null,
    };
  }

  private async build(run: RunSteps): Promise<OpResult> {
    const result = await this.prepared.insert(run, this.items, { what: `${this.items.n} items` });
    this.counted = result.distinct;
    return result;
  }

  private async check(queries: Parameters<RepeatedKeys["check"]>[1] = null): Promise<string> {
    const { prepared, answers, items, counted } = this;
    if (counted !== items.distinct) return `the table counts ${counted} different keys of ${items.distinct}`;
    const list = prepared.table.storage?.list;
    return items.check({ answers, find: prepared.find, ...(list && { list }) }, queries);
  }

  /** Median time of a build, ns. */
  private async buildTime(): Promise<number> {
    const { prepared } = this;
    const [build] = await timeAside(this.gpu, [
      {
        mutates: true,
        reset: () => prepared.renew(),
        sample: async () => (await this.build(prepared.time)).ns,
      },
    ]);
    return build?.median ?? Number.NaN;
  }

  /** Metrics of the builds so far. */
  private built(): Metric[] {
    const { prepared, items } = this;
    const restarts = exact("restarts", prepared.restarts);
    if (prepared.of.cell.loadFactor === null) return [restarts];
    return [exact("load_factor_reached", items.distinct / prepared.table.slots), restarts];
  }
}
