import { join } from "node:path";
import { expect, test } from "vitest";
import { ownTables } from "../../kernels/index.js";
import { packageRoot } from "../base/paths.js";
import { readManifests } from "../native/manifest.js";
import { experiments } from "./index.js";
import { librarySeries, ORIGINALS } from "./originals.js";
import { CPU_LIBRARIES } from "./shared.js";
import { PROGRAMS } from "./work/group-by.js";

const folders = ["cuda", "cpu"].map((folder) => join(packageRoot, "kernels", "native", folder));
const manifests = new Map(folders.flatMap(readManifests).map((one) => [one.id, one]));

test("every series of a program has its manifest, and a library's takes its parameters: none, or other values than the defaults", () => {
  const series = librarySeries();
  const tables = [...series, ...PROGRAMS, ...CPU_LIBRARIES].map(({ table }) => table);
  expect(new Set(tables)).toEqual(new Set(manifests.keys()));
  for (const { table, variant, params = {} } of series) {
    const declared = manifests.get(table)?.parameters ?? [];
    for (const [name, value] of Object.entries(params)) {
      const found = declared.find((one) => one.name === name);
      expect(found && "values" in found && found.values, `${table} ${name}`).toContain(value);
      expect(found?.default, `${table} ${name}`).not.toBe(value);
    }
    expect(Object.keys(params).length > 0).toBe(variant !== undefined);
  }
});

test("ports and originals are tables", () => {
  const ours = ownTables.map(({ id }) => id);
  for (const [port, original] of Object.entries(ORIGINALS)) {
    expect(ours).toContain(port);
    expect([...manifests.keys()]).toContain(original);
  }
});

const ALL = librarySeries().map(({ table }) => table);

test.each([
  ["tables/load-factor", ALL],
  ["gph/fig9", ["warpcore-cuda", "cudpp-cuckoo", "dycuckoo-cuda"]],
  ["gph/fig10", ["warpcore-cuda", "cudpp-cuckoo", "dycuckoo-cuda"]],
  ["slab/fig4a", ["slabhash-cuda", "cudpp-cuckoo"]],
  ["slab/fig4b", ["slabhash-cuda", "cudpp-cuckoo"]],
  ["slab/fig5a", ["slabhash-cuda", "cudpp-cuckoo"]],
  ["slab/fig5b", ["slabhash-cuda", "cudpp-cuckoo"]],
  ["slab/fig6", ["slabhash-cuda"]],
  ["dycuckoo/fig9", ["dycuckoo-cuda", "cudpp-cuckoo", "slabhash-cuda", "warpdrive-cuda"]],
  ["dycuckoo/fig10", ["dycuckoo-cuda", "cudpp-cuckoo", "slabhash-cuda", "warpdrive-cuda"]],
  ["cuckoo/fig4.4-insert", ["cudpp-cuckoo"]],
])("%s has its originals, each with its defaults and with its fastest settings", (id, originals) => {
  const series = experiments.find((one) => one.id === id)?.series ?? [];
  for (const table of originals) {
    const own = series.filter((one) => one.table === table && one.only?.loaded);
    expect(new Set(own.map(({ variant }) => variant)), table).toEqual(new Set([undefined, "fastest"]));
  }
});
