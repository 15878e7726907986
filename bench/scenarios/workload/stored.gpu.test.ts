import { expect, test } from "vitest";
import { EMPTY } from "../../../kernels/common/steps.js";
import { scoped } from "../../../kernels/device/owned.js";
import type { Lookups } from "../../../kernels/table.js";
import { testGpu } from "../../device/testing.js";
import { loadKeys } from "./keys.js";
import { findStored } from "./stored.js";
import { deviceLookups, writeValues } from "./workload.js";

const gpu = testGpu();
const N = 1000;
const INSERTED = 900;
const SALT = 5;

/** What is said of a table that answers so, and says that it refused the pairs of two keys. */
async function saidOf(answer: (value: number, i: number) => number) {
  return scoped(gpu(), async (own) => {
    const data = await loadKeys(own, "random", N, 3);
    const values = await own.alloc("values", N * 4);
    await writeValues(own, data.keys, values, N, SALT);
    const words = (await own.read(values, N)).map(answer);
    const find = async ({ results }: Lookups) => own.write(results, 0, words);
    const { answers, wrong } = await findStored(own, data, { inserted: INSERTED, refused: 2, salt: SALT }, find);
    const options = { lookups: 3000, positiveRatio: 0.5, seed: 3, eachOnce: false };
    const lookups = await deviceLookups(own, data, options);
    const known = new Map([...(await own.read(data.keys, N))].map((key, i) => [key, words[i] ?? EMPTY]));
    const right = (await own.read(lookups.keys, lookups.n)).map((key) => known.get(key) ?? EMPTY);
    own.write(lookups.results, 0, right);
    const checked = [await lookups.check(SALT, answers), await lookups.check(SALT)];
    const at = right.findIndex((word) => word !== EMPTY);
    own.write(lookups.results, 4 * at, Uint32Array.of(EMPTY));
    checked.push(await lookups.check(SALT, answers));
    data.destroy();
    return { wrong, checked, at };
  });
}

const missing = (i: number) => i >= INSERTED || i === 7 || i === 11;

test("two pairs that are absent where two were refused are right, and so are lookups that do not find them", async () => {
  const { wrong, checked, at } = await saidOf((value, i) => (missing(i) ? EMPTY : value));
  expect(wrong).toBe("");
  expect(checked[0]).toBe("");
  // Without that knowledge they are wrong, and one more that is not found is wrong with it.
  expect(checked[1]).toMatch(/results are wrong/);
  expect(checked[2]).toMatch(new RegExp(`^1 of 3000 results are wrong, the first for query ${at} `));
});

test.each<[string, (value: number, i: number) => number, RegExp]>([
  [
    "a third pair is absent",
    (v, i) => (missing(i) || i === 20 ? EMPTY : v),
    /^3 of 900 pairs are missing, .* refused 2$/,
  ],
  ["no pair is absent", (v, i) => (i >= INSERTED ? EMPTY : v), /^0 of 900 pairs are missing/],
  ["a pair that was not inserted is there", (v, i) => (missing(i) && i !== 950 ? EMPTY : v), /^1 of .* number 950$/],
  ["the last key is there", (v, i) => (missing(i) && i !== N - 1 ? EMPTY : v), /^1 of .* number 999$/],
  ["a value is another one", (v, i) => (missing(i) ? EMPTY : v ^ Number(i === 30)), /^1 of 1000 keys .* number 30$/],
])("it is wrong if %s", async (_, answer, said) => {
  expect((await saidOf(answer)).wrong).toMatch(said);
});
