/** Functions of tables in kernels of a program's own: several of them race in one dispatch. */
import { expect, test } from "vitest";
import { spared, testGpu } from "../../bench/device/testing.js";
import { EMPTY, STATES } from "./index.js";
import { buffersOn, createTable, dispatchesOn, functionsOf, keysFrom, LANES } from "./testing.js";

const gpu = testGpu();
const device = () => gpu().device;
const { wordsOf, using } = buffersOn(device);
const dispatched = dispatchesOn(device);

const TABLES = ["quotient", "bucketed", "double-hashing", "linear-probing"] as const;
/** SwiftShader takes ten seconds to compile the functions of each. */
const RACED = spared ? (["bucketed"] as const) : TABLES;
const CHANGING = ["find", "insert", "find_or_insert", "upsert_add", "upsert_min", "upsert_max"] as const;

test.each([...RACED, "cuckoo"] as const)(
  "%s: a program's kernel finds keys, and none that are absent",
  async (name) => {
    // The races below have the usual hash of all tables.
    const params = name === "linear-probing" ? { keyed: true } : {};
    const table = await createTable(device(), name, { capacity: LANES, params });
    const all = keysFrom(0, LANES);
    const stored = all.filter((_, i) => i % 2 === 0);
    await using([all, stored, 2 * LANES], async (...[keys, some, told]) => {
      await table.insert({ keys: some!, values: some!, n: stored.length });
      const words = await dispatched(
        functionsOf(table, ["find"]),
        keys!,
        told!,
        "told[lane] = vec2u(seen_find(key), 0u);",
      );
      expect(words.filter((_, i) => i % 2 === 0)).toEqual(all.map((key, i) => (i % 2 === 0 ? key : EMPTY)));
    });
    table.destroy();
  },
);

/** What keys are asked for, by their number modulo 6. */
const MIXED = `
  var answer = seen_Settled(lane, 0u);
  switch (lane / 4u + lane / 64u) % 6u {
    case 0u: { answer = seen_find_or_insert(key, lane); }
    case 1u: { answer.state = seen_upsert_add(key, 1u); }
    case 2u: { answer.state = seen_upsert_min(key, lane); }
    case 3u: { answer.state = seen_upsert_max(key, lane); }
    // Whoever comes first: it adds nothing.
    case 4u: { if (lane % 2u == 0u) { answer.state = seen_upsert_add(key, 1u); } else { answer = seen_find_or_insert(key, 0u); } }
    default: { if (lane % 4u == 0u) { answer.state = u32(seen_insert(key, lane)); } else { answer.value = seen_find(key); } }
  }
  told[lane] = vec2u(answer.value, answer.state);`;
const kindOf = (lane: number) => ((lane >> 2) + (lane >> 6)) % 6;
/** Keys of each kind. */
const EACH = 20;

/** Rounds of races in slots that were erased before, until one is wrong. What is wrong, in words. */
async function races(name: (typeof TABLES)[number], fault?: (text: string) => string): Promise<readonly string[]> {
  const table = await createTable(device(), name, { capacity: 6 * EACH, loadFactor: 0.9 });
  const wrong: string[] = [];
  const functions = functionsOf(table, CHANGING);
  for (let round = 0; round < 6 && wrong.length === 0; round++) {
    const own = keysFrom(6 * EACH * round, 6 * EACH);
    // A kind's keys are its own; lanes that run together have one key, or several.
    const all = Uint32Array.from({ length: LANES }, (_, lane) => {
      const number = round % 2 === 0 ? lane >> 7 : (lane >> 7) + (lane & 3);
      return own[kindOf(lane) * EACH + (number % EACH)] ?? 0;
    });
    await using([all, 2 * LANES, own, 6 * EACH], async (...[keys, told, asked, found]) => {
      const words = await dispatched(functions, keys!, told!, MIXED, fault);
      await table.find({ keys: asked!, results: found!, n: own.length });
      const values = await wordsOf(found!, own.length);
      for (const [i, key] of own.entries()) {
        const lanes = [...all.keys()].filter((lane) => all[lane] === key);
        const problem = problemOf(Math.floor(i / EACH), lanes, words, values[i] ?? 0);
        if (problem && lanes.length > 0) wrong.push(`${name}, kind ${Math.floor(i / EACH)}: ${problem}`);
      }
      const there = own.filter((key) => all.includes(key)).length;
      const size = await table.size();
      if (size !== there) wrong.push(`${name}: ${size} pairs of ${there} keys`);
      await table.erase({ keys: asked!, n: own.length });
    });
  }
  table.destroy();
  return wrong;
}

/** @param value that the key has after the dispatch */
function problemOf(kind: number, lanes: readonly number[], words: Uint32Array, value: number): string {
  const answers = lanes.map((lane) => words[2 * lane] ?? 0);
  const states = lanes.map((lane) => words[2 * lane + 1] ?? 0);
  const adding = lanes.filter((lane) => lane % 2 === 0);
  const writing = lanes.filter((lane) => lane % 4 === 0);
  if (kind === 5) {
    const ok = writing.includes(value) && answers.every((one) => one === EMPTY || lanes.includes(one));
    return ok && writing.every((lane) => words[2 * lane + 1] === 1) ? "" : `insert: ${value}`;
  }
  const fresh = states.filter((state) => state === STATES.new).length;
  if (fresh !== 1 || states.includes(STATES.refused)) return `${fresh} lanes have a new key`;
  const expected = [answers[0], lanes.length, Math.min(...lanes), Math.max(...lanes), adding.length][kind];
  if (kind === 0 && answers.some((one) => one !== value)) return `lanes were told ${new Set(answers)}`;
  return value === expected ? "" : `${value}, expected ${expected}`;
}

test.each(RACED)("%s: insertions, upserts and searches race in one dispatch", async (name) => {
  expect(await races(name)).toEqual([]);
});

/** A try to be the first with a value: what it found, the word, the value, and what the lane has seen. */
const FIRST =
  /let (\w)=seen_swap_word\((\w),seen_EMPTY,(\w)\);if\(\1\.done\)\{return seen_Settled\(\3,seen_NEW\);\}(\w)=\1\.found/;
const faults = [
  {
    what: "a sum by a load and a store",
    sound: /atomicAdd\((&[^,]*),value\)/g,
    faulty: "atomicStore($1,atomicLoad($1)+value)",
  },
  {
    what: "a new key by a load",
    sound: FIRST,
    faulty: "let $1=seen_swap_word($2,seen_EMPTY,$3);if($4==seen_EMPTY){return seen_Settled($3,seen_NEW);}$4=$1.found",
  },
  {
    what: "a value that is stored late",
    sound: FIRST,
    faulty: "seen_store_word($2,$3);if($4==seen_EMPTY){return seen_Settled($3,seen_NEW);}$4=$3",
  },
];

test.each(spared ? faults.slice(0, 1) : faults)("$what is found", async ({ sound, faulty }) => {
  const planted = (text: string) => {
    const edited = text.replace(sound, faulty);
    if (edited === text) throw new Error(`there is no ${sound}`);
    return edited;
  };
  expect(await races("bucketed", planted)).not.toEqual([]);
});

/** Lanes that erase, and lanes that ask beside them; how often each key was erased. What is wrong, in words. */
async function erasures(name: (typeof TABLES)[number], fault?: (text: string) => string): Promise<readonly string[]> {
  const table = await createTable(device(), name, { capacity: 300 });
  const own = keysFrom(0, 300);
  const all = Uint32Array.from({ length: LANES }, (_, lane) => own[(lane >> 3) % 200] ?? 0);
  const wrong: string[] = [];
  await using([all, 2 * LANES, own], async (...[keys, told, asked]) => {
    await table.insert({ keys: asked!, values: asked!, n: 300 });
    const body = `
  if (lane % 2u == 0u) { told[lane] = vec2u(0u, u32(seen_erase(key))); } else { told[lane] = vec2u(seen_find(key), 0u); }`;
    const words = await dispatched(functionsOf(table, ["find", "erase"]), keys!, told!, body, fault);
    for (const key of own.subarray(0, 200)) {
      const lanes = [...all.keys()].filter((lane) => all[lane] === key);
      const erased = lanes.reduce((sum, lane) => sum + (words[2 * lane + 1] ?? 0), 0);
      if (erased !== 1) wrong.push(`${name}: erased ${erased} times`);
      const answers = lanes.filter((lane) => lane % 2 === 1).map((lane) => words[2 * lane] ?? 0);
      if (answers.some((one) => one !== key && one !== EMPTY)) wrong.push(`${name}: ${answers}`);
    }
    expect(await table.size()).toBe(100);
  });
  table.destroy();
  return wrong;
}

test.each(RACED)("%s: erasures and searches race in one dispatch", async (name) => {
  expect(await erasures(name)).toEqual([]);
});

test("two lanes that erase one key are found", async () => {
  const planted = (text: string) => {
    const edited = text.replace(
      /return atomicExchange\((&[^,]*),value\)/,
      "let old=atomicLoad($1);atomicStore($1,value);return old",
    );
    if (edited === text) throw new Error("there is no exchange");
    return edited;
  };
  expect(await erasures("double-hashing", planted)).not.toEqual([]);
});

test("wrong options are refused, and two tables go into one kernel", async () => {
  const [one, other] = [
    await createTable(device(), "quotient", { capacity: 100, label: "mine" }),
    await createTable(device(), "cuckoo", { capacity: 100 }),
  ];
  expect(() => one.device({ functions: ["fnd" as "find"] })).toThrow(
    "mine.device: no function fnd, did you mean find? It has find",
  );
  expect(() => other.device({ functions: ["insert"] })).toThrow("no function insert. It has find");
  expect(() => one.device({ functions: [] })).toThrow("no function");
  expect(() => one.device({ functions: ["find"], prefix: "2" })).toThrow("prefix is 2");
  expect(() => one.device({ functions: ["find"], group: -1 })).toThrow("group is -1");
  const code = [
    one.device({ group: 0, prefix: "a_", functions: ["find", "insert"] }).code,
    other.device({ group: 1, prefix: "b_", functions: ["find"] }).code,
    "@compute @workgroup_size(1) fn main() { if (a_insert(1u, b_find(2u))) { _ = a_find(3u); } }",
  ].join("\n");
  const { messages } = await device().createShaderModule({ code }).getCompilationInfo();
  expect(messages.map(({ message }) => message)).toEqual([]);
  one.destroy();
  expect(() => one.device({ functions: ["find"] })).toThrow("mine: the table was destroyed");
  other.destroy();
});
