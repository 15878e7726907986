/**
 * Tables in host memory with other parameters. Stash's kernels are verified with such parameters on every adapter by
 * kernels/stash, their passage to the host by conformance.gpu.test.ts.
 */
import { describe } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { cases as sharedSlotCases } from "../../bench/verify/cases/shared-slot.js";
import { casesFor, casesNamed, testCases } from "../../bench/verify/testing.js";
import { configure } from "../define.js";
import { hostTable } from "../host-memory.js";
import type { Scalar, TableType } from "../table.js";
import { Traffic } from "./pcie.js";

const gpu = testGpu();

/** The table with other defaults. */
function preset(id: string, params: Readonly<Record<string, Scalar>>): TableType {
  const type = hostTable(id, new Traffic());
  if (!type) throw new Error(`${id} has no table in host memory`);
  return configure(type, params);
}

describe.each([
  { ticket: 1, keyBytes: 8, valueBytes: 8 },
  { ticket: 4, keyBytes: 16, valueBytes: 64 },
])("stash in host memory with %o", (params) => {
  const type = preset("stash", params);
  // Hundreds of dispatches, for which it matters what passes to the host and back: the wider pairs do.
  const narrow = params.keyBytes === 8;
  const long = (name: string) => narrow && /full table|^slices/.test(name);
  // Races for a slot are of kernels and passage, not of how wide pairs and tickets are: hundreds of rounds, dispatch by dispatch.
  const races = new Set(sharedSlotCases.map(({ name }) => name));
  testCases(
    casesFor(type, "core").filter(({ name }) => !races.has(name) && !long(name)),
    gpu,
    type,
  );
});

describe("stash-hybrid in host memory, lanes from the beginning of the second half", () => {
  const type = preset("stash-hybrid", { threshold: 0.4, keyBytes: 4, valueBytes: 32, ticket: 1 });
  testCases(casesNamed(type, "many pairs", "cleared"), gpu, type);
});

describe("stash in host memory, retrieving without ticket-board", () => {
  const type = preset("stash", { board: false });
  testCases(casesNamed(type, "many pairs", "sizes"), gpu, type);
});
