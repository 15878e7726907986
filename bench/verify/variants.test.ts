import { expect, test } from "vitest";
import { conflictOf } from "../../kernels/define.js";
import { hostTableIds } from "../../kernels/host-memory.js";
import { ownTables, tableType } from "../../kernels/index.js";
import { expand } from "../experiments/expand.js";
import { experiments } from "../experiments/index.js";
import { checkParameters } from "../scenarios/index.js";
import { casesOf } from "./plan.js";
import { chosenFor, covering, hasDefaults, nameOf, typeFor, type Variant, variantsOf } from "./variants.js";

const all = variantsOf(ownTables, experiments, false);
const names = new Set(all.map(nameOf));
const sizes = new Set(
  ownTables.flatMap(({ id, parameters }) => parameters.filter(({ size }) => size).map(({ name }) => `${id} ${name}`)),
);

/** The name of a cell's variant, without the parameters that are sizes. */
function nameWithoutSizes(table: string, host: boolean, params: Variant["params"]): string {
  const { params: defaults } = typeFor({ table, host });
  const own = Object.entries(defaults)
    .filter(([name, value]) => !sizes.has(`${table} ${name}`) && (params[name] ?? value) !== value)
    .map(([name]) => [name, params[name] ?? 0] as const);
  return nameOf({ table, host, params: Object.fromEntries(own) });
}

test("every combination of parameters with which an experiment times a table is a variant", () => {
  const withoutSizes = new Set(all.map(({ table, host, params }) => nameWithoutSizes(table, host, params)));
  let timed = 0;
  for (const experiment of experiments) {
    for (const cell of expand(experiment, { scale: 1, quick: false, seed: 1 })) {
      const own = checkParameters(cell);
      if (!own) continue;
      timed += 1;
      const name = nameWithoutSizes(own.id, cell.bench.startsWith("host"), own.params);
      expect(withoutSizes, `${experiment.id}: ${name}`).toContain(name);
    }
  }
  expect(timed).toBeGreaterThan(3000);
});

test("every table has its defaults, and every value of a list that goes with them", () => {
  for (const { id, parameters } of ownTables) {
    expect(names).toContain(id);
    for (const one of parameters) {
      if (!("values" in one)) continue;
      for (const value of one.values) {
        if (value === one.default || conflictOf(tableType(id), { [one.name]: value })) continue;
        expect(names).toContain(`${id} ${one.name}=${value}`);
      }
    }
  }
});

test.each([
  "bucketed partitioned=true",
  "quotient partitioned=true",
  "slab-hash tile=32",
  "slab-hash tile=8",
  "slab-hash tile=4",
  "slab-hash tile=1",
  "slab-hash allocator=slab-alloc",
  "dycuckoo regionKiB=32768",
  "dycuckoo resize=true alpha=0.2 locks=true swap=true tile=32",
  "dycuckoo swap=true bucketSlots=16 pairs=beside",
  "megakv tile=32",
  "slab-hash tile=32 overwrite=true",
  "slab-hash tile=32 queries=4 superBlocks=32",
  "warpdrive read=word",
  "clstash ticket=4",
  "gph index=workgroup",
  "gph cells=7864320 index=workgroup routing=before refusals=true",
  "gph R=16 M=8 bucketsPerCell=4.8 refusals=true",
  "stash ticket=1 keyBytes=8 valueBytes=8 in host memory",
])("%s is one of them", (name) => {
  expect(names).toContain(name);
});

test("each variant stands once, is allowed, and says which experiments time it", () => {
  expect(names.size).toBe(all.length);
  const of = (name: string) => all.find((one) => nameOf(one) === name)?.timedBy ?? [];
  expect(of("bucketed partitioned=true")).toEqual(["limit/build"]);
  expect(of("gph warp=virtual")).toEqual([]);
});

test("of a parameter that gives the size the least and the greatest value are left", () => {
  const buckets = all.filter(({ table, params }) => table === "misra" && "buckets" in params);
  expect(buckets.map(({ params }) => params.buckets).sort()).toEqual([16384, 4194304]);
});

test("sizes that experiments have for software adapters alone are variants there alone", () => {
  const least = (some: readonly Variant[]) =>
    Math.min(
      ...some.flatMap(({ table, params }) => (table === "slab-hash" && params.buckets ? [Number(params.buckets)] : [])),
    );
  expect(least(all)).toBe(2 ** 13);
  expect(least(variantsOf(ownTables, experiments, true))).toBe(16);
});

test("a covering set has every value of every parameter, in fewer variants", () => {
  const valuesOf = (some: readonly Variant[]) =>
    new Set(some.flatMap(({ table, host, params }) => Object.entries(params).map((one) => `${table} ${host} ${one}`)));
  const few = covering(all);
  expect(valuesOf(few)).toEqual(valuesOf(all));
  expect(few.length).toBeLessThan(all.length / 2);
});

test("a GPU verifies every variant but for tables in host memory, a software adapter and these a covering set; all have the defaults", () => {
  const [onGpu, onSoftware] = [chosenFor(all, false), chosenFor(all, true)];
  expect(onGpu.filter(({ host }) => !host)).toEqual(all.filter(({ host }) => !host));
  const values = (some: readonly Variant[]) =>
    new Set(some.flatMap(({ params }) => Object.entries(params).map(String)));
  for (const chosen of [onGpu, onSoftware]) {
    expect(values(chosen)).toEqual(values(all));
    expect(chosen.filter(hasDefaults).length).toBe(ownTables.length + hostTableIds.length);
  }
  expect(onSoftware.length).toBeLessThan(onGpu.length);
});

const cases = (name: string, software: boolean, asked = false) => {
  const variant = all.find((one) => nameOf(one) === name);
  if (!variant) throw new Error(`no variant ${name}`);
  return casesOf(variant, { software, asked, experiments })
    .filter(({ inapplicable }) => !inapplicable)
    .map((one) => one.case);
};

test("defaults, and what is asked for, get all cases; other variants the core on software adapters, and on a GPU all but long ones", () => {
  const whole = cases("quotient", true);
  expect(whole).toContain("one pair");
  expect(whole).toContain("a hundred million pairs");
  expect(cases("quotient partitioned=true", true, true)).toEqual(expect.arrayContaining(whole));
  expect(cases("quotient partitioned=true", true)).not.toContain("one pair");
  const onGpu = cases("quotient partitioned=true", false);
  expect(onGpu).toContain("one pair");
  expect(onGpu).toContain("a hundred million pairs");
  expect(onGpu).not.toContain("a random history of a million keys");
});

test("10^8 pairs are for variants that are timed at such sizes", () => {
  expect(cases("gph refusals=true", false)).toContain("a hundred million pairs");
  expect(cases("gph warp=virtual", false)).not.toContain("a hundred million pairs");
});

test("what the sizes of a table depend on is verified beyond each of them", () => {
  const third = "pairs beyond the third number from which on it works in another way";
  expect(cases("quotient partitioned=true", true)).toContain(third);
  expect(cases("quotient", true)).not.toContain(third);
  expect(cases("quotient", true).filter((name) => name.startsWith("pairs beyond"))).toHaveLength(2);
});
