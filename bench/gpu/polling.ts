/**
 * Imported before Dawn has to wait. Its binding for Node asks whether something is done in every turn of the event loop, by `setImmediate`,
 * and so takes a core away from what compiles and runs kernels. From a wait's second millisecond on it asks once a
 * millisecond: half of the tests' time on two cores.
 */

/** How long a wait may keep a core busy. */
const BUSY_MS = 1;

const atOnce = globalThis.setImmediate;
let polling = false;
let since = 0;

globalThis.setImmediate = Object.assign((poll: (...words: unknown[]) => void, ...words: unknown[]) => {
  const now = performance.now();
  // Within a poll it is the same wait that goes on.
  if (!polling) since = now;
  const next = () => {
    polling = true;
    try {
      poll(...words);
    } finally {
      polling = false;
    }
  };
  return now - since < BUSY_MS ? atOnce(next) : setTimeout(next, 1);
}, atOnce) as typeof setImmediate;
