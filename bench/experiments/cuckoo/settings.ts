/** What the experiments of the chapter on cuckoo hashing share. */

/** The load factor of 576 slots for 409 pairs, six digits of it. */
export const TWO_LEVEL = { loadFactor: 0.710069 };
