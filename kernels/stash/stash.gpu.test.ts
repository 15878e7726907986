import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/gpu/testing.js";
import { checkCase } from "../../bench/verify/case.js";
import { casesFor } from "../../bench/verify/cases.js";
import { Harness } from "../../bench/verify/harness.js";
import { caseNamed, casesNamed, testCases } from "../../bench/verify/testing.js";
import { MIXED_KINDS, type Params, type TableType } from "../table.js";
import { stash } from "./stash.js";
import { inBanks, preset } from "./testing.js";

const gpu = testGpu();

interface Configuration {
  readonly params: Params;
  /** Bytes of a bank at most. Default: as many as the device binds. */
  readonly bank?: number;
}

const typeOf = ({ params, bank }: Configuration): TableType => {
  const type = preset(stash, params);
  return bank === undefined ? type : inBanks(type, bank);
};

/** Every kernel of the folder is compiled in each of these. */
const configurations: readonly Configuration[] = [
  { params: { ticket: 1 } },
  { params: { ticket: 2, access: true } },
  { params: { ticket: 4, keyBytes: 8, valueBytes: 8 }, bank: 2 ** 18 },
  { params: { keyBytes: 16, valueBytes: 64, access: true, passed: true } },
];

describe.each(configurations)("stash with $params in banks of $bank bytes", (configuration) => {
  const type = typeOf(configuration);
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
const sizes = [8, 16, 32, 64].flatMap((bytes): Configuration[] => [
  { params: { keyBytes: bytes } },
  { params: { valueBytes: bytes } },
  { params: { keyBytes: bytes, valueBytes: bytes, ticket: 2 }, bank: 2 ** 15 * bytes },
]);
const narrow = [{ ticket: 2 }, { ticket: 4 }, { ticket: 8, access: true }].map((params) => ({ params }));

test.each<Configuration>([...narrow, ...sizes])(
  "stash with $params in banks of $bank bytes takes many pairs",
  async (one) => {
    await checkCase(usual, gpu(), typeOf(one));
  },
);

const history = casesNamed(stash, "random history", "full table", "usual load factor");

test.each(history)("stash with small tickets that have a passed bit: $name", async (one) => {
  await checkCase(one, gpu(), preset(stash, { ticket: 2, passed: true }));
});
