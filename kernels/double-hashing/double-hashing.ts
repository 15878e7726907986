import { createPlanned, REUSE } from "../common/planned.js";
import { nextPrime } from "../common/steps.js";
import { type Declared, declare } from "../declare.js";
import type { TableType } from "../table.js";

const PAIR_BYTES = 8;

/** A prime number of slots: double hashing reaches all. */
const slotsFor = (n: number, loadFactor: number) => nextPrime(n / loadFactor);

type About = Pick<TableType, "id" | "title" | "source" | "reusesSlots">;

function slotTable(LINEAR: boolean, about: About, parameters: Declared<{ reuse?: typeof REUSE }>): TableType {
  return {
    ...about,
    ops: ["insert", "find", "erase"],
    maxLoadFactor: 1,
    duplicates: true,
    incremental: true,
    parameters: parameters.list,
    access: (op) =>
      op === "find"
        ? { pattern: "lookup8", why: "one 8-byte slot, the key, the result" }
        : { pattern: "cas", why: "one random 32-bit CAS" },
    bytes: (n, loadFactor) => PAIR_BYTES * slotsFor(n, loadFactor),
    create(gpu, { n, loadFactor, seed, params, counting }) {
      const slots = slotsFor(n, loadFactor);
      const plan = {
        folder: "kernels/double-hashing",
        sizes: { slots, seed },
        conditions: { LINEAR },
        reuses: parameters.of(params).reuse === true,
        marks: true,
        slots,
        bytes: PAIR_BYTES * slots,
      };
      return createPlanned(gpu, plan, counting);
    },
  };
}

/** One pair a slot, one slot a probe, a prime number of slots. See README.md. */
export const doubleHashing = slotTable(
  false,
  {
    id: "double-hashing",
    title: "Double hashing",
    source: "classical; Stadium (PACT 2015), section 2",
    reusesSlots: { reuse: true },
  },
  declare({ reuse: REUSE }),
);

/** The hash table of Crystal's join. */
export const crystal = slotTable(
  true,
  {
    id: "crystal",
    title: "Linear probing (Crystal)",
    source:
      "Shanbhag et al., A Study of the Fundamental Performance Characteristics of GPUs and CPUs for Database Analytics, SIGMOD 2020",
  },
  declare({}),
);
