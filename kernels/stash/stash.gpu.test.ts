import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import { checkCase } from "../../bench/verify/case.js";
import { casesFor } from "../../bench/verify/cases.js";
import { Harness } from "../../bench/verify/harness.js";
import { caseNamed, casesNamed, testCases } from "../../bench/verify/testing.js";
import type { Scalar } from "../table.js";
import { MIXED_KINDS } from "../table.js";
import { stash } from "./stash.js";
import { preset } from "./testing.js";

const gpu = testGpu();

/** Every kernel of the folder is compiled in each of these. */
const configurations: readonly Readonly<Record<string, Scalar>>[] = [
  { ticket: 1 },
  { ticket: 2, access: true },
  { ticket: 4, keyBytes: 8, valueBytes: 8, bankBytes: 2 ** 18 },
  { keyBytes: 16, valueBytes: 64, access: true, passed: true },
];

describe.each(configurations)("stash with %o", (params) => {
  const type = preset(stash, params);
  testCases(casesFor(type, "core"), gpu, type);
});

test("a mixed batch without the access bit finds keys beyond erased ones", async () => {
  const keys = Uint32Array.from({ length: 950 }, (_, i) => i);
  const kept = keys.slice(475);
  await Harness.on(gpu(), stash, keys.length, 0.95, async (table) => {
    await table.insert([...keys], [...keys]);
    await table.erase([...keys.slice(0, 475)]);
    const slices = [{ first: 0, count: kept.length }];
    const answers = await table.mixed({ kinds: kept.map(() => MIXED_KINDS.find), keys: kept, values: kept, slices });
    expect(answers).toEqual(kept);
  });
});

const usual = caseNamed(stash, "many pairs at the usual load factor");
const sizes = [8, 16, 32, 64].flatMap((bytes) => [
  { keyBytes: bytes },
  { valueBytes: bytes },
  { keyBytes: bytes, valueBytes: bytes, bankBytes: 2 ** 21, ticket: 2 },
]);

test.each([{ ticket: 2 }, { ticket: 4 }, { ticket: 8, access: true }, ...sizes])(
  "stash with %o takes many pairs",
  async (params) => {
    await checkCase(usual, gpu(), preset(stash, params));
  },
);

const history = casesNamed(stash, "random history", "full table", "usual load factor");

test.each(history)("stash with small tickets that have a passed bit: $name", async (one) => {
  await checkCase(one, gpu(), preset(stash, { ticket: 2, passed: true }));
});
