/**
 * Native tables as tables of the harness: keys, values and queries are made on the device, and brought to the program and back
 * outside the time that it says.
 */
import { z } from "zod";
import { declare, flag } from "../../kernels/declare.js";
import type { Owner } from "../../kernels/device/owned.js";
import type { GroupRoom, GroupRows } from "../../kernels/group-by/group-by.js";
import { REQUIRED_OPS, shapeOf, type TableOp } from "../../kernels/operations.js";
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
  Traits,
} from "../../kernels/table.js";
import { upload } from "../device/upload.js";
import type { OutsideGroupBy } from "../scenarios/group-by.js";
import { digestOf } from "../scenarios/workload/keys.js";
import { GROUP } from "./described.js";
import { deviceBytes, type Manifest, tableBytes } from "./manifest.js";
import { count, nothing } from "./replies.js";
import { fitting, type Running, rest, running } from "./running.js";
import { SharedArray } from "./shared-array.js";
import type { Words } from "./shared-files.js";

const UPSERT = flag({
  default: false,
  task: true,
  meaning: "insertions replace the value of a key that the table has",
});
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
  const { id, title, source, api, ops, access, parameters } = manifest;
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
        ops: ops.filter((op) => op !== "upsert" && op !== GROUP),
        api,
        maxLoadFactor,
        ...(safeLoadFactor !== undefined && { safeLoadFactor }),
        duplicates: upsert === true,
        incremental,
        reusesSlots,
        sizing: { ownSize },
        access: (op) => (api === "cpu" ? undefined : (access[op] ?? shapeOf(op).access)),
        // With the program's copies, where they are on a device.
        bytes: (n, loadFactor) =>
          Math.max(1, deviceBytes(manifest, n, loadFactor) + (api === "cpu" ? 0 : KNOWN * WORD * n)),
        create: (gpu, making) => create(manifest, gpu, making, upsert === true, others),
      };
    },
  };
}

/** A group-by that a program has. Its table, if it has one, is half empty. */
export function describeGroupBy(manifest: Manifest): OutsideGroupBy {
  const { id, title, api } = manifest;
  return {
    id,
    title,
    api,
    bytes: (n) => deviceBytes(manifest, n, 1),
    async make(gpu, rows, room) {
      const table = await opened(manifest, gpu, false, tableBytes(manifest, rows.n, 1));
      await table.open({ n: room, insertions: rows.n, loadFactor: 0.5, seed: 1, params: {} });
      const bytes = WORD * room;
      const into = { keys: await gpu.alloc("groups", bytes), answers: await gpu.alloc("sums", bytes), room };
      return { run: () => table.group(rows, room), answer: () => table.groups(into) };
    },
  };
}

async function create(
  manifest: Manifest,
  gpu: Owner,
  { n, insertions = n, loadFactor, seed }: Making,
  upsert: boolean,
  params: Params,
): Promise<GpuTable> {
  const table = await opened(manifest, gpu, upsert, tableBytes(manifest, n, loadFactor));
  await table.open({ n, insertions, loadFactor, seed, params });
  const own: readonly string[] = ["upsert", ...REQUIRED_OPS];
  const others = manifest.ops.filter((op) => !own.includes(op));
  return Object.assign(table, Object.fromEntries(others.map((op) => [op, table.does(op)])));
}

/** One process a table: a crash costs one cell. It serves the next table when this one is closed. */
async function opened(manifest: Manifest, gpu: Owner, upsert: boolean, bytes: number): Promise<NativeTable> {
  const one = await running(manifest, gpu);
  const table = new NativeTable(one, gpu, { upsert, onDevice: manifest.api !== "cpu" });
  gpu.hold({
    destroy() {
      table.close();
      rest(manifest, one);
    },
  });
  await table.takes(bytes);
  return table;
}

type Role = "keys" | "values" | "kinds" | "groups" | "answers";

class NativeTable implements GpuTable {
  slots = 0;
  bytes = 0;
  /** Arrays that have other words for each operation. */
  private readonly own = new Map<Role, SharedArray>();
  /** Contents of arrays that the program has for it, those that were wanted last behind the others. */
  private readonly known = new Set<string>();
  /** Queries that are asked again and again, with their content where it is known. */
  private readonly asked = new Map<Lookups, { readonly array: SharedArray; readonly content: string }>();
  /** What gives back what was taken of the device's memory. */
  private readonly taken: (() => void)[] = [];

  constructor(
    private readonly running: Pick<Running, "program" | "arrays">,
    private readonly gpu: Owner,
    private readonly is: { readonly upsert: boolean; readonly onDevice: boolean },
  ) {}

  readonly outside: Outside = {
    find: async (lookups) => {
      const keys = this.asked.get(lookups) ?? (await this.copied(lookups));
      this.asked.set(lookups, keys);
      return this.askIn("find", keys.array, await this.room("answers", lookups.n), lookups.n);
    },
  };

  /** The program takes so many bytes of the device. */
  async takes(bytes: number): Promise<void> {
    const end = this.is.onDevice ? await this.gpu.device.elsewhere?.(bytes) : undefined;
    if (end) this.taken.push(end);
  }

  /** Throws DoesNotFit, or an Error if the program fails. */
  async open(making: object): Promise<void> {
    const { program } = this.running;
    const { slots, bytes } = await fitting(this.running, () => program.ask("create", created, making));
    this.slots = slots;
    this.bytes = bytes;
  }

  /** The program is told, in the order of its requests; that it may have ended, who uses it next will see. */
  close(): void {
    const { program, arrays } = this.running;
    const asked = [...this.asked.values()];
    const own = [...this.own.values(), ...asked.flatMap(({ array, content }) => (content === "" ? [array] : []))];
    const contents = [...this.known, ...asked.flatMap(({ content }) => content || [])];
    const closing = [program.ask("close", nothing), ...own.map((array) => array.drop())];
    for (const one of [...closing, ...contents.map((content) => arrays.give(content))]) one.catch(() => undefined);
    for (const end of this.taken.splice(0)) end();
  }

  async clear(): Promise<void> {
    await this.running.program.ask("clear", nothing);
  }

  async insert(_: RunSteps, { keys, values, n, first = 0 }: Pairs): Promise<OpResult> {
    if (n === 0) return NO_TIME;
    const arrays = {
      keys: await this.brought("keys", keys, n, first),
      values: await this.brought("values", values, n, first),
    };
    const { ns, refused } = await this.running.program.operate(
      this.is.upsert ? "upsert" : "insert",
      { arrays, n },
      { refused: count },
    );
    await this.weigh();
    return { ns, count: refused, restarts: 0 };
  }

  find(_: RunSteps, lookups: Lookups): Promise<OpResult> {
    return this.ask("find", lookups);
  }

  /** An operation beside insert and find, by what it is given. */
  does(op: string) {
    const { input } = shapeOf(op as TableOp);
    if (input === "batch") return (_: RunSteps, batch: MixedBatch) => this.mixedBatch(batch);
    if (input === "lookups") return (_: RunSteps, lookups: Lookups) => this.ask(op, lookups);
    return (_: RunSteps, keys: Erasures) => this.change(op, keys);
  }

  private async ask(op: string, lookups: Lookups): Promise<OpResult> {
    const { keys, results, n } = lookups;
    const asked = this.asked.get(lookups)?.array ?? (await this.brought("keys", keys, n));
    const answers = await this.poisoned(n);
    const result = await this.askIn(op, asked, answers, n);
    await this.take(answers, results, n);
    return result;
  }

  private async change(op: string, { keys, n }: Erasures): Promise<OpResult> {
    if (n === 0) return NO_TIME;
    const arrays = { keys: await this.brought("keys", keys, n) };
    const { ns, erased } = await this.running.program.operate(op, { arrays, n }, { erased: count });
    await this.weigh();
    return { ns, count: erased, restarts: 0 };
  }

  private async mixedBatch({ kinds, keys, values, results, slices }: MixedBatch): Promise<OpResult> {
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
      const done = await this.running.program.operate("mixed", slice, { refused: count, ...answered(operations) });
      sum.ns += done.ns;
      sum.count += done.refused;
    }
    await this.take(arrays.answers, results, n);
    await this.weigh();
    return sum;
  }

  /** Adds rows up by key. */
  async group({ keys, columns: [values], n }: GroupRows, room: number) {
    if (!values) throw new Error("no column");
    const arrays = {
      keys: await this.brought("keys", keys, n),
      values: await this.brought("values", values, n),
      groups: await this.poisoned(room, "groups"),
      answers: await this.poisoned(room),
    };
    return this.running.program.operate(GROUP, { arrays, n }, { groups: count });
  }

  /** What it answered last. */
  async groups(into: GroupRoom): Promise<GroupRoom> {
    for (const [role, buffer] of [["groups", into.keys] as const, ["answers", into.answers] as const])
      await this.take(await this.room(role, into.room), buffer, into.room);
    return into;
  }

  private async askIn(op: string, keys: SharedArray, answers: SharedArray, n: number): Promise<OpResult> {
    const { ns } = await this.running.program.operate(op, { arrays: { keys, answers }, n }, answered(n));
    return { ns, count: 0, restarts: 0 };
  }

  private async weigh(): Promise<void> {
    this.bytes = (await this.running.program.ask("bytes", weighed)).bytes;
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
    const { arrays } = this.running;
    const array = await fitting(this.running, () => arrays.get(content, n, this.wordsOf(buffer)));
    // It has each once.
    if (this.known.delete(content)) await arrays.give(content);
    this.known.add(content);
    const [oldest] = this.known;
    if (oldest !== undefined && this.known.size > KNOWN) {
      this.known.delete(oldest);
      await arrays.give(oldest);
    }
    return array;
  }

  /** A copy of queries for as long as the table is there. */
  private async copied({ keys, n }: Lookups) {
    if (n >= COMPARED) {
      const content = await this.contentOf(keys, n);
      const { arrays } = this.running;
      return { array: await fitting(this.running, () => arrays.get(content, n, this.wordsOf(keys))), content };
    }
    const array = await this.scratch(n);
    await array.send(n, this.wordsOf(keys));
    return { array, content: "" };
  }

  private async scratch(n: number): Promise<SharedArray> {
    await this.takes(WORD * n);
    return fitting(this.running, () => SharedArray.scratch(this.running.program, n));
  }

  private async contentOf(buffer: GPUBuffer, n: number): Promise<string> {
    return `${n} ${await digestOf(this.gpu, buffer, n)}`;
  }

  private wordsOf(buffer: GPUBuffer, first = 0): Words {
    return (from, n) => this.gpu.read(buffer, n, first + from);
  }

  /** Room for n answers, in which one that is not written is seen. */
  private async poisoned(n: number, role: "groups" | "answers" = "answers"): Promise<SharedArray> {
    const answers = await this.room(role, n);
    await answers.fill(n, POISON);
    return answers;
  }

  private async take(answers: SharedArray, results: GPUBuffer, n: number): Promise<void> {
    await answers.fetch();
    await upload(this.gpu, results, n, (piece, first) => answers.read(piece, first));
  }
}

/** Of no operations. */
const NO_TIME: OpResult = { ns: 0, count: 0, restarts: 0 };
