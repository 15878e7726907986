/**
 * Times rows whose keys may be there, by a table. `ids` gives each different key a number, and tells each row that of its key; `sums` adds
 * the rows' values up by key. Parameter `present`: the share of the keys that the table has before.
 */

import type { RunSteps } from "../../kernels/table.js";
import { exact } from "../results/metrics.js";
import { type Access, type BenchContext, movedBytes, type Operation, type PreparedCell } from "./benchmark.js";
import type { CellTable } from "./cell-table.js";
import { ofTables } from "./gpu-tables.js";
import { OF_ROWS, specOf } from "./group-by.js";
import { real } from "./parameters.js";
import { PreparedTable } from "./prepared-table.js";
import { GroupedRows, groupsOf } from "./workload/grouped.js";

const [IDS, SUMS] = ["ids", "sums"];

export const rowsBenchmark = ofTables({
  operations: [{ id: IDS }, { id: SUMS }],
  kind: "of rows",
  parameters: [
    ...OF_ROWS,
    real("present", 0, 1, "share of the keys that the table has before (default: 0)"),
    { name: "combine", values: [true, false], meaning: "rows of a workgroup with one key come to the table as one" },
  ],
  limited: ["copy", "lookup8", "cas"],
  unfit: ({ ops }) => (ops.includes("upsert") ? "" : "has no upsert"),
  // Rows, and what they are told; keys, zeros and answers of groups.
  bytes: (of) => of.bytes(groupsOf(specOf(of.cell))) + 8 * of.cell.n + 12 * groupsOf(specOf(of.cell)),
  prepare,
});

async function prepare(of: CellTable, { gpu }: BenchContext, { id }: Operation): Promise<PreparedCell> {
  const { cell } = of;
  const ids = id === IDS;
  // No sum of less than 2^28 rows comes to EMPTY.
  const spec = { ...specOf(cell), columns: ids ? 0 : 1, bits: 4 };
  const groups = groupsOf(spec);
  const combine = cell.params.combine === true;
  const table = await of.create(gpu, { n: groups });
  of.checkFilled(groups, table);
  const prepared = new PreparedTable(of, gpu, table);
  const rows = await GroupedRows.make(gpu, spec);
  // Key number i is that of group i.
  const all = await GroupedRows.make(gpu, { ...spec, n: groups, groups, shape: "turns", columns: 0 });
  const answers = await gpu.alloc("what rows, or groups, are told", 4 * Math.max(rows.n, groups));
  const zeros = await gpu.alloc("zeros", ids ? 16 : 4 * groups);
  const upsert = async (run: RunSteps, keys: GPUBuffer, n: number, values = zeros) => {
    const how = ids ? ({ rule: "id", results: answers } as const) : ({ rule: "add", values } as const);
    const { ns, count } = await prepared.does("upsert")(run, { keys, n, combine, ...how });
    if (count > 0) throw new Error(`${count} of ${n} rows were refused`);
    return ns;
  };
  const present = Math.round(groups * Number(cell.params.present ?? 0));
  const reset = async () => {
    await table.clear();
    if (present > 0) await upsert(prepared.time, all.keys, present);
  };
  // Without rows that are combined first each goes to its key's place: most rows of ids find a number there.
  const one: Access = { pattern: ids ? "lookup8" : "cas", tableBytes: table.bytes };
  // Of uneven ones the caches serve some: no limit is known.
  const uneven = !combine && cell.params.shape === "zipf" && cell.params.skew !== 0;
  const sample = (run = prepared.time, n = rows.n) => upsert(run, rows.keys, n, rows.columns[0]);
  return {
    mutates: true,
    reset,
    sample: () => sample(),
    operations: rows.n,
    dataHash: rows.digest,
    access: uneven ? null : movedBytes(8 * rows.n, rows.n, combine ? undefined : one),
    async verify() {
      const told = ids ? await rows.wrongIds(answers, present) : "";
      if (told) return told;
      const { keys, n } = ids ? rows : all;
      await prepared.find({ keys, results: answers, n });
      return ids ? rows.wrongIds(answers, present) : rows.wrongSums(answers, present);
    },
    heldPerPair: () => prepared.heldPerPair(groups),
    metrics: async () => {
      await reset();
      return [exact("groups", groups), ...(await prepared.countSome(rows.n, sample))];
    },
  };
}
