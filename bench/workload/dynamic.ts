/** Dynamic workloads of DyCuckoo (6.4) on the device, batch by batch, and an oracle that knows which keys are in the table. */
import { step } from "../../kernels/common/bulk.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../kernels/device/owned.js";
import { RadixSort } from "../../kernels/radix-sort/sort.js";
import type { Erasures, Lookups, Pairs } from "../../kernels/table.js";
import { firstWrong, poison, poisonStep, runOnce, Wrong } from "./check.js";
import type { DeviceKeys } from "./keys.js";
import { valuesStep } from "./workload.js";

const FILE = "bench/workload/dynamic.wgsl";

export interface DynamicOptions {
  /** Insertions of a batch of the first phase, deletions of one of the second; as many searches. */
  readonly batch: number;
  /** Deletions for each insertion in the first phase; insertions for each deletion in the second. */
  readonly r: number;
  readonly seed: number;
}

/** One batch: in phase 1 it inserts its own part of the stream and deletes others, in phase 2 the other way round. */
export interface DynamicBatch {
  readonly phase: 1 | 2;
  /** From 1 in each phase. */
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly others: number;
}

/** The batches of both phases. Throws a UsageError for sizes that do not go together. */
export function dynamicBatches(n: number, { batch, r }: DynamicOptions): DynamicBatch[] {
  if (!(batch >= 1)) throw new UsageError(`batchSize is ${batch}; it takes 1 or more`);
  const batches = Math.ceil(n / batch);
  return ([1, 2] as const).flatMap((phase) =>
    Array.from({ length: batches }, (_, i) => {
      const count = Math.min(n, (i + 1) * batch) - i * batch;
      return { phase, number: i + 1, first: i * batch, count, others: Math.round(count * r) };
    }),
  );
}

/** Bytes beside keys and table. */
export function dynamicBytes(n: number, { batch, r }: DynamicOptions): number {
  return 4 * (3 * n + batch * Math.ceil(5 + 2 * r));
}

/** The operations of the batch that was picked last. */
interface DynamicOperations {
  readonly inserted: Pairs;
  readonly asked: Lookups;
  readonly erased: Erasures;
}

interface Buffers {
  /** Number of each key of the stream; equal keys have one. */
  readonly numbers: GPUBuffer;
  /** By number: 1 if the key is in the table. */
  readonly live: GPUBuffer;
  /** Keys that came with a batch and that went with it. */
  readonly changed: GPUBuffer;
  readonly verdict: GPUBuffer;
  /** Those of the last batch that was checked, and its verdict. */
  readonly report: GPUBuffer;
  readonly own: GPUBuffer;
  readonly others: GPUBuffer;
  readonly asked: GPUBuffer;
  readonly results: GPUBuffer;
  readonly ownValues: GPUBuffer;
  readonly otherValues: GPUBuffer;
}

export class DeviceDynamic {
  private batch: DynamicBatch | null = null;

  private constructor(
    private readonly gpu: Gpu,
    private readonly data: DeviceKeys,
    private readonly options: DynamicOptions,
    private readonly buffers: Buffers,
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, options: DynamicOptions): Promise<DeviceDynamic> {
    const { n } = data;
    const { batch, r } = options;
    const words = (name: string, count: number) => gpu.alloc(`${count} ${name}`, Math.max(1, count) * 4);
    const most = Math.min(batch, n);
    const beside = Math.round(most * r);
    const numbers = await words("numbers of keys", n);
    await scoped(gpu, async (own) => {
      const sorted = await own.alloc(`${n} sorted keys`, n * 4);
      const sort = await RadixSort.make(own, n, { keysOnly: true });
      await own.run(sort.steps({ keys: data.keys }, { keys: sorted }, n));
      const bound = { plan: planOf(data, options, null), stream: data.keys, sorted, numbers };
      await runOnce(own, n, { file: FILE, entry: "identify", bound });
    });
    return new DeviceDynamic(gpu, data, options, {
      numbers,
      live: await words("marks", n),
      changed: await words("changes", 2),
      verdict: await words("verdict", 2),
      report: await words("report", 4),
      own: await words("keys of a batch", most),
      ownValues: await words("values", most),
      others: await words("other keys", beside),
      otherValues: await words("other values", beside),
      asked: await words("queries", most),
      results: await words("results", most),
    });
  }

  /** No key is in the table. */
  async begin(): Promise<void> {
    await this.gpu.zero(this.buffers.live);
  }

  /** Writes keys and values of a batch, and overwrites all results. */
  async pick(batch: DynamicBatch, salt: number): Promise<DynamicOperations> {
    const { gpu, data, buffers } = this;
    const { own, others, asked, results, ownValues, otherValues } = buffers;
    this.batch = batch;
    const bound = { stream: data.keys, own, others, asked };
    await scoped(gpu, async (owner) => {
      const kernel = await owner.kernel({ file: FILE, entry: "pick", bound, takes: ["plan"] });
      await gpu.run([
        step(kernel, Math.max(batch.count, batch.others), { plan: this.plan() }),
        await valuesStep(owner, own, ownValues, batch.count, salt),
        ...(batch.others > 0 ? [await valuesStep(owner, others, otherValues, batch.others, salt)] : []),
        await poisonStep(gpu, results),
      ]);
    });
    const mine = { keys: own, values: ownValues, n: batch.count };
    const beside = { keys: others, values: otherValues, n: batch.others };
    const [inserted, erased] = batch.phase === 1 ? [mine, beside] : [beside, mine];
    return { inserted, asked: { keys: asked, results, n: batch.count }, erased: { keys: erased.keys, n: erased.n } };
  }

  private plan(of: Parameters<typeof planOf>[3] = {}) {
    return planOf(this.data, this.options, this.batch, of);
  }

  /**
   * After the batch: notes what it inserted, compares every answer of its searches with what was in the table then ("" if all are right,
   * else one line), and notes what it erased. Keys that came and that went.
   */
  async check(salt: number): Promise<{ readonly came: number; readonly went: number; readonly wrong: string }> {
    const { gpu, buffers, batch } = this;
    if (!batch) throw new Error("no batch was picked");
    const { live, changed, numbers, verdict, report, asked, results } = buffers;
    const marks = { live, changed, number_of: numbers };
    const judges = { verdict, stream: this.data.keys, live, number_of: numbers, answers: results };
    const [mine, others] = [
      { items: batch.count, beside: 0 },
      { items: batch.others, beside: 1 },
    ];
    const [inserted, erased] = batch.phase === 1 ? [mine, others] : [others, mine];
    const [came = 0, went = 0, count = 0, first = 0] = await scoped(gpu, async (own) => {
      const mark = await own.kernel({ file: FILE, entry: "mark", bound: marks, takes: ["plan"] });
      const judge = await own.kernel({ file: FILE, entry: "check", bound: judges, takes: ["plan"] });
      const marked = (present: number, { items, beside }: typeof mine) =>
        items > 0 ? [step(mark, items, { plan: this.plan({ present, beside }) })] : [];
      gpu.write(verdict, 0, Uint32Array.of(0, EMPTY));
      await gpu.submit([
        { buffer: changed, zero: 8 },
        ...marked(1, inserted),
        step(judge, batch.count, { plan: this.plan({ salt }) }),
        ...marked(0, erased),
        { from: changed, to: report, bytes: 8 },
        { from: verdict, to: report, toOffset: 8, bytes: 8 },
      ]);
      return gpu.read(report, 4);
    });
    const wrong = count > 0 ? await this.said(new Wrong(gpu, count, first), batch.count, asked, results) : "";
    return { came, went, wrong };
  }

  /** Asks for every key of the stream. */
  async checkAll(find: (lookups: Lookups) => Promise<unknown>, salt: number): Promise<string> {
    const { gpu, data } = this;
    return scoped(gpu, async (own) => {
      const results = await own.alloc(`${data.n} results`, data.n * 4);
      await poison(own, results);
      await find({ keys: data.keys, results, n: data.n });
      const { live, numbers } = this.buffers;
      const bound = { plan: this.plan({ salt }), stream: data.keys, live, number_of: numbers, answers: results };
      const found = await firstWrong(gpu, data.n, { file: FILE, entry: "check_all", bound });
      return found ? this.said(found, data.n, data.keys, results) : "";
    });
  }

  private async said(found: Wrong, items: number, keys: GPUBuffer, results: GPUBuffer): Promise<string> {
    const answer = await found.answerIn(keys, results);
    return `${found.count} of ${items} searches are answered wrongly, the first is number ${found.first} (${answer})`;
  }
}

/** Of dynamic.wgsl. */
function planOf(
  { n }: DeviceKeys,
  { seed }: DynamicOptions,
  batch: DynamicBatch | null,
  { salt = 0, present = 0, beside = 0 } = {},
) {
  const { first, count, others, number, phase } = batch ?? { first: 0, count: 0, others: 0, number: 0, phase: 1 };
  return {
    first,
    count,
    others,
    searches: count,
    reach: phase === 1 ? first + count : n,
    seed: (seed + Math.imul(number, 0x9e3779b9)) >>> 0,
    search_seed: (seed + Math.imul(2 * number + phase, 0x85ebca6b)) >>> 0,
    n,
    salt,
    present,
    beside,
  };
}
