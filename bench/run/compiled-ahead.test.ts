import { expect, test, vi } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { KernelSource } from "../../kernels/device/gpu.js";
import { cell } from "../results/testing.js";
import { CompiledAhead } from "./compiled-ahead.js";

/** A compiler that is done with each kernel once it is let go; what it was asked for, and whether ahead. */
function compiler(gate = Promise.resolve()) {
  const fake = new FakeGpu();
  const asked: string[] = [];
  const kernel = async <const Takes extends string>(source: KernelSource<Takes>, ahead = false) => {
    asked.push(`${source.file}${ahead ? "" : " (waited for)"}`);
    await gate;
    return fake.kernel(source);
  };
  const files = () => [...new Set(asked.map((file) => file.replace(/.*kernels\//, "")))];
  return { info: fake.info, maxBinding: fake.maxBinding, kernel, asked, files };
}

const find = cell({
  bench: "table",
  table: "bucketed",
  op: "find",
  n: 1000,
  loadFactor: 0.5,
  positiveRatio: 1,
  params: {},
});
const insert = { ...find, op: "insert", positiveRatio: null };

test("what a cell's first run dispatches is asked for, and nobody waits for it", async () => {
  const own = compiler();
  const ahead = new CompiledAhead(own);
  ahead.begin([find]);
  await ahead.end();
  expect(own.files()).toEqual(expect.arrayContaining(["bucketed/insert.wgsl", "bucketed/find.wgsl"]));
  expect(own.asked.filter((one) => one.endsWith("(waited for)"))).toEqual([]);
});

test("cells with the same kernels are gone through once; sizes tell them apart where they are compiled in", async () => {
  const own = compiler();
  const ahead = new CompiledAhead(own);
  const large = { ...find, n: 2 ** 26 };
  ahead.begin([find, large]);
  await ahead.end();
  const { length } = own.asked;
  ahead.begin([
    { ...find, seed: 7 },
    { ...large, n: 2 ** 25 },
  ]);
  await ahead.end();
  expect(own.asked).toHaveLength(length);
  ahead.begin([{ ...find, n: 2000 }]);
  await ahead.end();
  expect(own.asked.length).toBeGreaterThan(length);
});

test("a cell that cannot be prepared, or does not end, does not keep others from being compiled", async () => {
  const own = compiler();
  const ahead = new CompiledAhead(own);
  const restarts = cell({ bench: "restarts", table: "cuckoo", op: "insert", n: 1000, loadFactor: null, params: {} });
  ahead.begin([{ ...find, params: { nonsense: 1 } }, { ...find, loadFactor: 7 }, restarts, insert]);
  await ahead.end();
  expect(own.files()).toContain("bucketed/insert.wgsl");
});

vi.mock("../../datasets/lineitem.js", async (original) => ({
  ...(await original<object>()),
  queryRows: () => {
    throw new Error("rows are made");
  },
}));
test("the rows of a query, which take seconds of the host, are not made for it", async () => {
  const own = compiler();
  const ahead = new CompiledAhead(own);
  const params = { query: "q18", plan: "local" };
  ahead.begin([{ ...find, bench: "group-by", table: "group-by", op: "group", n: 10_000_000, params }]);
  await ahead.end();
  expect(own.files()).toEqual(expect.arrayContaining(["group-by/local.wgsl", "group-by/compact.wgsl"]));
});

test("after its end nothing is begun, and nothing goes on", async () => {
  let open = (): void => undefined;
  const own = compiler(
    new Promise<void>((resolve) => {
      open = resolve;
    }),
  );
  const ahead = new CompiledAhead(own);
  const tables = ["bucketed", "quotient", "warpcore", "double-hashing", "cuckoo", "slab-hash", "stash", "dycuckoo"];
  ahead.begin(tables.map((table) => ({ ...insert, table })));
  let ended = false;
  const end = ahead.end().then(() => {
    ended = true;
  });
  await new Promise((goOn) => setTimeout(goOn, 5));
  expect([ended, ahead.busy]).toEqual([false, true]);
  open();
  await end;
  expect(ahead.busy).toBe(false);
  expect(own.files().some((file) => /^(stash|dycuckoo)\//.test(file))).toBe(false);
  expect(own.files()).toContain("bucketed/insert.wgsl");
});
