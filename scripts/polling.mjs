// Loaded before the tests on an adapter and what they start: `node --import scripts/polling.mjs`. Dawn's binding asks whether
// something is done in every turn of the event loop, by `setImmediate`, and takes a core away from what compiles and runs the
// kernels. From a wait's second millisecond on it is to ask once a millisecond: half of the tests' time on two cores.

/** How long a wait may keep a core busy. */
const BUSY_MS = 1;

const atOnce = globalThis.setImmediate;
let polling = false;
let since = 0;

globalThis.setImmediate = Object.assign((poll, ...words) => {
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
}, atOnce);
