/** Cells that a scenario is, of the tables that it fits: they are timed, checked and counted here, whatever the scenario. */
import { UsageError } from "../../kernels/device/errors.js";
import { Owner } from "../../kernels/device/owned.js";
import type { GpuTable, TableType } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import type { Between } from "../measure/sampled.js";
import type { BenchContext, History, Operation, PreparedCell, Stage } from "./benchmark.js";
import { datasetOf } from "./bulk-table.js";
import type { CellTable } from "./cell-table.js";
import { Course, PLANNED } from "./course.js";
import { ofTables, type TableBenchmark, type TableCells } from "./gpu-tables.js";
import { Life } from "./life.js";
import { type Measure, Measures } from "./measures.js";
import { PreparedTable } from "./prepared-table.js";
import { changedBy, countedSteps, countOf, operationsOf, type Scenario } from "./scenario.js";
import { checkDifferent } from "./workload/pairs.js";
import { DeviceRounds, keyNumbers, numbersBytes, roundsBytes } from "./workload/rounds.js";

/** Operations from which on a sample is long ([sampling](../../results/studies/sampling.md)). */
const LONG_OPERATIONS = 1e8;
/** The filling and the check of all keys are done in parts of at least PART operations, or of PARTS times a step's. */
const PART = 2 ** 20;
const PARTS = 4;

/** How the cells of a table become a scenario. */
export interface Workload {
  scenario(of: CellTable): Scenario;
  /** Metrics of a cell beside its time. */
  readonly measures: readonly Measure[];
  /**
   * What cells that are prefixes of one run share beside table, data set and seed, and the cell's number of rounds. Null: the cell has
   * its own run. Default: all have.
   */
  history?(cell: CellSpec): { readonly of: unknown; readonly length: number } | null;
  /** A cell's time is that of its last round. Default: of all of its rounds. */
  readonly lastRound?: true;
  /**
   * `computed`: keys are computed by number, as many as it takes; the data set is `random`. `marked`: a word per key of the data set
   * knows whether it is alive; keys may be equal, and steps say their numbers. `repeated`: keys may be equal where the table takes such.
   * Default: the keys of the cell's data set, all different, of which a window of numbers is alive.
   */
  readonly keys?: "computed" | "marked" | "repeated";
  /** Rounds of which nothing is kept, after which a run is like those after it. Default: a whole run. */
  readonly rehearsed?: number;
  /** The table's operation whose access cannot be avoided. Default: none, as there are several kinds of operations. */
  readonly access?: string;
}

/** The benchmark of these cells. */
export function ofScenario(
  cells: Workload &
    Pick<TableCells<Operation>, "operations" | "parameters" | "presets" | "unfit" | "byBuckets" | "exists">,
): TableBenchmark {
  const marks = cells.keys === "marked";
  return ofTables({
    ...cells,
    history: (of) => historyOf(of, cells),
    bytes: (of) => scenarioBytes(of, cells.scenario(of), marks),
    sharedBytes: ({ cell }) => (marks ? { [numbersName(cell)]: numbersBytes(cell.n) } : {}),
    prepare: (of, context) => prepareScenario(of, context, cells),
  });
}

/** Name of the keys' numbers, which cells of one data set share. */
const numbersName = ({ dataset, n, seed }: CellSpec) => `numbers of ${n} keys of ${dataset}, seed ${seed}`;

/** The history of a cell. Its name is the same in every experiment, and whether a default is written or left out. */
export function historyOf(table: CellTable, { history }: Pick<Workload, "history">): History | null {
  const own = history?.(table.cell);
  if (!own) return null;
  const { cell, loadFactor, type } = table;
  const sorted = Object.entries(type.params).sort(([a], [b]) => (a < b ? -1 : 1));
  const { bench, table: id, op, dataset, seed } = cell;
  return { name: JSON.stringify([bench, id, op, dataset, seed, loadFactor, own.of, sorted]), length: own.length };
}

/** Room for the operations of a scenario, and for its plans. */
function sizesOf({ before = [], sample, filling }: Scenario) {
  const rounds = [...new Set([...before, ...sample])].map(countedSteps);
  const rooms = Array.from({ length: Math.max(...rounds.map(({ length }) => length)) }, (_, at) =>
    Math.max(...rounds.map((steps) => (steps[at] ? countOf(steps[at]) : 0))),
  );
  const filled = filling?.count ?? 0;
  const all = Math.max(filled, changedBy(sample, "insert"));
  const most = Math.max(PART, PARTS * Math.max(...rooms));
  const first = Math.max(rooms[0] ?? 0, filling?.shuffled ? filled : Math.min(all, most));
  return {
    rooms: [first, ...rooms.slice(1)],
    planned: Math.max(Math.ceil(filled / first), Math.min(PLANNED, Math.max(before.length, sample.length))),
    noted: sample.length,
  };
}

const sizesOfTables = ({ sample }: Scenario) =>
  sample.flat().flatMap((step) => (step.do === "clear" ? [step.size] : []));

/** Device bytes of a cell. */
export function scenarioBytes(of: CellTable, scenario: Scenario, marks = false): number {
  const { n } = of.cell;
  const { before = [], sample, filling, anew, size = n } = scenario;
  const inserted = of.type.reusesSlots ? 0 : (filling?.count ?? 0) + changedBy(sample, "insert");
  const cleared = sizesOfTables(scenario);
  const table =
    cleared.length > 0
      ? cleared.reduce((sum, pairs) => sum + of.bytes(pairs), 0)
      : of.bytes(before.length > 0 ? Math.max(size, n) : Math.max(size, n, inserted));
  return (filling && !anew ? 2 : 1) * table + roundsBytes(sizesOf(scenario), marks ? n : 0);
}

/** Throws as `Benchmark.prepare` does. */
export async function prepareScenario(of: CellTable, context: BenchContext, workload: Workload): Promise<PreparedCell> {
  const { cell, type } = of;
  const { gpu, keys, shared } = context;
  const scenario = workload.scenario(of);
  const marks = workload.keys === "marked";
  const { before = [], sample, filling, seed } = scenario;
  if (workload.keys === "computed" && cell.dataset !== "random")
    throw new UsageError(`${cell.bench} makes its own keys, those of the data set random`);
  const mixed = [...before, ...sample].flat().some((step) => step.do === "mixed");
  if (mixed && !type.ops.includes("mixed")) throw new UsageError(`${type.id} has no mixed`);
  const beyond = ((scenario.life?.beyond ?? 0) * changedBy(sample, "insert")) / sample.length;
  const inserted = (filling?.count ?? 0) + changedBy([...before, ...sample], "insert");
  const cleared = sizesOfTables(scenario);
  const numbered = cleared.length > 0 || marks ? cell.n : Math.max(cell.n, inserted);
  const data = workload.keys === "computed" ? null : await keys.get(datasetOf(cell), numbered, cell.seed);
  if (data && !marks && !(workload.keys === "repeated" && type.duplicates))
    checkDifferent(data, "new keys are keys of their own");
  const { size = data?.unique ?? cell.n, insertions = Math.max(inserted + beyond, size) } = scenario;
  const own = new Owner(gpu);
  const tables: PreparedTable[] = [];
  const made = cleared.length > 0 ? cleared.map((n) => ({ n })) : [{ n: size, insertions }];
  for (const making of made) {
    const table: GpuTable = await of.create(own, making);
    if (scenario.size === undefined) of.checkFilled(making.n, table);
    tables.push(new PreparedTable(of, gpu, table));
  }
  const memory = own.storage();
  const numbers = data && marks ? await shared.get(gpu, numbersName(cell), (user) => keyNumbers(user, data)) : null;
  const { rooms, ...sizes } = sizesOf(scenario);
  const rounds = await DeviceRounds.make(gpu, { seed, data, numbers, answer: answerOf(type), rooms, ...sizes });
  const life = new Life(gpu, new Course(gpu, tables, rounds, scenario), memory, rooms[0] ?? 1);
  const dataHash = (data?.digest ?? "") + (data && mixed ? await life.digest() : "");
  return cellOf(of, context, workload, life, dataHash);
}

function answerOf({ answers, keysOnly }: TableType) {
  return answers === "member" ? "member" : keysOnly ? "key" : "value";
}

function cellOf(of: CellTable, context: BenchContext, workload: Workload, life: Life, dataHash: string): PreparedCell {
  const { course } = life;
  const { scenario, table } = course;
  const { rehearsed, access, keys, lastRound } = workload;
  const many = !scenario.filling || scenario.sample.length > 1;
  const measures = new Measures(context.gpu, life);
  /** Nanoseconds by sample and round. */
  const samples: number[][] = [];
  /** What was wrong in the rounds that were compared; null before there are some. */
  let wrong: string | null = null;

  /** The first rounds of the sample. */
  function stage(cell: CellSpec): Stage {
    const { n, seed } = cell;
    const { length } = workload.history?.(cell) ?? scenario.sample;
    const first = lastRound ? length - 1 : 0;
    return {
      operations: operationsOf(scenario.sample.slice(first, length)),
      ...(n !== of.cell.n && { dataHash: async () => (await context.keys.get(datasetOf(cell), n, seed)).digest }),
      ns: (run) => sumOf(samples[run]?.slice(first, length)),
      metrics: async () => {
        if (keys === "marked") await compared();
        return measures.of(workload.measures, length);
      },
    };
  }
  const own = stage(of.cell);

  /** All rounds; nanoseconds. The first run of many, which warms the others up where it is no sample, is the one that is compared. */
  async function sample(between?: Between): Promise<number> {
    if (!many) {
      wrong = null;
      const { ns } = await course.goAlone(table.time);
      samples.push([ns]);
      return ns;
    }
    const comparing = wrong === null;
    if (comparing) await course.rounds.begin();
    const watch = comparing ? measures.watch(keys === "marked") : {};
    const done = await course.go(scenario.sample.length, { ...watch, between });
    if (comparing) wrong = measures.note(await life.seen(done));
    measures.ran(done);
    samples.push(done.map(({ ns }) => ns));
    return own.ns(samples.length - 1);
  }

  /** What is wrong in the rounds of many that were compared, with a run if there was none yet. */
  async function compared(): Promise<string> {
    if (wrong === null && many) {
      await life.grow();
      await sample();
    }
    return wrong ?? "";
  }

  async function verify(): Promise<string> {
    if (many) return (await compared()) || life.checkAll();
    wrong ??= (await life.compareLast()) || (await life.checkAll());
    return wrong;
  }

  return {
    mutates: true,
    reset: () => life.grow(),
    sample: (_repetitions, between) => sample(between),
    operations: own.operations,
    dataHash,
    access: access ? table.access(access) : null,
    verify,
    metrics: own.metrics,
    ...(many && { ofMany: true, stage }),
    ...(rehearsed && {
      long: operationsOf(scenario.sample) >= LONG_OPERATIONS,
      // Single runs of tables that resize vary more (results/studies/sampling.md).
      steady: of.type.params.resize !== true,
      rehearse: async () => {
        await life.grow();
        await course.go(Math.min(rehearsed, scenario.sample.length), {});
      },
    }),
  };
}

const sumOf = (times: readonly number[] = []) =>
  times.length > 0 ? times.reduce((sum, ns) => sum + ns, 0) : Number.NaN;
