/**
 * How Dawn's binding for Node waits: it asks whether something is done in every turn of the event loop, by `setImmediate`. That is 150 times a
 * millisecond and by a new function each time, which V8 has to finalize. Collecting those stopped the host for 5 to 50 ms at a time, an eighth
 * to a quarter of the time that it waited. Here it asks the less often, the longer it has waited.
 */

/** It asks again after this part of the time that the wait has lasted, … */
const PART = 1 / 20;
/** … or after so many milliseconds. */
const LONGEST_MS = 0.25;
/** Turns of an empty loop: a microsecond or so. */
const LOOKS_APART = 2000;
/** Who sleeps keeps a core busy for so long before, and asks once a millisecond then. */
const BUSY_MS = 1;
const SLEEP_MS = 1;

interface Waiting {
  /** When the wait began. */
  since: number;
  sleeps: boolean;
}

/** One for all copies of this module: as it was compiled, and as tests load it. */
const NAME = Symbol.for("hashbench: how Dawn waits");
const known = globalThis as { [NAME]?: Waiting };

/** To be called before Dawn has to wait. */
export function pollSeldom(): Waiting {
  known[NAME] ??= replaced();
  return known[NAME];
}

/** Waits take no core from what compiles and runs kernels: half of the tests' time on two cores. */
export function sleepInWaits(): void {
  pollSeldom().sleeps = true;
}

/** What is waited for now is something new, though other waits go on. */
export function waitAnew(): void {
  const waiting = known[NAME];
  if (waiting) waiting.since = performance.now();
}

function replaced(): Waiting {
  const atOnce = globalThis.setImmediate;
  const waiting: Waiting = { since: 0, sleeps: false };
  let polling = false;
  globalThis.setImmediate = Object.assign((poll: (...words: unknown[]) => void, ...words: unknown[]) => {
    const now = performance.now();
    // Within a poll it is the same wait that goes on.
    if (!polling) waiting.since = now;
    const waited = now - waiting.since;
    const next = () => {
      if (!waiting.sleeps) spin(now + Math.min(LONGEST_MS, waited * PART));
      polling = true;
      try {
        poll(...words);
      } finally {
        polling = false;
      }
    };
    return waiting.sleeps && waited >= BUSY_MS ? setTimeout(next, SLEEP_MS) : atOnce(next);
  }, atOnce) as typeof setImmediate;
  return waiting;
}

/** A sleep would last longer than it should. */
function spin(until: number): void {
  // Each look at the clock is garbage too.
  while (performance.now() < until) for (let i = 0; i < LOOKS_APART; i++);
}
