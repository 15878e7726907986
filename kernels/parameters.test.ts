import { expect, test } from "vitest";
import { createTable } from "./create.js";
import { configure } from "./define.js";
import { UsageError } from "./device/errors.js";
import { FakeGpu } from "./device/fake.js";
import { hostTable, hostTableIds } from "./host-memory.js";
import { ownTables, tableType } from "./index.js";
import { Traffic } from "./out-of-core/pcie.js";
import { parseValue, takes } from "./parameters.js";
import type { Params, TableType } from "./table.js";
import { altered } from "./testing.js";

const stash = tableType("stash");
const open = (type: TableType, params: Params, loadFactor = 0.4) =>
  createTable(type, new FakeGpu(), { n: 100, loadFactor, seed: 1, params, counting: false });

test("parameters that are not given have their defaults", () => {
  expect(configure(tableType("cuckoo"), { functions: 3 }).params).toEqual({
    functions: 3,
    earlyExit: true,
    largePrime: false,
    hash: "xor",
    workgroup: 256,
  });
});

test.each([
  ["stash", { tickt: 4 }, "stash has no parameter tickt; did you mean ticket? It has ticket, keyBytes, "],
  ["two-level", { ticket: 4 }, "two-level has no parameter ticket; it has none"],
  ["cuckoo", { earlyexit: false }, "did you mean earlyExit?"],
  ["stash", { board: "false" }, 'stash: board is "false"; it takes true, false'],
  ["stash", { ticket: 3 }, "stash: ticket is 3; it takes 1, 2, 4, 8"],
  ["clstash", { batches: 0.5 }, "batches is 0.5; it takes a whole number from 0 to 65536"],
  ["stash-hybrid", { threshold: 1.5 }, "threshold is 1.5; it takes by ticket, or a number from 0 to 1"],
  ["clstash", { threshold: 0.5 }, "clstash has no parameter threshold"],
  ["clstash", { batches: "8" }, 'batches is "8"'],
  ["stash", { ticket: 1, access: true }, "stash: ticket is 1; access needs 2 bits or more"],
  ["stash", { ticket: 2, access: true, passed: true }, "access and passed needs 3 bits or more"],
] as const)("%s with %o is refused, and no table is made", async (id, params, message) => {
  expect(() => configure(tableType(id), params)).toThrow(message);
  await expect(open(tableType(id), params)).rejects.toBeInstanceOf(UsageError);
});

test("a table gets all of its parameters, each resolved", async () => {
  let got: Params = {};
  const watched = altered(stash, ({ create }, params) => ({
    create(gpu, making) {
      got = params;
      return create(gpu, making);
    },
  }));
  await open(watched, { ticket: 4 });
  expect(got).toMatchObject({ ...stash.params, ticket: 4 });
});

test("a load factor that few functions do not reach is refused", async () => {
  await expect(open(tableType("cuckoo"), { functions: 2 }, 0.6)).rejects.toThrow(
    "cuckoo: load factor 0.6 is beyond its 0.476",
  );
  await expect(open(tableType("cuckoo"), { functions: 3 }, 0.6)).resolves.toBeDefined();
  await expect(open(tableType("two-level"), {}, 0.75)).rejects.toThrow("beyond its 0.71");
});

test("tables in host memory say so, with their defaults and with other parameters", () => {
  for (const id of hostTableIds) {
    const type = hostTable(id, new Traffic());
    if (!type) throw new Error(`${id} is not in host memory`);
    expect(type.hostMemory).toBe(true);
    const [first] = type.parameters;
    if (!first) throw new Error(`${id} has no parameters`);
    expect(configure(type, { [first.name]: first.default }).hostMemory).toBe(true);
  }
  expect(stash.hostMemory).toBeUndefined();
});

test("in host memory there are no parameters that would do nothing there", () => {
  const type = hostTable("stash", new Traffic());
  if (!type) throw new Error("stash is not in host memory");
  expect(() => configure(type, { access: true })).toThrow("has no parameter access");
  expect(() => configure(type, { ticket: 4, board: false })).not.toThrow();
});

test("parameters are in place of the table's, which keeps its others, and have to be allowed", () => {
  const preset = configure(stash, { ticket: 4 });
  expect(preset.params).toMatchObject({ ticket: 4, keyBytes: 4 });
  expect(configure(preset, { keyBytes: 8 }).params).toMatchObject({ ticket: 4, keyBytes: 8 });
  expect(configure(preset, { ticket: 8 }).params.ticket).toBe(8);
  expect(() => configure(stash, { ticket: 5 })).toThrow("ticket is 5");
});

const [ticket, board] = ["ticket", "board"].map((name) => stash.parameters.find((one) => one.name === name));
const threshold = tableType("stash-hybrid").parameters.find(({ name }) => name === "threshold");
test.each([
  [ticket, "4", 4],
  [ticket, "4.0", 4],
  [ticket, "3", undefined],
  [ticket, "", undefined],
  [board, "false", false],
  [board, "0", undefined],
  [threshold, "0.25", 0.25],
  [threshold, "by ticket", "by ticket"],
  [threshold, "2", undefined],
] as const)("%o is spelt %j", (parameter, text, value) => {
  if (!parameter) throw new Error("no such parameter");
  expect(parseValue(parameter, text)).toBe(value);
});

test("every table's defaults go with one another, and say what they take", () => {
  for (const type of ownTables) {
    expect(() => configure(type, type.params), type.id).not.toThrow();
    for (const parameter of type.parameters) expect(takes(parameter), `${type.id} ${parameter.name}`).not.toBe("");
  }
});

test("a table reuses slots always, never, or with parameters, as its defaults or its caller have them", () => {
  const bucketed = tableType("bucketed");
  expect([stash, tableType("cuckoo"), bucketed].map((type) => type.reusesSlots ?? false)).toEqual([true, false, false]);
  const reusing = configure(bucketed, { reuse: true });
  expect([reusing.reusesSlots, configure(reusing, { reuse: false }).reusesSlots]).toEqual([true, false]);
});
