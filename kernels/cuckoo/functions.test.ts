import { expect, test } from "vitest";
import { linkKernel } from "../../bench/device/link.js";
import { addPackageKernels } from "../../bench/device/sources.js";
import { MAX_ATTEMPTS } from "../common/bulk.js";
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { DoesNotFit } from "../device/errors.js";
import { FakeGpu } from "../device/fake.js";
import type { KernelSource } from "../device/gpu.js";
import { cuckoo, layoutOf, parameters, slotsFor } from "./cuckoo.js";
import { drawFunctions, hashConditions, primeOf } from "./functions.js";

const CHAPTERS = 334214459;

test("no attempt has a function of another attempt", () => {
  const attempts = Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => drawFunctions(7, attempt));
  const functions = attempts.flat().map((words) => words.join());
  expect(new Set(functions).size).toBe(5 * MAX_ATTEMPTS);
});

test.each([
  [1, CHAPTERS],
  [CHAPTERS - 1, CHAPTERS],
  [CHAPTERS, 2 ** 32 - 5],
  [2 ** 32 - 6, 2 ** 32 - 5],
])("functions of %i slots are modulo %i, on the device too", async (slots, prime) => {
  addPackageKernels();
  expect(primeOf(slots)).toBe(prime);
  expect(layoutOf({ n: slots / 2, loadFactor: 0.5 }, parameters.of()).slots).toBe(slots);
  for (const name of ["find", "insert", "insert-slice", "set", "host-find", "host-insert"]) {
    const source = { file: `kernels/cuckoo/${name}.wgsl`, conditions: { PAIR: true, ...hashConditions(slots) } };
    const { dest } = await linkKernel(source);
    expect(/const P = (\d+)u;/.exec(dest)?.[1], name).toBe(`${prime}`);
  }
});

/** Which primes the kernels were asked for with. */
class Asking extends FakeGpu {
  readonly large = new Set<unknown>();
  override kernel<const Takes extends string>(source: KernelSource<Takes>) {
    if (source.conditions && "LARGE_PRIME" in source.conditions) this.large.add(source.conditions.LARGE_PRIME);
    return super.kernel(source);
  }
}

test.each([false, true])(
  "with largePrime=%s all kernels of a table have one prime, whatever its slots",
  async (largePrime) => {
    const gpu = new Asking();
    const type = configure(cuckoo, { largePrime });
    const table = await createTable(type, gpu, { n: 1000, loadFactor: 0.5, seed: 1, counting: false });
    await table.recordable?.();
    expect([...gpu.large]).toEqual([largePrime]);
    expect(hashConditions(2000, { largePrime })).toMatchObject({ LARGE_PRIME: largePrime });
  },
);

test("modulo the large prime there is one slot more where a class of keys would have few slots", () => {
  const slots = (n: number, loadFactor: number, largePrime: boolean) => slotsFor(n, loadFactor, { largePrime });
  expect(slots(65536, 0.5, true)).toBe(131073);
  expect(slots(4096, 0.8, true)).toBe(5121);
  expect(slots(15 * 64, 1, true)).toBe(15 * 64 + 1);
  expect(slots(17 * 64, 1, true)).toBe(17 * 64);
  expect([1, 3, 15].map((odd) => slots(odd, 1, true))).toEqual([1, 3, 15]);
  expect(slots(1e8, 0.5, true)).toBe(2e8);
  // The chapter's prime mixes these bits, and reaches no more slots than it is.
  expect(slots(65536, 0.5, false)).toBe(131072);
  expect(slots(2 ** 28, 0.8, false)).toBe(5 * 2 ** 26 + 1);
});

test("slots that no function reaches do not fit", () => {
  const of = (slots: number) => () => layoutOf({ n: slots / 2, loadFactor: 0.5 }, parameters.of());
  expect(of(2 ** 32 - 5)).toThrow(DoesNotFit);
  expect(of(2 ** 32 - 5)).toThrow("4294967291 slots");
});
