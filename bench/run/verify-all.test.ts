import { expect, test } from "vitest";
import { ONE_ROUND } from "../verify/case.js";
import type { Planned } from "../verify/plan.js";
import type { Variant } from "../verify/variants.js";
import type { Pool } from "./pool.js";
import { noResult } from "./reporter.js";
import { type VariantPlan, verifyAll } from "./verify-all.js";

const variant = (table: string): Variant => ({ table, host: false, params: {}, timedBy: [] });

const planned = (name: string, more: Partial<Planned> = {}): Planned => ({
  case: name,
  inapplicable: "",
  long: false,
  large: false,
  ...more,
});

/** A worker that notes the cases of each request, and ends it when it is told to. */
function pools(count: number) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const check: Pool["check"] = async (checks, onResult) => {
    begun.push(checks.map(({ table, name }) => `${table} ${name}`).join(", "));
    await new Promise<void>((resolve) => ends.push(resolve));
    for (const index of checks.keys()) await onResult(index, noResult("ok", ""));
  };
  const renew = () => void begun.push("new worker");
  return { begun, ends, all: Array.from({ length: count }, () => ({ check, renew })) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const plans: readonly VariantPlan[] = [
  { variant: variant("a"), cases: [planned("one"), planned("large", { large: true })] },
  { variant: variant("b"), cases: [planned("one"), planned("two"), planned("million", { long: true })] },
  { variant: variant("c"), cases: [planned("one"), planned("no", { inapplicable: "has none", long: true })] },
];

test("long cases begin first, by themselves, then large ones, then the variants with the most cases", async () => {
  const { begun, ends, all } = pools(1);
  const ended: string[] = [];
  const done = verifyAll(all, plans, ONE_ROUND, ({ table }, results, last) => {
    ended.push(`${table} ${results.map((one) => `${one.case} ${one.status}`)}${last ? ", last" : ""}`);
  });
  for (let i = 0; i < 5; i++) {
    await turn();
    ends[i]?.();
  }
  await done;
  expect(begun).toEqual(["b million", "a large", "b one, b two", "a one", "c one"]);
  expect(ended).toEqual([
    "b million ok",
    "a large ok",
    "b one ok,two ok, last",
    "a one ok, last",
    "c no inapplicable,one ok, last",
  ]);
});

test("variants in host memory begin before all others, long and large cases too", async () => {
  const host = { variant: { ...variant("h"), host: true }, cases: [planned("one")] };
  const [long, large] = [planned("million", { long: true }), planned("large", { large: true })];
  const more = { variant: variant("a"), cases: [planned("one"), planned("two"), long, large] };
  const { begun, ends, all } = pools(1);
  const done = verifyAll(all, [more, host], ONE_ROUND, () => {});
  for (let i = 0; i < 4; i++) {
    await turn();
    ends[i]?.();
  }
  await done;
  expect(begun).toEqual(["h one", "a million", "a large", "a one, a two"]);
});

test("a third of the workers verify tables in host memory, and the others go on beside them", async () => {
  const plan = (table: string, host: boolean) => ({ variant: { ...variant(table), host }, cases: [planned("one")] });
  const hosts = ["h", "i", "j", "k"].map((table) => plan(table, true));
  const others = ["a", "b", "c", "d", "e", "f", "g"].map((table) => plan(table, false));
  const { begun, ends, all } = pools(9);
  const done = verifyAll(all, [...others, ...hosts], ONE_ROUND, () => {});
  await turn();
  expect(begun.map((one) => one[0]).join("")).toBe("hijabcdef");
  // The first of them makes room for the next, and not one of the others.
  ends[3]?.();
  await turn();
  expect(begun.at(-1)).toBe("g one");
  ends[0]?.();
  await turn();
  expect(begun.at(-1)).toBe("k one");
  for (const end of ends) end();
  await done;
});

test("where a worker lasts for so many variants only, the next one gets a new one", async () => {
  const { begun, ends, all } = pools(1);
  const three = ["a", "b", "c"].map((table) => ({ variant: variant(table), cases: [planned("one")] }));
  const done = verifyAll(all, three, ONE_ROUND, () => {}, 2);
  for (let i = 0; i < 3; i++) {
    await turn();
    ends[i]?.();
  }
  await done;
  expect(begun).toEqual(["a one", "b one", "new worker", "c one"]);
});

test("two large cases run at a time, and others beside them", async () => {
  const large = ["a", "b", "c"].map((table) => ({ variant: variant(table), cases: [planned("L", { large: true })] }));
  const { begun, ends, all } = pools(4);
  const done = verifyAll(all, [...large, { variant: variant("d"), cases: [planned("one")] }], ONE_ROUND, () => {});
  await turn();
  expect(begun).toEqual(["a L", "b L", "d one"]);
  ends[0]?.();
  await turn();
  expect(begun).toEqual(["a L", "b L", "d one", "c L"]);
  for (const end of ends) end();
  await turn();
  for (const end of ends) end();
  await done;
});
