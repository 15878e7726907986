/**
 * The data set `lineitem`: TPC-H's line items as dbgen makes them, (orderkey, partkey, linenumber) hashed to 32 bits,
 * keys that occurred before left out. Source of the workload: the keys of GPH.
 */
import { UsageError } from "../kernels/device/errors.js";
import { generateBlocks, type PoolOptions, poolFor } from "./blocks/pool.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { type KeySet, keySet, remembering } from "./keyset.js";
import type { KeyBlock } from "./tpch/keys.js";
import type { QueryBlock, QueryName } from "./tpch/queries.js";
import { MAX_LINES, ordersAt } from "./tpch/streams.js";

/** Lines per order, on average (1 … 7, uniform). */
const MEAN_LINES = 4;
/** Half of the key space; beyond it more than every second hash would be a duplicate, and order keys leave 32 bits. */
const MAX_N = 2 ** 31;
/** Orders generated at a time: about half a million rows, 3.5 MiB. */
const BLOCK_ORDERS = 1 << 17;

export interface LineitemOptions extends KeySourceOptions {
  /** Scale factor; default: `scaleFactorFor(n)`. */
  readonly sf?: number;
  /** For tests; default: threads for large n where the compiled worker exists. */
  readonly pool?: PoolOptions;
}

/**
 * The scale factor for n unique keys, which is the smallest (in thousandths below 1, whole above, as dbgen has it) whose
 * rows are expected to have as many. r rows hashed to 32 bits give 2^32 (1 - e^(-r / 2^32)) keys, solved here for r; an
 * order has 4 lines on average. The paper's 100,784,453 keys: 17.
 */
export function scaleFactorFor(n: number): number {
  const rows = -(2 ** 32) * Math.log1p(-n / 2 ** 32);
  const sf = rows / (MEAN_LINES * 1_500_000);
  return sf < 1 ? Math.max(1, Math.ceil(sf * 1000)) / 1000 : Math.ceil(sf);
}

/** Throws a UsageError unless dbgen knows the scale factor: thousandths below 1, whole numbers above. */
export function checkScaleFactor(sf: number): void {
  const units = sf < 1 ? sf * 1000 : sf;
  if (!(units >= 1 && sf <= 700 && Math.abs(units - Math.round(units)) < 1e-9)) {
    throw new UsageError(`lineitem: scale factor ${sf} is not one of 0.001, 0.002 … 1, 2 … 700`);
  }
}

/**
 * The first n unique keys. Should a scale factor's orders not suffice (the expectation above is off by a few thousandths
 * for small n), dbgen's streams are read on past its last order. Throws a UsageError if n > 2^31 or for a wrong `sf`.
 */
export function lineitemKeys({ n, seed, sf = scaleFactorFor(n), pool }: LineitemOptions): KeySource {
  if (n > MAX_N) throw new UsageError(`lineitem: n = ${n} is more than the ${MAX_N} keys offered`);
  checkScaleFactor(sf);
  const note = `dbgen's lineitem at scale factor ${sf}: (orderkey, partkey, linenumber) hashed to 32 bits, duplicates left out`;
  // The last block may bring more keys than are wanted; they stay in the set, and so are not given as absent either.
  const most = n + blockOrders(n) * MAX_LINES;
  const blocks = () => keyBlocks(n, Number.POSITIVE_INFINITY, sf, seed);
  const chunks = (seen: KeySet) => uniqueKeys(seen, n, blocks(), pool ?? poolFor(n));
  return { ...remembering({ id: "lineitem", n, seed, note }, chunks, most), unique: () => n };
}

/** The unique keys of all orders of a scale factor, however many there are. */
export async function* lineitemTableKeys(sf: number, seed: number): AsyncGenerator<Uint32Array> {
  checkScaleFactor(sf);
  const orders = ordersAt(sf);
  const rows = orders * MEAN_LINES;
  const seen = keySet(orders * MAX_LINES);
  yield* uniqueKeys(seen, Number.POSITIVE_INFINITY, keyBlocks(rows, orders, sf, seed), poolFor(rows));
}

function blockOrders(n: number): number {
  return Math.min(BLOCK_ORDERS, Math.ceil(n / 16) + 64);
}

/** Blocks of consecutive orders, of a size that suits n. */
function* keyBlocks(n: number, orders: number, sf: number, seed: number): Generator<KeyBlock> {
  const size = blockOrders(n);
  for (let first = 0; first < orders; first += size) {
    yield { first, orders: Math.min(size, orders - first), sf, seed };
  }
}

async function* uniqueKeys(
  seen: KeySet,
  n: number,
  blocks: Iterable<KeyBlock>,
  pool: PoolOptions,
): AsyncGenerator<Uint32Array> {
  for await (const keys of generateBlocks("lineitem", blocks, pool)) {
    const left = n - seen.size;
    if (left <= 0) return;
    const added = seen.addAll(keys);
    yield keys.subarray(0, Math.min(added, left));
    if (added >= left) return;
  }
}

export interface QueryRows {
  readonly keys: Uint32Array;
  readonly columns: readonly Uint32Array[];
}

/**
 * The first n rows of a query, in blocks, at the scale factor that has about as many; past its last order, if need be.
 * @param columns that are wanted, the first ones
 */
export async function* queryRows(query: QueryName, n: number, columns: number): AsyncGenerator<QueryRows> {
  const sf = n / (MEAN_LINES * 1_500_000);
  let left = n;
  const blocks = queryBlocks({ query, columns, sf: sf < 0.5 ? Math.ceil(1000 * sf) / 1000 : Math.round(sf) }, n);
  for await (const words of generateBlocks("query", blocks, poolFor(n))) {
    const rows = words.length / (1 + columns);
    const [keys = words, ...values] = Array.from({ length: 1 + columns }, (_, i) =>
      words.subarray(i * rows, i * rows + Math.min(rows, left)),
    );
    yield { keys, columns: values };
    left -= rows;
    if (left <= 0) return;
  }
}

function* queryBlocks(of: Omit<QueryBlock, "first" | "orders">, n: number): Generator<QueryBlock> {
  const orders = blockOrders(n);
  for (let first = 0; ; first += orders) yield { ...of, first, orders };
}
