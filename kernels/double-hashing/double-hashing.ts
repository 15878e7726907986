import { createPlanned, type Plan, REUSE } from "../common/planned.js";
import { nextPrime, PAIR_BYTES } from "../common/steps.js";
import { declare } from "../declare.js";
import { defineTable } from "../define.js";
import type { Description, TableType } from "../table.js";

const parameters = declare({ reuse: REUSE });

/** A prime number of slots: double hashing reaches all. */
const slotsFor = (n: number, loadFactor: number) => nextPrime(n / loadFactor);

function slotTable(LINEAR: boolean, about: Pick<Description, "id" | "title" | "source">): TableType {
  return defineTable({
    ...about,
    parameters,
    configure: ({ reuse }) => ({
      ops: ["insert", "find", "erase", "upsert", "export"],
      maxLoadFactor: 1,
      duplicates: true,
      incremental: true,
      reusesSlots: reuse,
      access: (op) =>
        op === "find"
          ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
          : { pattern: "cas", why: "one random 32-bit CAS" },
      bytes: (n, loadFactor) => PAIR_BYTES * slotsFor(n, loadFactor),
      create(gpu, { n, loadFactor, seed, counting }) {
        const slots = slotsFor(n, loadFactor);
        const plan: Plan = {
          folder: "kernels/double-hashing",
          sizes: { slots, seed },
          conditions: { LINEAR, PAIR: true },
          inserting: { reuses: reuse },
          more: ["upsert", "export"],
          marks: true,
          block: 1,
          slots,
          bytes: PAIR_BYTES * slots,
          blockBytes: PAIR_BYTES,
        };
        return createPlanned(gpu, plan, counting);
      },
    }),
  });
}

/** One pair a slot, one slot a probe, a prime number of slots. See README.md. */
export const doubleHashing = slotTable(false, {
  id: "double-hashing",
  title: "Double hashing",
  source: "classical; Stadium (PACT 2015), section 2",
});

/** The hash table of Crystal's join. */
export const crystal = slotTable(true, {
  id: "crystal",
  title: "Linear probing (Crystal)",
  source:
    "Shanbhag et al., A Study of the Fundamental Performance Characteristics of GPUs and CPUs for Database Analytics, SIGMOD 2020",
});
