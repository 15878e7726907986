/**
 * What warps do while pairs are inserted, simulated plainly on the CPU: the check of the warp execution efficiency that
 * counting variants report. It repeats the tables' algorithms and hash functions, and nothing of how their kernels count.
 *
 * The machine: 32 lanes of a warp in lockstep; `inFlight` warps, each taking one turn after another has taken one,
 * round-robin; when one ends, the next one of the input takes its place. In a turn every lane that still works looks at
 * one slot.
 */

import { MAX_ATTEMPTS } from "../../../kernels/common/bulk.js";
import { EMPTY, nextPrime } from "../../../kernels/common/steps.js";
import { chainLimit, SMALLEST_SPACE, slotsFor } from "../../../kernels/cuckoo/cuckoo.js";
import { drawFunctions, primeOf } from "../../../kernels/cuckoo/functions.js";

const LANES = 32;
/** Hash functions of cuckoo hashing. */
const FUNCTIONS = 4;
/** Warps in flight unless told: about as many as the paper's GTX 780 holds, 64 in each of 12 multiprocessors. */
const IN_FLIGHT = 1024;

/** Unique keys, and the load factor of the table they are inserted into. */
export interface Insertion {
  readonly keys: Uint32Array;
  readonly loadFactor: number;
  readonly inFlight?: number;
}

/** One dispatch: Σ over lanes of the turns they worked in, Σ over warps of their turns. */
export interface Pass {
  readonly laneSteps: number;
  readonly warpSteps: number;
}

export interface Simulation {
  readonly passes: readonly Pass[];
  /** The key in each slot; EMPTY where there is none. */
  readonly table: Uint32Array;
}

/** Step-weighted warp execution efficiency: Σ active lane-steps / (32 · Σ warp steps). */
export function efficiencyOf(passes: readonly Pass[]): number {
  const sum = (of: keyof Pass) => passes.reduce((total, pass) => total + pass[of], 0);
  return sum("laneSteps") / (LANES * sum("warpSteps"));
}

/** One lane's operation: a turn ends at a `yield`, the last one where it returns. */
type Lane = Generator<void, void>;
/** A turn ends at a `yield` of the number of lanes that worked in it. */
type Warp = Generator<number, void>;

/** Runs all warps, in their order. */
function simulate(warps: Iterator<Warp>, inFlight: number): Pass {
  let [laneSteps, warpSteps] = [0, 0];
  /** Lets the warp take its turn, or, if it has ended, the next one that has work; null when there is no more. */
  const turn = (warp: Warp | null): Warp | null => {
    for (let current = warp; ; ) {
      const active = current?.next();
      if (active && !active.done) {
        laneSteps += active.value;
        warpSteps += 1;
        return current;
      }
      const next = warps.next();
      if (next.done) return null;
      current = next.value;
    }
  };
  let flying = new Array<Warp | null>(inFlight).fill(null);
  while (flying.length > 0) flying = flying.map(turn).filter((warp) => warp !== null);
  return { laneSteps, warpSteps };
}

/** Warps of lanes that have one operation each and do not help one another. */
function* oneKeyALane(keys: Uint32Array, lane: (key: number) => Lane): Generator<Warp, void> {
  for (let first = 0; first < keys.length; first += LANES) yield together(keys.subarray(first, first + LANES), lane);
}

function* together(keys: Uint32Array, lane: (key: number) => Lane): Warp {
  let working = Array.from(keys, lane);
  while (working.length > 0) {
    const active = working.length;
    working = working.filter((one) => !one.next().done);
    yield active;
  }
}

/**
 * Alcantara's cuckoo hashing with four functions: chains of exchanges. Builds whose chains are too long count, as they do
 * in the table. Throws an Error if none succeeds.
 */
export function simulateCuckoo(insertion: Insertion & { readonly seed: number }): Simulation {
  const passes: Pass[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const functions = drawFunctions(insertion.seed, attempt).slice(0, FUNCTIONS);
    const build = buildCuckoo(insertion, functions);
    passes.push(...build.passes);
    if (build.failed === 0) return { passes, table: build.table };
  }
  throw new Error(`cuckoo: no build in ${MAX_ATTEMPTS} attempts`);
}

function buildCuckoo({ keys, loadFactor, inFlight = IN_FLIGHT }: Insertion, functions: readonly (readonly number[])[]) {
  const slots = slotsFor(keys.length, loadFactor);
  const chain = chainLimit(keys.length, loadFactor, SMALLEST_SPACE[FUNCTIONS] ?? Number.NaN);
  const table = new Uint32Array(slots).fill(EMPTY);
  const prime = primeOf(slots);
  let failed = 0;
  const places = (key: number) => functions.map(([a = 0, b = 0]) => ((((a ^ key) + b) >>> 0) % prime) % slots);
  function* insert(own: number): Lane {
    let key = own;
    let slot = places(key)[0] ?? 0;
    for (let evictions = 0; evictions < chain; evictions++) {
      if (evictions > 0) yield;
      [key, table[slot]] = [table[slot] ?? EMPTY, key];
      if (key === EMPTY) return;
      // Round-robin: the function after the first one that leads to the slot.
      const all = places(key);
      slot = all[(all.indexOf(slot) + 1) % FUNCTIONS] ?? 0;
    }
    failed += 1;
  }
  return { passes: [simulate(oneKeyALane(keys, insert), inFlight)], table, failed };
}

/** Stadium hashing, one lane a pair (Fig. 6). */
export function simulateStash({ keys, loadFactor, inFlight = IN_FLIGHT }: Insertion): Simulation {
  const { table, job } = stadium(keys, loadFactor);
  function* insert(key: number): Lane {
    for (const seat = job(key); !seat.book(); ) yield;
  }
  return { passes: [simulate(oneKeyALane(keys, insert), inFlight)], table };
}

/**
 * Stadium hashing with collaborative lanes (Fig. 12): as many warps as get `batches` times 32 pairs each, all taking turns at
 * the input until it ends, with a store of 32 each.
 */
export function simulateClStash(insertion: Insertion & { readonly batches?: number }): Simulation {
  const { keys, loadFactor, inFlight = IN_FLIGHT, batches = 32 } = insertion;
  const { table, job } = stadium(keys, loadFactor);
  const tryAll = (jobs: readonly Job[]) => jobs.filter((one) => !one.book());
  const warps = Math.ceil(keys.length / (batches * LANES));
  function* collaborate(warp: number): Warp {
    const store: Job[] = [];
    for (let first = warp * LANES; first < keys.length; first += warps * LANES) {
      const fresh = Array.from(keys.subarray(first, first + LANES), job);
      let failed = tryAll(fresh);
      yield fresh.length;
      while (failed.length + store.length > LANES) {
        const idle = LANES - failed.length;
        failed.push(...store.splice(store.length - idle));
        failed = tryAll(failed);
        yield LANES;
      }
      store.push(...failed);
    }
    for (let waiting: readonly Job[] = store; waiting.length > 0; ) {
      const active = waiting.length;
      waiting = tryAll(waiting);
      yield active;
    }
  }
  const all = Array.from({ length: warps }, (_, warp) => collaborate(warp));
  return { passes: [simulate(all.values(), inFlight)], table };
}

interface Job {
  /** Tries the next slot of the key; whether it was free, and is the key's now. */
  book(): boolean;
}

/** An empty table of Stadium hashing, and the walk of a key over its slots. */
function stadium({ length: n }: Uint32Array, loadFactor: number) {
  const slots = nextPrime(n / loadFactor);
  const table = new Uint32Array(slots).fill(EMPTY);
  const job = (key: number): Job => {
    let slot = scaled(rounds(key, 0xe9d58a6b), slots);
    const step = 1 + scaled(rounds(key, 0x6e5b9d8a), slots - 1);
    let tries = 0;
    const book = () => {
      if (tries++ > 0) slot = (slot + step) % slots;
      if (tries > slots) throw new Error("stash: a key has seen all slots");
      if (table[slot] !== EMPTY) return false;
      table[slot] = key;
      return true;
    };
    return { book };
  };
  return { table, job };
}

/** The paper's reversible hash (Fig. 5). */
function rounds(key: number, multiplier: number): number {
  let x = key;
  for (let j = 4; j >= 1; j--) x = (Math.imul((x >>> 8) ^ x, multiplier) + j) >>> 0;
  return x;
}

/** The word's place among `size`: floor(word · size / 2^32), in halves of the word, for doubles hold 53 bits. */
function scaled(word: number, size: number): number {
  return Math.floor(((word >>> 16) * size + Math.floor(((word & 0xffff) * size) / 2 ** 16)) / 2 ** 16);
}
