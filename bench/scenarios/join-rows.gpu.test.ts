import { expect, test } from "vitest";
import { owned } from "../../kernels/device/owned.js";
import { makeJoin } from "../../kernels/join/join.js";
import { testGpu } from "../device/testing.js";
import { byName, cellOf, cellsOn, sampled } from "./testing.js";
import { GroupedRows } from "./workload/grouped.js";
import { wrongJoin } from "./workload/joined.js";

const gpu = testGpu();
const { prepare } = cellsOn(gpu);
const N = 4000;
const params = { repeats: 4, probeRatio: 0.375, present: 0.5 };
const cell = cellOf({
  bench: "join-rows",
  table: "join-index",
  op: "inner",
  dataset: "",
  n: N,
  loadFactor: null,
  params,
});

test.each(["inner", "left", "semi", "anti"])("%s joins, and the results are right", async (op) => {
  const prepared = await prepare({ ...cell, op });
  await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
  const { results = 0, build_time: build = 0 } = byName(await prepared.metrics(1));
  expect(prepared.access?.tableBytes).toBe((4 * (N + 1500) + (/semi|anti/.test(op) ? 4 : 8) * results) / 2);
  expect(prepared.access?.beside).toMatchObject({ pattern: "read8", times: 1500 / prepared.operations });
  expect(build).toBeGreaterThan(0);
  expect(results).toBeGreaterThan(op === "inner" ? 2500 : 500);
  expect(results).toBeLessThan(op === "left" || op === "inner" ? 5000 : 1000);
});

test.each(["inner", "semi", "anti"])("%s joins by chains, and the results are right", async (op) => {
  const prepared = await prepare({ ...cell, table: "join-chains", op });
  await sampled(prepared, 2);
  expect(await prepared.verify()).toBe("");
  expect(byName(await prepared.metrics(1)).results).toBeGreaterThan(op === "inner" ? 2500 : 500);
});

test("results of other rows, and one less or twice, are seen", async () => {
  const made = await owned(gpu(), async (own) => {
    const usual = { skew: 0, columns: 0, seed: 1 };
    const build = await GroupedRows.make(own, { ...usual, n: N, groups: 1000, shape: "turns" });
    const probe = await GroupedRows.make(own, { ...usual, n: 1000, groups: 2000, shape: "even" });
    const join = await makeJoin(own, { kind: "inner" });
    return { joined: await join.run((...pass) => gpu().time(...pass), build, probe), own, build, probe };
  });
  const { joined, own, build, probe } = made;
  const wrong = (change = {}) => wrongJoin(own, { build, probe, numbers: 2000 }, { ...joined, ...change }, "inner");
  expect(await wrong()).toBe("");
  expect(await wrong({ results: joined.results - 1 })).toBe(
    "1 rows of the probe side are in too many or too few results",
  );
  const { rows } = joined;
  if (!rows.build) throw new Error("an inner join has rows of both sides");
  const [first = 0, second = 0] = await gpu().read(rows.build, 2);
  gpu().write(rows.build, 0, Uint32Array.of(second));
  expect(await wrong()).toBe("2 rows of the build side are in too many or too few results");
  gpu().write(rows.build, 0, Uint32Array.of((first + 1) % N));
  expect(await wrong()).toMatch(/^1 of \d+ results are of no rows that belong together/);
  made.destroy();
});
