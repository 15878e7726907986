/** What stands on warps: tested with several subgroup sizes. */
import { describe, expect, test } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import { checkCase } from "../../bench/verify/case.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesFor, casesNamed, testCases } from "../../bench/verify/testing.js";
import { mix32 } from "../common/random.js";
import { EMPTY } from "../common/steps.js";
import { clstash, stashHybrid } from "./stash.js";
import { inBanks, ofBanks, preset } from "./testing.js";

const gpu = testGpu();
/** With subgroups of 8 lanes only some: virtual warps and banks do not depend on subgroups, and wide pairs take longest to compile. */
const fewer = process.env.HASHBENCH_LANES === "8";

const configurations = [
  { of: clstash, params: { batches: 4, warp: "virtual" }, banks: 1 },
  { of: clstash, params: { keyBytes: 16, ticket: 1, access: false, rehash: true }, banks: 2 },
  { of: stashHybrid, params: { threshold: 0.3, ticket: 2, access: true }, banks: 4 },
];
describe.each(fewer ? configurations.slice(2) : configurations)("$of.id with $params", ({ of, params }) => {
  const type = preset(of, params);
  testCases(spared ? casesNamed(type, "random history", "operations race") : casesFor(type, "core"), gpu, type);
});

describe.each(fewer || spared ? [] : configurations.filter(({ banks }) => banks > 1))(
  "$of.id with $params in $banks banks",
  ({ of, params, banks }) => {
    const type = inBanks(preset(of, params), banks);
    testCases(ofBanks(casesFor(type, "core")), gpu, type);
  },
);

test.skipIf(fewer || spared)("wide pairs of which a word is EMPTY wait in the store as others do", async () => {
  // Word j of a record is mix32(word + j · 0x9e3779b9): of each of these another one is EMPTY.
  const MIXED_TO_EMPTY = 0x331da083;
  expect(mix32(MIXED_TO_EMPTY)).toBe(EMPTY);
  const special = Array.from({ length: 7 }, (_, i) => (MIXED_TO_EMPTY - Math.imul(i + 1, 0x9e3779b9)) >>> 0);
  // The last pairs of a full table: none gets a slot at once.
  const keys = [...Array.from({ length: 505 }, (_, i) => i), ...special];
  await Harness.on(gpu(), preset(clstash, { keyBytes: 16, valueBytes: 32 }), keys.length, 1, async (table) => {
    await table.insert(keys, keys);
    await table.find(keys);
  });
});

const history = casesNamed(clstash, "random history", "full table", "usual load factor");

const warps = fewer ? ["subgroups"] : ["subgroups", "virtual"];
test.each(warps.flatMap((warp) => history.map((one) => ({ warp, name: one.name, one }))))(
  "clstash with warps as wide as the adapter's, made of $warp: $name",
  async ({ warp, one }) => {
    // The same histories, and so the same answers, from both.
    const lanes = Math.min(32, gpu().info.subgroupMin);
    expect(lanes).toBeGreaterThan(0);
    await checkCase(one, gpu(), preset(clstash, { lanes, warp }));
  },
);
