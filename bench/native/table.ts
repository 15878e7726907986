/**
 * Native tables as tables of the harness: keys, values and queries are made on the device, and brought to the program and back
 * outside the time that it says.
 */
import { z } from "zod";
import { declare, flag } from "../../kernels/declare.js";
import type { Owner } from "../../kernels/device/owned.js";
import type {
  Description,
  Erasures,
  GpuTable,
  Lookups,
  Making,
  MixedBatch,
  OpResult,
  Outside,
  Pairs,
  Params,
  RunSteps,
  TableOp,
  Traits,
  UnavoidableAccess,
} from "../../kernels/table.js";
import { digestOf } from "../workload/keys.js";
import { deviceBytes, type Manifest, programBytes, tableBytes } from "./manifest.js";
import { Program } from "./program.js";
import { count, nothing } from "./replies.js";
import { SharedArray } from "./shared-array.js";
import type { Words } from "./shared-files.js";

const UPSERT = flag({
  default: false,
  task: true,
  meaning: "insertions replace the value of a key that the table has",
});
/** What no table of pairs on a device avoids, whatever its layout. */
const ACCESSES: Partial<Record<TableOp, UnavoidableAccess>> = {
  insert: { pattern: "cas", why: "one random CAS" },
  find: { pattern: "lookup8", why: "one 8-byte slot, the key, the result" },
  erase: { pattern: "cas", why: "one random CAS" },
};
/** Fewer words are sent sooner than it is known what they are. */
const COMPARED = 2 ** 20;
/** Arrays of known content that a program has for a table, and on its device copies: keys, and values of two builds. */
const KNOWN = 3;
/** Of answers that were not written. */
const POISON = 0xde;
const WORD = 4;

const weighed = z.object({ bytes: count });
const created = weighed.extend({ slots: count });
/** Answers of the right number. */
const answered = (n: number) => ({ answers: count.refine((said) => said === n, `${n} are wanted`) });

export function describe(manifest: Manifest): Description {
  const { id, title, source, api, ops, parameters } = manifest;
  const { maxLoadFactor, safeLoadFactor, incremental, reusesSlots, ownSize } = manifest;
  const own = Object.fromEntries(parameters.map(({ name, ...declared }) => [name, declared as never]));
  const upserts = ops.includes("upsert");
  return {
    id,
    title,
    source,
    parameters: declare({ ...own, ...(upserts && { upsert: UPSERT }) }),
    configure(params): Traits {
      const { upsert = false, ...others } = params as Params;
      return {
        ops: ops.filter((op) => op !== "upsert"),
        api,
        maxLoadFactor,
        ...(safeLoadFactor !== undefined && { safeLoadFactor }),
        duplicates: upsert === true,
        incremental,
        reusesSlots,
        ownSize,
        access: (op) => (api === "cpu" ? undefined : ACCESSES[op]),
        // With the program's copies, where they are on a device.
        bytes: (n, loadFactor) =>
          Math.max(1, deviceBytes(manifest, n, loadFactor) + (api === "cpu" ? 0 : KNOWN * WORD * n)),
        create: (gpu, making) => create(manifest, gpu, making, upsert === true, others),
      };
    },
  };
}

/** A program, and what gives back the memory that it has as long as it runs. */
interface Running {
  readonly program: Program;
  readonly release: () => void;
}

/** Programs without a table, one at most for each table that there is: several libraries keep memory for their pool. */
const idle = new Map<string, Running>();

async function running(manifest: Manifest, { device }: Owner): Promise<Running> {
  const waiting = idle.get(manifest.id);
  idle.delete(manifest.id);
  if (waiting?.program.alive) return waiting;
  waiting?.release();
  const bytes = programBytes(manifest);
  const release = (bytes > 0 && (await device.elsewhere?.(bytes))) || (() => undefined);
  try {
    return { program: await Program.start(manifest), release };
  } catch (error) {
    release();
    throw error;
  }
}

function rest(manifest: Manifest, one: Running): void {
  if (one.program.alive && !idle.has(manifest.id)) {
    idle.set(manifest.id, one);
    return;
  }
  one.program.end();
  one.release();
}

/** One process a table: a crash costs one cell. It serves the next table when this one is closed. */
async function create(
  manifest: Manifest,
  gpu: Owner,
  { n, insertions = n, loadFactor, seed }: Making,
  upsert: boolean,
  params: Params,
): Promise<GpuTable> {
  const one = await running(manifest, gpu);
  const table = new NativeTable(one.program, gpu, { upsert, onDevice: manifest.api !== "cpu" });
  gpu.hold({
    destroy() {
      table.close();
      rest(manifest, one);
    },
  });
  await table.takes(tableBytes(manifest, n, loadFactor));
  await table.open({ n, insertions, loadFactor, seed, params });
  return Object.assign(table, {
    ...(manifest.ops.includes("erase") && { erase: (_: RunSteps, keys: Erasures) => table.eraseKeys(keys) }),
    ...(manifest.ops.includes("mixed") && { mixed: (_: RunSteps, batch: MixedBatch) => table.mixedBatch(batch) }),
  });
}

type Role = "keys" | "values" | "kinds" | "answers";

class NativeTable implements GpuTable {
  slots = 0;
  bytes = 0;
  /** Arrays that have other words for each operation. */
  private readonly own = new Map<Role, SharedArray>();
  /** Arrays by their content, those that were wanted last behind the others. */
  private readonly known = new Map<string, SharedArray>();
  /** Queries that are asked again and again. */
  private readonly asked = new Map<Lookups, SharedArray>();
  /** What gives back what was taken of the device's memory. */
  private readonly taken: (() => void)[] = [];

  constructor(
    private readonly program: Program,
    private readonly gpu: Owner,
    private readonly is: { readonly upsert: boolean; readonly onDevice: boolean },
  ) {}

  readonly outside: Outside = {
    find: async (lookups) => {
      const keys = this.asked.get(lookups) ?? (await this.copied(lookups));
      this.asked.set(lookups, keys);
      return this.findIn(keys, await this.room("answers", lookups.n), lookups.n);
    },
  };

  /** The program takes so many bytes of the device. */
  async takes(bytes: number): Promise<void> {
    const end = this.is.onDevice ? await this.gpu.device.elsewhere?.(bytes) : undefined;
    if (end) this.taken.push(end);
  }

  /** Throws DoesNotFit, or an Error if the program fails. */
  async open(making: object): Promise<void> {
    const { slots, bytes } = await this.program.ask("create", created, making);
    this.slots = slots;
    this.bytes = bytes;
  }

  /** The program is told, in the order of its requests; that it may have ended, who uses it next will see. */
  close(): void {
    const all = [this.own, this.known, this.asked].flatMap((arrays) => [...arrays.values()]);
    for (const closing of [this.program.ask("close", nothing), ...all.map((array) => array.drop())])
      closing.catch(() => undefined);
    for (const end of this.taken.splice(0)) end();
  }

  async clear(): Promise<void> {
    await this.program.ask("clear", nothing);
  }

  async insert(_: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    if (n === 0) return NO_TIME;
    const arrays = {
      keys: await this.brought("keys", keys, n, first),
      values: await this.brought("values", values, n, first),
    };
    const { ns, refused } = await this.program.operate(
      this.is.upsert ? "upsert" : "insert",
      { arrays, n },
      { refused: count },
    );
    await this.weigh();
    return { ns, count: refused, restarts: 0 };
  }

  async find(_: RunSteps, lookups: Lookups): Promise<OpResult> {
    const { keys, results, n } = lookups;
    const asked = this.asked.get(lookups) ?? (await this.brought("keys", keys, n));
    const answers = await this.poisoned(n);
    const result = await this.findIn(asked, answers, n);
    await this.take(answers, results, n);
    return result;
  }

  async eraseKeys({ keys, n }: Erasures): Promise<OpResult> {
    if (n === 0) return NO_TIME;
    const arrays = { keys: await this.brought("keys", keys, n) };
    const { ns, erased } = await this.program.operate("erase", { arrays, n }, { erased: count });
    await this.weigh();
    return { ns, count: erased, restarts: 0 };
  }

  async mixedBatch({ kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
    const n = slices.reduce((end, { first, count }) => Math.max(end, first + count), 0);
    const arrays = {
      kinds: await this.brought("kinds", kinds, n),
      keys: await this.brought("keys", keys, n),
      values: await this.brought("values", values, n),
      answers: await this.poisoned(n),
    };
    const sum = { ns: 0, count: 0, restarts: 0 };
    for (const { first, count: operations } of slices) {
      if (operations === 0) continue;
      const slice = { arrays, first, n: operations };
      const done = await this.program.operate("mixed", slice, { refused: count, ...answered(operations) });
      sum.ns += done.ns;
      sum.count += done.refused;
    }
    await this.take(arrays.answers, results, n);
    await this.weigh();
    return sum;
  }

  private async findIn(keys: SharedArray, answers: SharedArray, n: number): Promise<OpResult> {
    const { ns } = await this.program.operate("find", { arrays: { keys, answers }, n }, answered(n));
    return { ns, count: 0, restarts: 0 };
  }

  private async weigh(): Promise<void> {
    this.bytes = (await this.program.ask("bytes", weighed)).bytes;
  }

  /** An array for n words: that of the role, if it has room. */
  private async room(role: Role, n: number): Promise<SharedArray> {
    const before = this.own.get(role);
    if (before && before.words >= n) return before;
    this.own.delete(role);
    await before?.drop();
    const array = await this.scratch(n);
    this.own.set(role, array);
    return array;
  }

  /** The program's copy of n words of a buffer. */
  private async brought(role: Role, buffer: GPUBuffer, n: number, first = 0): Promise<SharedArray> {
    const content = n < COMPARED || first > 0 ? null : await this.contentOf(buffer, n);
    if (content === null) {
      const array = await this.room(role, n);
      await array.send(n, this.wordsOf(buffer, first));
      return array;
    }
    const array = this.known.get(content) ?? (await this.sharedOf(content, n, buffer));
    this.known.delete(content);
    this.known.set(content, array);
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size > KNOWN) {
      const dropped = this.known.get(oldest);
      this.known.delete(oldest);
      await dropped?.drop();
    }
    return array;
  }

  /** A copy of queries for as long as the table is there. */
  private async copied({ keys, n }: Lookups): Promise<SharedArray> {
    if (n >= COMPARED) return this.sharedOf(await this.contentOf(keys, n), n, keys);
    const array = await this.scratch(n);
    await array.send(n, this.wordsOf(keys));
    return array;
  }

  private async scratch(n: number): Promise<SharedArray> {
    await this.takes(WORD * n);
    return SharedArray.scratch(this.program, n);
  }

  private async sharedOf(content: string, n: number, buffer: GPUBuffer): Promise<SharedArray> {
    await this.takes(WORD * n);
    return SharedArray.holding(this.program, content, n, this.wordsOf(buffer));
  }

  private async contentOf(buffer: GPUBuffer, n: number): Promise<string> {
    return `${n} ${await digestOf(this.gpu, buffer, n)}`;
  }

  private wordsOf(buffer: GPUBuffer, first = 0): Words {
    return (from, n) => this.gpu.read(buffer, n, first + from);
  }

  /** Room for n answers, in which one that is not written is seen. */
  private async poisoned(n: number): Promise<SharedArray> {
    const answers = await this.room("answers", n);
    await answers.fill(n, POISON);
    return answers;
  }

  private async take(answers: SharedArray, results: GPUBuffer, n: number): Promise<void> {
    let written = Promise.resolve();
    await answers.fetch(n, async (words, first) => {
      this.gpu.write(results, WORD * first, words);
      // One piece is read while the one before is written.
      const before = written;
      written = this.gpu.finished();
      written.catch(() => undefined);
      await before;
    });
    await written;
  }
}

/** Of no operations. */
const NO_TIME: OpResult = { ns: 0, count: 0, restarts: 0 };
