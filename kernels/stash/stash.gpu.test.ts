import { describe, expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { checkCase } from "../../bench/verify/case.js";
import { Harness } from "../../bench/verify/harness.js";
import { caseNamed, casesFor, casesNamed, testCases } from "../../bench/verify/testing.js";
import { MIXED_KINDS, type Params, type TableType } from "../table.js";
import { stash } from "./stash.js";
import { inBanks, ofBanks, preset } from "./testing.js";

const gpu = testGpu();

interface Configuration {
  readonly params: Params;
  readonly banks: number;
}

const typeOf = ({ params, banks }: Configuration): TableType => inBanks(preset(stash, params), banks);

/** Every kernel of the folder is compiled in each of these. */
const configurations: readonly Configuration[] = [
  { params: { ticket: 1 }, banks: 1 },
  { params: { ticket: 2, access: true }, banks: 3 },
  { params: { ticket: 4, keyBytes: 8, valueBytes: 8 }, banks: 2 },
  { params: { keyBytes: 16, valueBytes: 64, access: true, passed: true }, banks: 1 },
  // More than these a mixed slice cannot bind where 16 storage buffers can be, as on an NVIDIA GPU.
  { params: { valueBytes: 8, access: true }, banks: 9 },
];

describe.each(configurations)("stash with $params", ({ params }) => {
  const type = preset(stash, params);
  testCases(casesFor(type, "core"), gpu, type);
});

describe.each(configurations.filter(({ banks }) => banks > 1))(
  "stash with $params in $banks banks",
  (configuration) => {
    const type = typeOf(configuration);
    testCases(ofBanks(casesFor(type, "core")), gpu, type);
  },
);

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

test("erasures of a mixed batch are refused where tickets have no access bit", async () => {
  const [insert, erase] = [MIXED_KINDS.insert, MIXED_KINDS.erase];
  const keys = Uint32Array.from({ length: 512 }, (_, i) => i % 2);
  const kinds = Uint32Array.from(keys, (_, i) => (i % 4 < 2 ? insert : erase));
  await Harness.on(gpu(), stash, keys.length, 0.8, async (table) => {
    const slices = [{ first: 0, count: keys.length }];
    await expect(table.mixed({ kinds, keys, values: keys, slices })).rejects.toThrow(
      "stash: 256 erasures of a mixed batch were left out: they take tickets with an access bit (access: true)",
    );
  });
});

const usual = caseNamed(stash, "many pairs at the usual load factor");
const sizes: readonly Configuration[] = [
  ...[8, 16, 32, 64].map((bytes) => ({ params: { keyBytes: bytes, valueBytes: bytes, ticket: 2 }, banks: 3 })),
  { params: { keyBytes: 32 }, banks: 1 },
  { params: { valueBytes: 16 }, banks: 1 },
];
const narrow = [{ ticket: 2 }, { ticket: 4 }, { ticket: 8, access: true }].map((params) => ({ params, banks: 1 }));

test.each<Configuration>([...narrow, ...sizes])("stash with $params in $banks banks takes many pairs", async (one) => {
  await checkCase(usual, gpu(), typeOf(one));
});

const history = casesNamed(stash, "random history", "full table", "usual load factor");

test.each(history)("stash with small tickets that have a passed bit: $name", async (one) => {
  await checkCase(one, gpu(), preset(stash, { ticket: 2, passed: true }));
});
