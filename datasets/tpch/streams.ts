/**
 * The random streams from which dbgen makes the columns of `lineitem`, and what it derives from them.
 *
 * Source: TPC-H specification v3, sections 4.2.2 (dbgen's definitions), 4.2.3 (table rules) and the reference generator
 * itself. Each column has a linear congruential stream of its own (Park and Miller's: x <- 16807 x mod 2^31 - 1). From
 * it an order takes a fixed number of draws however many it uses, so that order i starts i * draws steps from the seed.
 */

const MODULUS = 0x7fffffff;
const MULTIPLIER = 16807;

/** The most lines an order has, and with it the draws an order takes from a stream of `lineitem`. */
export const MAX_LINES = 7;

/** Seeds of dbgen's streams that advance by one draw an order, and of those that advance by `MAX_LINES`. */
export const ORDER_SEEDS = { orderDate: 1066728069, lines: 1434868289 } as const;
export const LINE_SEEDS = {
  quantity: 209208115,
  discount: 554590007,
  tax: 721958466,
  shipinstruct: 1371272478,
  shipmode: 675466456,
  partkey: 1808217256,
  suppkey: 2095021727,
  shipdate: 1769349045,
  commitdate: 904914315,
  receiptdate: 373135028,
  returnflag: 717419739,
} as const;

/** Days are counted from 1992-01-01, dbgen's first order date. */
export const FIRST_DAY = Date.UTC(1992, 0, 1);
/** Order dates are 1992-01-01 … 1998-08-02: seven years less the 151 days that a delivery may take. */
export const ORDER_DAYS = 2406;
/** dbgen's "today", 1995-06-17: what was shipped until then has line status F, else O. */
export const TODAY = 1263;

/** The next state of a stream. Avoids a slow 46-bit `%`: 2^31 = 1 (mod 2^31 - 1), so the high bits are added on (Carta 1990). */
export function step(x: number): number {
  const high = Math.imul(MULTIPLIER, x >>> 16);
  const sum = (Math.imul(MULTIPLIER, x & 0xffff) + ((high & 0x7fff) << 16) + (high >>> 15)) >>> 0;
  return (sum & MODULUS) + (sum >>> 31);
}

/** The state `steps` draws after `x`: x * 16807^steps, by repeated squaring. */
export function skip(x: number, steps: number): number {
  const modulus = BigInt(MODULUS);
  let state = BigInt(x);
  let power = BigInt(MULTIPLIER);
  for (let left = BigInt(steps); left > 0n; left >>= 1n) {
    if (left & 1n) state = (state * power) % modulus;
    power = (power * power) % modulus;
  }
  return Number(state);
}

/** The uniform integer 0 … range - 1 that dbgen makes of a state; in doubles, as there. */
export function scale(x: number, range: number): number {
  return Math.floor((x / MODULUS) * range);
}

/** What consecutive orders draw from a stream. */
export interface Draws {
  /** 0-based number of the first order. */
  readonly first: number;
  /** Draws that each order uses, and those that it takes. */
  readonly used: Uint32Array;
  readonly each: number;
}

/** The integers of low … high that the orders use, one after another. */
export function drawn(seed: number, { first, used, each }: Draws, low: number, high: number): Uint32Array {
  const words = new Uint32Array(used.reduce((sum, count) => sum + count, 0));
  const range = high - low + 1;
  let state = skip(seed, first * each);
  let next = 0;
  for (let order = 0; order < used.length; order++) {
    const end = next + used[order]!;
    const left = each - used[order]!;
    while (next < end) {
      state = step(state);
      words[next++] = low + scale(state, range);
    }
    for (let i = 0; i < left; i++) state = step(state);
  }
  return words;
}

/** Key of order `index` (0-based): of each 32 consecutive keys only the first 8 are used (specification 4.2.3, O_ORDERKEY). */
export function orderKey(index: number): number {
  const number = index + 1;
  return (((number >>> 3) << 5) | (number & 7)) >>> 0;
}

/** Rows of `orders` and `part` at a scale factor: dbgen cuts fractions of one down to thousandths. */
export function ordersAt(sf: number): number {
  return rowsAt(1_500_000, sf);
}

export function partsAt(sf: number): number {
  return rowsAt(200_000, sf);
}

function rowsAt(base: number, sf: number): number {
  return sf < 1 ? Math.floor((base * Math.round(sf * 1000)) / 1000) : base * sf;
}
