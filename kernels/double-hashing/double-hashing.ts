import { further } from "../common/further.js";
import { KEYED, roundKeysFor } from "../common/keyed.js";
import { type Further, type Plan, planned, REUSE } from "../common/planned.js";
import { nextPrime, PAIR_BYTES } from "../common/steps.js";
import { KEY_BYTES, type Make, type WideKeys } from "../common/wide-keys.js";
import { widenedKeys } from "../common/widened-keys.js";
import { declare } from "../declare.js";
import { defineTable } from "../define.js";
import type { Description, TableType, Traits } from "../table.js";

const parameters = declare({ reuse: REUSE, keyed: KEYED, keyBytes: KEY_BYTES });

type SlotsFor = (n: number, loadFactor: number) => number;

/** A prime number of slots: double hashing reaches all. */
const prime: SlotsFor = (n, loadFactor) => nextPrime(n / loadFactor);
const powerOfTwo: SlotsFor = (n, loadFactor) => 2 ** Math.max(1, Math.ceil(Math.log2(n / loadFactor)));

interface Probing {
  readonly slotsFor: SlotsFor;
  /** Conditions of layout.wgsl. */
  readonly probes: Readonly<Record<string, boolean>>;
}

/** @param wide For `keyBytes` 8. */
type Tables = (wide: WideKeys, further?: Further) => TableType;

const slotTable =
  ({ slotsFor, probes }: Probing, about: Pick<Description, "id" | "title" | "source">): Tables =>
  (wide, further) =>
    defineTable({
      ...about,
      parameters,
      configure({ reuse, keyed, keyBytes }) {
        const traits = (make: Make): Traits => ({
          ops: ["insert", "find", "erase", "upsert", "export"],
          maxLoadFactor: 1,
          duplicates: true,
          incremental: true,
          reusesSlots: reuse,
          sizing: { ownSize: slotsFor === powerOfTwo },
          access: (op) =>
            op === "find"
              ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
              : { pattern: "cas", why: "one random 32-bit CAS" },
          bytes: (n, loadFactor) => PAIR_BYTES * slotsFor(n, loadFactor),
          create(gpu, { n, loadFactor, seed, secret, counting }) {
            const slots = slotsFor(n, loadFactor);
            const plan: Plan = {
              folder: "kernels/double-hashing",
              sizes: { slots, seed },
              conditions: { ...probes, PAIR: true },
              inserting: { reuses: reuse },
              more: ["upsert", "export"],
              block: 1,
              slots,
              bytes: PAIR_BYTES * slots,
              blockBytes: PAIR_BYTES,
            };
            return make(gpu, plan, counting, { further, roundKeys: roundKeysFor(keyed, { seed, secret }) });
          },
        });
        return keyBytes === 8 ? wide(traits) : traits(planned);
      },
    });

/** One pair a slot, one slot a probe, a prime number of slots. See README.md. */
export const doubleHashingWith = slotTable(
  { slotsFor: prime, probes: {} },
  {
    id: "double-hashing",
    title: "Double hashing",
    source: "classical; Stadium (PACT 2015), section 2",
  },
);

/** The hash table of Crystal's join. */
export const crystalWith = slotTable(
  { slotsFor: prime, probes: { LINEAR: true } },
  {
    id: "crystal",
    title: "Linear probing (Crystal)",
    source:
      "Shanbhag et al., A Study of the Fundamental Performance Characteristics of GPUs and CPUs for Database Analytics, SIGMOD 2020",
  },
);

/** The table that applications write for themselves. */
export const linearProbingWith = slotTable(
  { slotsFor: powerOfTwo, probes: { LINEAR: true, TEXTBOOK: true } },
  {
    id: "linear-probing",
    title: "Linear probing (textbook)",
    source: "classical; Knuth, The Art of Computer Programming, vol. 3, 6.4",
  },
);

export const doubleHashing = /* @__PURE__ */ doubleHashingWith(widenedKeys, further);
export const crystal = /* @__PURE__ */ crystalWith(widenedKeys, further);
export const linearProbing = /* @__PURE__ */ linearProbingWith(widenedKeys, further);
