import { further } from "../common/further.js";
import { KEYED, roundKeysFor } from "../common/keyed.js";
import { type Further, type Plan, planned, REUSE } from "../common/planned.js";
import { nextPrime, PAIR_BYTES } from "../common/steps.js";
import { KEY_BYTES, type Make, type WideKeys } from "../common/wide-keys.js";
import { widenedKeys } from "../common/widened-keys.js";
import { declare } from "../declare.js";
import { defineTable } from "../define.js";
import {
  ONE_PASS_BUCKETS,
  PARTITIONED,
  type Partitioning,
  partitionedAccess,
  partitionedBuild,
} from "../partitioned/partitioned.js";
import type { TableType, Traits } from "../table.js";

const PAIRS = 4;
const BUCKET_BYTES = PAIR_BYTES * PAIRS;

/** A prime number of buckets: double hashing reaches all. */
const bucketsFor = (n: number, loadFactor: number) => nextPrime(n / loadFactor / PAIRS);

/** The table, with its way to make partitioned builds. @param wide For `keyBytes` 8. @param further As of `planned`. */
export function bucketedWith(partitioning: Partitioning, wide: WideKeys, further?: Further): TableType {
  return defineTable({
    id: "bucketed",
    title: "Bucketed (4 pairs)",
    source: "ours",
    parameters: declare({ reuse: REUSE, partitioned: PARTITIONED, keyed: KEYED, keyBytes: KEY_BYTES }),
    conflict({ reuse, partitioned, keyed, keyBytes }) {
      const other = reuse ? "reuse" : keyed ? "keyed" : keyBytes === 8 && "keyBytes=8";
      return partitioned && other ? `${other} and partitioned do not go together` : "";
    },
    configure({ reuse, partitioned, keyed, keyBytes }) {
      const traits = (make: Make): Traits => ({
        ops: ["insert", "find", "erase", "upsert", "export"],
        maxLoadFactor: 1,
        duplicates: true,
        incremental: true,
        reusesSlots: reuse,
        sizing: { thresholds: partitioned ? [ONE_PASS_BUCKETS * PAIRS * 0.8] : [] },
        access(op) {
          if (op === "find") return { pattern: "lookup32", why: "one 32-byte bucket, the key, the result" };
          if (op === "insert" && partitioned) return partitionedAccess;
          return { pattern: "cas", why: "one random 32-bit CAS" };
        },
        bytes: (n, loadFactor) => BUCKET_BYTES * bucketsFor(n, loadFactor),
        create(gpu, { n, loadFactor, seed, secret, counting }) {
          const buckets = bucketsFor(n, loadFactor);
          const plan: Plan = {
            folder: "kernels/bucketed",
            sizes: { buckets, seed },
            inserting: { reuses: reuse, build: partitioned ? partitioning("BUCKETED") : undefined },
            more: ["upsert", "export"],
            block: PAIRS,
            slots: PAIRS * buckets,
            bytes: BUCKET_BYTES * buckets,
            blockBytes: BUCKET_BYTES,
          };
          return make(gpu, plan, counting, { further, roundKeys: roundKeysFor(keyed, { seed, secret }) });
        },
      });
      return keyBytes === 8 ? wide(traits) : traits(planned);
    },
  });
}

/** 32-byte buckets of four keys and their four values, double hashing over buckets. See README.md. */
export const bucketed = /* @__PURE__ */ bucketedWith(partitionedBuild, widenedKeys, further);
