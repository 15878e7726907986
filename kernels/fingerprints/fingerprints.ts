import { hostParts, type Plan, planned } from "../common/planned.js";
import { nextPrime, PAIR_BYTES } from "../common/steps.js";
import { declare, integer, oneOf } from "../declare.js";
import { defineTable } from "../define.js";

const SLOTS = 16;
const BUCKET_BYTES = PAIR_BYTES * SLOTS;
/** A prime number of buckets: double hashing reaches all. */
const bucketsFor = (n: number, loadFactor: number) => nextPrime(n / loadFactor / SLOTS);

/** Fingerprints in the device's memory, which tell where in a table in the host's memory a pair is. See README.md. */
export const fingerprints = defineTable({
  id: "fingerprints",
  title: "Fingerprints",
  source: "ours",
  parameters: declare({
    bits: oneOf([8, 16], { default: 16, meaning: "bits of a slot's fingerprint" }),
    passes: integer(0, 1024, {
      default: 0,
      meaning:
        "equal parts of the table that an operation visits one after another; 0: in host memory parts of 256 MiB, for 4096 keys and more each, else one",
    }),
  }),
  configure: ({ bits, passes }) => {
    const indexBytes = (buckets: number) => (SLOTS * buckets * bits) / 8;
    return {
      ops: ["insert", "find", "erase"],
      maxLoadFactor: 1,
      duplicates: false,
      incremental: true,
      reusesSlots: true,
      access(op, present = 1) {
        if (op !== "find") return { pattern: "cas", why: "one random 32-bit CAS (the pair itself not counted)" };
        if (present < 1) {
          const why = "a bucket's fingerprints, the key, the result (pairs of keys that are present not counted)";
          return { pattern: "lookup32", ofIndex: true, why };
        }
        return { pattern: "lookup8", why: "one pair, the key, the result (its fingerprint not counted)" };
      },
      bytes(n, loadFactor) {
        const buckets = bucketsFor(n, loadFactor);
        return BUCKET_BYTES * buckets + indexBytes(buckets);
      },
      create(gpu, { n, loadFactor, seed, counting }) {
        const buckets = bucketsFor(n, loadFactor);
        const bytes = BUCKET_BYTES * buckets;
        const plan: Plan = {
          folder: "kernels/fingerprints",
          sizes: { buckets, seed },
          conditions: { PAIR: true },
          compiling: (op) => ({
            conditions: { LOOKUP: op === "find", PUTS: op === "insert" },
            constants: { BITS: bits },
            passes: (items) => passes || hostParts(gpu, bytes, items),
          }),
          inserting: { reuses: true, indexBytes: indexBytes(buckets) },
          slots: SLOTS * buckets,
          bytes,
          blockBytes: BUCKET_BYTES,
        };
        return planned(gpu, plan, counting);
      },
    };
  },
});
