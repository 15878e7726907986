/** Random batches of a table's operations against a Map; promises and recorded commands in any order. For tests, and for a program that runs for longer. */
import type { Uniform } from "../datasets/rng.js";
import type * as Library from "../kernels/library/index.js";

/** Tables of which an insertion has each key once. */
const ONCE: readonly Library.TableName[] = ["stash", "cuckoo", "two-level"];
/** Largest part of the capacity in a batch. */
const PART = 0.3;

interface Batches {
  /** As it was built, or its sources. */
  readonly library: Pick<typeof Library, "createTable" | "readOutcome" | "EMPTY" | "OUTCOME_BYTES">;
  readonly name: Library.TableName;
  readonly capacity: number;
  /** It ends with the batch that has the last of so many. */
  readonly operations: number;
  readonly random: Uniform;
}

/** Answers and counts that were compared. Throws an Error at the first wrong one. */
export async function compareWithMap(device: GPUDevice, { library, name, capacity, operations, random }: Batches) {
  const { createTable, readOutcome, EMPTY, OUTCOME_BYTES } = library;
  const most = Math.ceil(PART * capacity);
  const draw = (below: number) => Math.floor(random() * below);
  const options = { capacity, seed: 1, loadFactor: name === "gph" ? 0.5 : 0.7 };
  type Whole = Library.RecordableTable & Partial<Library.RecordableErasableTable & Library.ExportableTable>;
  const table: Whole = await createTable(device, name, options);
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const make = (size: number, usage: number) => device.createBuffer({ size, usage });
  const room = () => make(4 * most, STORAGE | COPY_SRC | COPY_DST);
  const [keys, values, results, outcome] = [room(), room(), room(), make(OUTCOME_BYTES, COPY_SRC | COPY_DST)] as const;
  const readback = make(Math.max(4 * most, OUTCOME_BYTES), MAP_READ | COPY_DST);
  const oracle = new Map<number, number>();
  let [done, turn] = [0, 0];

  const batch = (universe: number, distinct = false) => {
    const drawn = Uint32Array.from({ length: 1 + draw(most) }, () => Math.imul(draw(universe), 0x9e3779b1));
    const own = distinct ? Uint32Array.from(new Set(drawn)) : drawn;
    device.queue.writeBuffer(keys, 0, own);
    done += own.length;
    turn++;
    return own;
  };
  const submit = (record: (encoder: GPUCommandEncoder) => void) => {
    const encoder = device.createCommandEncoder();
    record(encoder);
    device.queue.submit([encoder.finish()]);
  };
  const read = async (buffer: GPUBuffer, words: number) => {
    submit((encoder) => encoder.copyBufferToBuffer(buffer, 0, readback, 0, 4 * words));
    await readback.mapAsync(GPUMapMode.READ, 0, 4 * words);
    const copy = new Uint32Array(readback.getMappedRange(0, 4 * words)).slice();
    readback.unmap();
    return copy;
  };
  const equal = (what: string, found: number | undefined, expected: number) => {
    if (found !== expected) throw new Error(`${name}, ${what} of batch ${turn}: ${found}, expected ${expected}`);
  };
  const isPromise = () => draw(2) === 0;
  const recorded = async (record: (encoder: GPUCommandEncoder) => void) => {
    submit(record);
    const said = readOutcome(await read(outcome, OUTCOME_BYTES / 4));
    equal("failed", Number(said.failed), 0);
    return said;
  };

  const insert = async () => {
    const drawn = batch(capacity, ONCE.includes(name));
    const own = name === "stash" ? drawn.filter((key) => !oracle.has(key)) : drawn;
    const n = own.length;
    // Rows of one key have one value.
    const given = own.map((key) => (key ^ turn) >>> 1);
    device.queue.writeBuffer(keys, 0, own);
    device.queue.writeBuffer(values, 0, given);
    const pairs = { keys, values, n };
    const { refused } = isPromise()
      ? await table.insert(pairs)
      : await recorded((encoder) => table.encodeInsert(encoder, pairs, { buffer: outcome }));
    equal("refused", refused, 0);
    for (const [i, key] of own.entries()) oracle.set(key, given[i] as number);
  };
  const clear = async () => {
    oracle.clear();
    if (isPromise()) await table.clear();
    else submit((encoder) => table.encodeClear(encoder));
  };
  /** All keys, where the table does not erase some. */
  const erase = async () => {
    const { erase: erasing, encodeErase } = table;
    if (!erasing || !encodeErase) return clear();
    const own = batch(2 * capacity);
    const erasures = { keys, n: own.length };
    const { erased } = isPromise()
      ? await erasing(erasures)
      : await recorded((encoder) => encodeErase(encoder, erasures, { buffer: outcome }));
    equal("erased", erased, own.filter((key) => oracle.delete(key)).length);
  };
  const find = async () => {
    const own = batch(2 * capacity);
    const lookups = { keys, results, n: own.length };
    if (isPromise()) await table.find(lookups);
    else submit((encoder) => table.encodeFind(encoder, lookups));
    const found = await read(results, own.length);
    for (const [i, key] of own.entries()) equal(`value of ${key}`, found[i], oracle.get(key) ?? EMPTY);
  };
  /** Few sizes: the device keeps the kernels of each. */
  const rehash = async () => {
    if (table.rehash && draw(4) === 0) await table.rehash({ capacity: capacity + draw(4) * Math.ceil(capacity / 4) });
  };

  try {
    while (done < operations) for (const operation of [insert, find, erase, rehash, find]) await operation();
  } finally {
    table.destroy();
    for (const buffer of [keys, values, results, outcome, readback]) buffer.destroy();
  }
  return done;
}
