import { expect, test } from "vitest";
import { freedAfterTest, spared, testGpu, withEdits } from "../../bench/device/testing.js";
import { mix32 } from "../common/random.js";
import type { Gpu } from "../device/gpu.js";
import { owned } from "../device/owned.js";
import { type GroupByOptions, makeGroupBy } from "./group-by.js";
import type { Aggregate, GroupWord } from "./layout.js";
import { PLANS, type Plan } from "./plan.js";
import { makeSampling, SEED } from "./sampling.js";

const gpu = testGpu();
const { upload } = freedAfterTest(gpu);
const SMALL = { lanes: 64, slots: 64, turns: 2, workgroups: 8 };
/** All words that a group can have. */
const ALL: readonly Aggregate[] = ["sum64", "min", "max", "count"];

/** The word of a group with these values, by column. */
function expectedWord({ of, column }: GroupWord, rows: readonly (readonly number[])[]): number {
  const values = rows.map((row) => row[column] ?? 0);
  const sum = values.reduce((all, value) => all + BigInt(value), 0n);
  if (of === "count") return rows.length;
  if (of === "min") return Math.min(...values);
  if (of === "max") return Math.max(...values);
  return Number((of === "upper" ? sum >> 32n : sum) & 0xffffffffn);
}

/** Groups the rows, twice with the same buffers, and says what is wrong with the answer; "" if nothing is. */
async function wrongOf(
  keys: Uint32Array,
  options: GroupByOptions,
  on: Gpu = gpu(),
  restarts = 0,
  again = 0,
): Promise<string> {
  const { columns = 1 } = options;
  const values = Array.from({ length: columns }, (_, c) => Uint32Array.from(keys, (_, i) => mix32(4 * i + c)));
  const rows = { keys: await upload(keys), columns: await Promise.all(values.map(upload)), n: keys.length };
  const groups = new Map<number, number[][]>();
  for (const [i, key] of keys.entries()) {
    const own = groups.get(key) ?? [];
    own.push(values.map((column) => column[i] ?? 0));
    groups.set(key, own);
  }
  const made = await owned(on, async (own) => ({ by: await makeGroupBy(own, options) }));
  try {
    const first = await made.by.run((...pass) => on.time(...pass), rows);
    expect(first.restarts).toBe(restarts);
    const answer = await made.by.run((...pass) => on.time(...pass), rows);
    if (options.plan) expect(answer.plan).toBe(options.plan);
    expect(answer.restarts).toBe(again);
    if (answer.groups !== groups.size) return `${answer.groups} groups of ${groups.size}`;
    const found = await on.read(answer.keys, answer.groups);
    if (new Set(found).size < found.length) return "a group is there twice";
    for (const [w, word] of made.by.words.entries()) {
      const got = await on.read(answer.answers, answer.groups, w * answer.room);
      for (const [g, key] of found.entries()) {
        const right = expectedWord(word, groups.get(key) ?? []);
        if (got[g] !== right) return `${word.of} of key ${key} is ${got[g]}, not ${right}`;
      }
    }
    return "";
  } finally {
    made.destroy();
  }
}

const drawn = (n: number, groups: number) => Uint32Array.from({ length: n }, (_, i) => mix32(mix32(i) % groups));
/** Half of the rows have one key; the reserved words are keys as others. */
const hot = Uint32Array.from(drawn(5001, 3000), (key, i) => (i % 2 ? 0xffffffff : i % 7 ? key : 0xfffffffe));

/** On SwiftShader without sorts, which its own file has there. */
const TESTED = PLANS.filter((plan) => !(spared && plan === "sort"));
const PLANNED = TESTED.flatMap((plan) => [
  { plan, rows: "4 groups", keys: drawn(4099, 4) },
  { plan, rows: "900 groups", keys: drawn(4097, 900) },
  { plan, rows: "one hot key", keys: hot },
  { plan, rows: "a row", keys: Uint32Array.of(5) },
]);
/** Each plan's text is the same for all rows: SwiftShader has those of which many meet at one group. */
const HERE = PLANNED.filter(({ rows }) => !spared || rows === "one hot key");
test.each(HERE)("$plan of $rows is exact", async ({ plan, keys }) => {
  expect(await wrongOf(keys, { ...SMALL, plan, aggregates: ["sum"] })).toBe("");
});

// On SwiftShader not all: each is a text of its own.
const WIDE = spared ? (["global"] as const) : PLANS;
/** Columns, of most plans as many as there can be. */
const FEWER: Partial<Record<Plan, number>> = { partition: 1, sort: 1 };
test.each(WIDE)("%s has sums of 64 bits, minima, maxima and counts of several columns", async (plan) => {
  const columns = FEWER[plan] ?? 4;
  // So many words are too many for the plan few: local takes its place.
  const [rows, own] = plan === "few" ? [drawn(4097, 900), undefined] : [hot, plan];
  expect(await wrongOf(rows, { ...SMALL, plan: own, columns, aggregates: ALL })).toBe("");
});

test("rows go through two passes of partitions where there are many groups", async () => {
  const keys = drawn(5003, 2 ** 30);
  const options = { ...SMALL, slots: 8, plan: "partition", aggregates: ["sum"] } as const;
  expect(await wrongOf(keys, options)).toBe("");
  if (spared) return;
  const untold = { "list[atomicAdd(&said.status.left, 1u)] = pair;": "list[0] = pair;" };
  expect(await wrongOf(keys, options, withEdits(gpu(), "kernels/group-by/bins.wgsl", untold))).toMatch(/groups of/);
});

test("groups are counted by a range of hashes, of skewed rows too", async () => {
  const keys = drawn(120_000, 2 ** 30).map((key, i) => (i % 2 ? key : 7));
  const groups = new Set(keys).size;
  const counted = async (on: Gpu) => {
    const made = await owned(on, async (own) => ({ sampling: await makeSampling(own, SEED) }));
    const rows = { keys: await upload(keys), n: keys.length };
    // Twice: the second finds the table empty.
    await made.sampling.count((...pass) => on.time(...pass), rows);
    const { groups } = await made.sampling.count((...pass) => on.time(...pass), rows);
    made.destroy();
    return groups;
  };
  expect(Math.abs((await counted(gpu())) / groups - 1)).toBeLessThan(0.03);
  const faulty = withEdits(gpu(), "kernels/group-by/sample.wgsl", {
    "turn = 0u; turn < LANE_READS": "turn = 1u; turn < LANE_READS",
  });
  expect(Math.abs((await counted(faulty)) / groups - 1)).toBeGreaterThan(0.03);
});

test.skipIf(spared)("groups of a bin of the first pass that overflows are in one place", async () => {
  const keys = drawn(10_007, 3000).map((key, i) => (i % 2 ? 7 : key));
  const options = { ...SMALL, slots: 8, plan: "partition", aggregates: ["sum"] } as const;
  expect(await wrongOf(keys, options)).toBe("");
  const faulty = withEdits(gpu(), "kernels/group-by/bins.wgsl", { "before || counts": "counts" });
  expect(await wrongOf(keys, options, faulty)).not.toBe("");
});

test.skipIf(spared)("rows are counted alone", async () => {
  expect(await wrongOf(hot, { ...SMALL, plan: "local", aggregates: ["count"] })).toBe("");
});

test.skipIf(spared)("a group is in one place, where a search looks at two slots beside its pair", async () => {
  const options = { ...SMALL, plan: "local", reach: 2, sparse: false, aggregates: ["sum"] } as const;
  for (const groups of [20, 60, 900]) expect(await wrongOf(drawn(4099, groups), options)).toBe("");
});

test.skipIf(spared)("where parts leave more groups than the table behind them has room for, it grows", async () => {
  // Half of the groups find no room in workgroup memory.
  const leaving = withEdits(gpu(), "kernels/group-by/group.wgsl", {
    "wanted & (hashes != none)": "wanted & (hashes != none) & (hashes % vec4u(2u) == vec4u())",
  });
  const options = { ...SMALL, plan: "partition", aggregates: ["sum"] } as const;
  expect(await wrongOf(drawn(60_000, 40_000), options, leaving, 1, 1)).toBe("");
});

test.skipIf(spared)("a run with too small a table is followed by one that is right", async () => {
  // Each second key occurs once, which a sample of a sixth cannot know.
  const keys = drawn(100_000, 2 ** 30).map((key, i) => (i % 2 ? 7 : key));
  expect(await wrongOf(keys, { ...SMALL, aggregates: ["sum"] }, gpu(), 1)).toBe("");
});

const FAULTS = [
  {
    fault: "a lost row",
    file: "local",
    edit: ["if (4u * at < rows)", "if (4u * at + 1u < rows)"],
    rows: drawn(4097, 900),
    plan: "local",
  },
  {
    fault: "a row that is dropped when the table is full",
    file: "local",
    edit: ["if (slot == EMPTY) {", "if (slot == EMPTY) { if (hash != EMPTY) { return; }"],
    rows: drawn(4097, 900),
    plan: "local",
  },
  {
    fault: "a group that is there twice",
    file: "bins",
    edit: ["before || counts[bin] > bin_plan.size", "before && counts[bin] == 0u"],
    rows: hot,
    plan: "partition",
  },
] as const;
test.skipIf(spared).each(FAULTS)("$fault is found", async ({ file, edit: [sound, other], rows, plan }) => {
  const faulty = withEdits(gpu(), `kernels/group-by/${file}.wgsl`, { [sound]: other });
  expect(await wrongOf(rows, { ...SMALL, plan, aggregates: ["sum"] }, faulty)).not.toBe("");
});
