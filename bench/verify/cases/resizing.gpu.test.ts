/** The case finds tables that resize themselves wrongly. */

import { expect, test } from "vitest";
import { configure } from "../../../kernels/define.js";
import { dycuckoo } from "../../../kernels/dycuckoo/dycuckoo.js";
import { megakv } from "../../../kernels/dycuckoo/megakv.js";
import type { Filling, GpuTable, Params, TableType } from "../../../kernels/table.js";
import { altered } from "../../../kernels/testing.js";
import { testGpu } from "../../device/testing.js";
import { Mismatch } from "../bulk.js";
import { caseNamed } from "../testing.js";

const gpu = testGpu();
const historyOf = (type: TableType, round = 0) =>
  caseNamed(type, "operations over many resizes").check(gpu(), type, round, () => {});

/** DyCuckoo, of which some methods are others. */
const faulty = (change: (table: GpuTable) => Partial<GpuTable>): TableType =>
  altered(dycuckoo, ({ create }) => ({
    async create(own, options) {
      const table = await create(own, options);
      const changed = Object.entries(change(table)).map(([name, value]) => [name, { value }]);
      return Object.create(table, Object.fromEntries(changed));
    },
  }));

/** One that says something else of how full it is. */
const saying = (change: (filling: Filling) => Filling): TableType =>
  faulty(({ resizable }) => {
    if (!resizable) throw new Error("a table that cannot be resized");
    return {
      resizable: {
        filling: () => change(resizable.filling()),
        stays: (erased) => resizable.stays(erased),
        resize: (...how) => resizable.resize(...how),
      },
    };
  });

/** One that keeps to another parameter than it was given. */
const heeding = (params: Params): TableType =>
  altered(dycuckoo, (_, given) => ({
    create: (own, making) => configure(dycuckoo, { ...given, ...params }).create(own, making),
  }));

test.each([dycuckoo, megakv])("$id is right in several rounds", async (type) => {
  for (let round = 1; round <= 2; round++) await historyOf(type, round);
});

test("a key that an insertion loses as the table grows is missed", async () => {
  const losing = faulty((table) => ({
    async insert(run, pairs) {
      const result = await table.insert(run, pairs);
      if (result.resizing?.upsizes) await table.erase?.(run, { keys: pairs.keys, n: 1 });
      return result;
    },
  }));
  await expect(historyOf(losing)).rejects.toThrow(Mismatch);
});

test("a table that does not shrink is found out", async () => {
  await expect(historyOf(heeding({ alpha: 0 }))).rejects.toThrow(/^filled to 0\.\d+, not from 0\.3 to 0\.85$/);
});

test("a table that is fuller than it should be is found out", async () => {
  await expect(historyOf(heeding({ beta: 0.95 }))).rejects.toThrow(/^filled to 0\.[89]\d+, not from 0\.3 to 0\.85$/);
});

test("a wrong number of pairs, and sub-tables of very different sizes, are noticed", async () => {
  const miscounting = saying((filling) => ({ ...filling, pairs: filling.pairs + 1 }));
  await expect(historyOf(miscounting)).rejects.toThrow(/^1 pairs, where there should be 0$/);
  const lopsided = saying((filling) => {
    const [one, ...others] = filling.subTables;
    return { ...filling, subTables: one ? [{ ...one, slots: 5 * one.slots }, ...others] : others };
  });
  await expect(historyOf(lopsided)).rejects.toThrow(/more than twice as large/);
});
