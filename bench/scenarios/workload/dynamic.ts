/** Dynamic workloads of DyCuckoo (6.4) on the device, batch by batch, and an oracle that knows which keys are in the table. */
import { step } from "../../../kernels/common/bulk.js";
import { EMPTY, lazily } from "../../../kernels/common/steps.js";
import { UsageError } from "../../../kernels/device/errors.js";
import type { Step } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import { RadixSort } from "../../../kernels/radix-sort/sort.js";
import type { Erasures, Lookups, Pairs } from "../../../kernels/table.js";
import { firstWrong, inWords, poison, runOnce } from "./check.js";
import type { DeviceKeys } from "./keys.js";

const FILE = "bench/scenarios/workload/dynamic.wgsl";

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

/** Bytes beside keys, their numbers and table. */
export function dynamicBytes(n: number, { batch, r }: DynamicOptions): number {
  return 4 * (4 * n + batch * Math.ceil(5 + 2 * r) + 2 * Math.ceil(n / batch) * (NOTE_WORDS + BATCH_WORDS));
}

/** Of `Note` and `Batch` in dynamic.wgsl, and of `Batches` what stands before them. */
const [NOTE_WORDS, BATCH_WORDS, HEAD_WORDS] = [6, 6, 2];
const BEFORE_THE_FIRST = 0xffffffff;

/** What was seen of a batch that was checked. */
export interface Checked {
  /** Keys that came and that went. */
  readonly came: number;
  readonly went: number;
  /** "" if all searches were answered rightly, else one line. */
  readonly wrong: string;
}

/** The operations of the batch that was picked last. */
interface DynamicOperations {
  readonly inserted: Pairs;
  readonly asked: Lookups;
  readonly erased: Erasures;
}

/** Bytes of `KeyNumbers`. */
export function numbersBytes(n: number): number {
  return 4 * n;
}

/** The keys of a stream, whatever its batches are. */
export interface KeyNumbers {
  /** Number of each key; equal keys have one. */
  readonly numbers: GPUBuffer;
}

/** Throws DoesNotFit. */
export async function keyNumbers(gpu: Owner, { keys, n }: DeviceKeys): Promise<KeyNumbers> {
  const numbers = await gpu.alloc(`${n} numbers of keys`, numbersBytes(n));
  await scoped(gpu, async (own) => {
    const sorted = await own.alloc(`${n} sorted keys`, n * 4);
    const sort = await RadixSort.make(own, n, { keysOnly: true });
    await own.run(sort.steps({ keys }, { keys: sorted }, n));
    await runOnce(own, n, { file: FILE, entry: "identify", bound: { count: n, stream: keys, sorted, numbers } });
  });
  return { numbers };
}

interface Buffers extends KeyNumbers {
  /** Which batch is at hand, and all of them. */
  readonly batches: GPUBuffer;
  /** By number: 1 if the key is in the table. */
  readonly live: GPUBuffer;
  /** Keys that came with a batch and that went with it. */
  readonly changed: GPUBuffer;
  readonly verdict: GPUBuffer;
  /** What was seen of every batch that was checked. */
  readonly notes: GPUBuffer;
  readonly own: GPUBuffer;
  readonly others: GPUBuffer;
  readonly asked: GPUBuffer;
  readonly results: GPUBuffer;
  readonly ownValues: GPUBuffer;
  readonly otherValues: GPUBuffer;
}

export class DeviceDynamic {
  /** What goes to the next batch and picks it, and what checks the one at hand: the same steps for all. */
  private readonly picking = lazily(() => this.pickSteps());
  private readonly checking = lazily(() => this.checkSteps());

  private constructor(
    private readonly gpu: Owner,
    private readonly data: DeviceKeys,
    private readonly options: DynamicOptions,
    private readonly buffers: Buffers,
  ) {}

  /** @param numbers of the keys of `data`. Throws DoesNotFit. */
  static async make(
    gpu: Owner,
    data: DeviceKeys,
    { numbers }: KeyNumbers,
    options: DynamicOptions,
  ): Promise<DeviceDynamic> {
    const { n } = data;
    const { batch, r } = options;
    const words = (name: string, count: number) => gpu.alloc(`${count} ${name}`, Math.max(1, count) * 4);
    const most = Math.min(batch, n);
    const beside = Math.round(most * r);
    const batches = dynamicBatches(n, options).flatMap((one) => batchWords(data, options, one));
    const all = await words("words of batches", HEAD_WORDS + batches.length);
    gpu.write(all, 4 * HEAD_WORDS, Uint32Array.from(batches));
    return new DeviceDynamic(gpu, data, options, {
      numbers,
      batches: all,
      live: await words("marks", n),
      changed: await words("changes", 2),
      verdict: await words("verdict", 2),
      notes: await words("notes of batches", 2 * Math.ceil(n / batch) * NOTE_WORDS),
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
    const { live, changed, verdict } = this.buffers;
    this.gpu.write(verdict, 0, Uint32Array.of(0, EMPTY));
    await this.gpu.submit([live, changed].map((buffer) => ({ buffer, zero: buffer.size })));
  }

  /** The batch that is picked next is the first one. @param salt of the values */
  start(salt: number): void {
    this.gpu.flush();
    this.gpu.write(this.buffers.batches, 0, Uint32Array.of(BEFORE_THE_FIRST, salt));
  }

  /** Writes keys and values of a batch, which is the next one, and overwrites all results, with what is submitted next. */
  async pick(batch: DynamicBatch): Promise<DynamicOperations> {
    const { own, others, asked, results, ownValues, otherValues } = this.buffers;
    void this.gpu.defer(await this.picking());
    const mine = { keys: own, values: ownValues, n: batch.count };
    const beside = { keys: others, values: otherValues, n: batch.others };
    const [inserted, erased] = batch.phase === 1 ? [mine, beside] : [beside, mine];
    return { inserted, asked: { keys: asked, results, n: batch.count }, erased: { keys: erased.keys, n: erased.n } };
  }

  /** Submits what was to go with what is submitted next. */
  flush(): void {
    this.gpu.flush();
  }

  /** Operations of the largest batch of a kind. */
  private get most() {
    const count = Math.min(this.options.batch, this.data.n);
    return { count, others: Math.round(count * this.options.r) };
  }

  private async pickSteps(): Promise<Step[]> {
    const { gpu, data, buffers, most } = this;
    const { batches, own, others, asked, results, ownValues, otherValues } = buffers;
    const picked = { own, others, asked, own_values: ownValues, other_values: otherValues, unanswered: results };
    const [next, pick] = await Promise.all([
      gpu.kernel({ file: FILE, entry: "next", bound: { batches }, takes: [] }),
      gpu.kernel({ file: FILE, entry: "pick", bound: { batches, stream: data.keys, ...picked }, takes: [] }),
    ]);
    return [step(next, 1, {}), step(pick, Math.max(most.count, most.others), {})];
  }

  /** By phase. */
  private async checkSteps(): Promise<Readonly<Record<DynamicBatch["phase"], readonly Step[]>>> {
    const { gpu, data, buffers, most } = this;
    const { batches, live, changed, numbers, verdict, notes, asked, results } = buffers;
    const oracle = { batches, live, number_of: numbers };
    const judges = { ...oracle, verdict, stream: data.keys, answers: results };
    const seen = { batches, changed, verdict, answers: results, queries: asked, notes };
    const [mark, judge, note] = await Promise.all([
      gpu.kernel({ file: FILE, entry: "mark", bound: { ...oracle, changed }, takes: ["marks"] }),
      gpu.kernel({ file: FILE, entry: "check", bound: judges, takes: [] }),
      gpu.kernel({ file: FILE, entry: "note", bound: seen, takes: [] }),
    ]);
    const marked = (present: number, beside: number) => {
      const items = beside ? most.others : most.count;
      return items > 0 ? [step(mark, items, { marks: { present, beside } })] : [];
    };
    const [compared, noted] = [step(judge, most.count, {}), step(note, 1, {})];
    return {
      1: [...marked(1, 0), compared, ...marked(0, 1), noted],
      2: [...marked(1, 1), compared, ...marked(0, 0), noted],
    };
  }

  /**
   * After the batch at hand, with what is submitted next: notes what it inserted, compares every answer of its searches with what was in the
   * table then, and notes what it erased.
   */
  async check({ phase }: DynamicBatch): Promise<void> {
    void this.gpu.defer((await this.checking())[phase]);
  }

  /** What was seen of the first of these batches. */
  async checked(batches: readonly DynamicBatch[]): Promise<Checked[]> {
    const words = await this.gpu.read(this.buffers.notes, batches.length * NOTE_WORDS);
    return batches.map(({ count: searches }, i) => {
      const at = i * NOTE_WORDS;
      const [came = 0, went = 0, count = 0, first = 0, key = 0, answer = 0] = words.subarray(at, at + NOTE_WORDS);
      return { came, went, wrong: count > 0 ? said(count, searches, first, inWords(key, answer)) : "" };
    });
  }

  /**
   * Asks for every key of the stream, or for those that are in the table: enough where its pairs were counted, and as many as
   * there are of these keys.
   */
  async checkAll(
    find: (lookups: Lookups) => Promise<unknown>,
    salt: number,
    { presentOnly = false } = {},
  ): Promise<string> {
    const { gpu, data } = this;
    const { live, numbers, changed } = this.buffers;
    return scoped(gpu, async (own) => {
      const words = (name: string) => own.alloc(`${data.n} ${name}`, data.n * 4);
      const [keys, places, results] = [await words("keys asked for"), await words("places"), await words("results")];
      const oracle = { stream: data.keys, live, number_of: numbers };
      await gpu.submit([{ buffer: changed, zero: changed.size }]);
      const whole = { n: data.n, present: presentOnly ? 1 : 0, searches: 0, salt };
      const gathered = { ...oracle, whole, changed, asked: keys, places };
      await runOnce(gpu, data.n, { file: FILE, entry: "gather", bound: gathered });
      const [count = 0] = await gpu.read(changed, 1);
      const n = presentOnly ? count : data.n;
      if (n === 0) return "";
      await poison(own, results);
      await find({ keys, results, n });
      const bound = { ...oracle, whole: { ...whole, searches: n }, places, answers: results };
      const found = await firstWrong(gpu, n, { file: FILE, entry: "check_all", bound });
      return found ? said(found.count, n, await found.wordOf(places), await found.answerIn(keys, results)) : "";
    });
  }
}

function said(count: number, searches: number, first: number, answer: string): string {
  return `${count} of ${searches} searches are answered wrongly, the first is number ${first} (${answer})`;
}

/** `Batch` of dynamic.wgsl. */
function batchWords({ n }: DeviceKeys, { seed }: DynamicOptions, batch: DynamicBatch): number[] {
  const { first, count, others, number, phase } = batch;
  return [
    first,
    count,
    others,
    phase === 1 ? first + count : n,
    (seed + Math.imul(number, 0x9e3779b9)) >>> 0,
    (seed + Math.imul(2 * number + phase, 0x85ebca6b)) >>> 0,
  ];
}
