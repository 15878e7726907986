import { expect, test } from "vitest";
import { keyConstants, keyRange } from "../../../datasets/random.js";
import { mix32 } from "../../../kernels/common/random.js";
import { EMPTY } from "../../../kernels/common/steps.js";
import { scoped } from "../../../kernels/device/owned.js";
import { type Lookups, MIXED_KINDS } from "../../../kernels/table.js";
import { testGpu } from "../../device/testing.js";
import { everyOf, NEVER, type Operation, type Placed, place, type Round } from "../scenario.js";
import { cellsOn } from "../testing.js";
import { DeviceRounds, keyNumbers, type Settings } from "./rounds.js";
import { shuffled } from "./shuffle.js";

const gpu = testGpu();
const { keys: sets } = cellsOn(gpu);
const [SEED, SALT, ROUND] = [7, 9, 3];
const COUNT = 100;
const PARTS: readonly Operation[] = [
  { do: "find", count: COUNT, of: "staying" },
  { do: "find", count: COUNT, of: "never" },
  { do: "erase", count: COUNT },
  { do: "insert", count: COUNT },
];
const ALIVE = { from: 300, to: 1300 };
const settings: Settings = {
  seed: SEED,
  data: null,
  numbers: null,
  answer: "value",
  rooms: [400, 400, 400, 400],
  planned: 2,
  noted: 2,
};
const value = (key: number) => mix32(key ^ SALT) >>> 1;

function mix32b(x: number): number {
  let h = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
const mulhi = (a: number, b: number) => Number((BigInt(a) * BigInt(b)) >> 32n);

/** `operation` of rounds.wgsl for steps whose draws are the round's, written from its description: kind and number of operation j. */
function operation({ parts, count, base, shuffled: mixed }: Placed, j: number) {
  let rank = mixed ? shuffled(j, count, mix32(SEED + mix32b(ROUND + 1))) : j;
  let before = base;
  for (const part of parts) {
    if (rank < part.count) {
      const seed = part.seed ?? (SEED + Math.imul(ROUND, 0x9e3779b9)) >>> 0;
      const draw = mix32b(mix32((part.seed === undefined ? before : 0) + rank) ^ seed);
      return { kind: MIXED_KINDS[part.do], number: part.first + (part.span > 0 ? mulhi(draw, part.span) : rank) };
    }
    rank -= part.count;
    before += part.count;
  }
  throw new Error("no such operation");
}

const rounds: readonly (readonly [string, Round])[] = [
  ["apart", PARTS],
  ["in one dispatch", [{ do: "mixed", parts: PARTS }]],
];

test.each(rounds)(
  "operations %s are those that their description says, and every wrong answer is found",
  async (_, round) => {
    await scoped(gpu(), async (own) => {
      const device = await DeviceRounds.make(own, settings);
      const placed = place(round, ALIVE);
      const there = new Set(keyRange(ALIVE.from, ALIVE.to - ALIVE.from, keyConstants(SEED)));
      device.plan([placed], ROUND, { salt: SALT });
      await device.pick();
      const right = await Promise.all(
        placed.steps.map(async (step, at) => {
          const buffers = device.operations[at];
          if (!buffers) throw new Error("no operations");
          const [keys, kinds] = [await own.read(buffers.keys, step.count), await own.read(buffers.kinds, step.count)];
          const expected = Array.from({ length: step.count }, (_, j) => operation(step, j));
          expect([...kinds]).toEqual(expected.map(({ kind }) => kind));
          expect([...keys]).toEqual(expected.map(({ number }) => keyRange(number, 1, keyConstants(SEED))[0]));
          expect([...(await own.read(buffers.values, step.count))]).toEqual([...keys].map(value));
          expect(new Set(await own.read(buffers.results, step.count))).toEqual(new Set([0xdeadbeef]));
          return keys.map((key, j) => (kinds[j] !== MIXED_KINDS.find ? 1 : there.has(key) ? value(key) : EMPTY));
        }),
      );
      const seen = async () => {
        await device.check();
        const [steps] = await device.checked([placed]);
        return steps?.map(({ wrong }) => wrong) ?? [];
      };
      const answered = placed.steps.map(({ do: kind }) => kind === "find" || kind === "mixed");
      const unanswered = await seen();
      for (const [at, wrong] of unanswered.entries())
        expect(wrong).toMatch(
          answered[at] ? /^(\d+) of \1 results are wrong, the first is number 0 \(key .*0xdeadbeef/ : /^$/,
        );
      for (const [at, answers] of right.entries()) own.write(device.operations[at]?.results as GPUBuffer, 0, answers);
      expect(new Set(await seen())).toEqual(new Set([""]));
      for (const [at, answers] of right.entries()) {
        if (!answered[at]) continue;
        const { results } = device.operations[at] ?? {};
        for (let j = 0; j < answers.length; j += 7) {
          own.write(results as GPUBuffer, 4 * j, Uint32Array.of((answers[j] ?? 0) ^ 1));
          expect((await seen())[at]).toMatch(
            new RegExp(`^1 of ${answers.length} results are wrong, the first is number ${j} `),
          );
          own.write(results as GPUBuffer, 4 * j, Uint32Array.of(answers[j] ?? 0));
        }
      }
    });
  },
);

test("rounds that were planned together follow one another, each with a note of its own", async () => {
  await scoped(gpu(), async (own) => {
    const device = await DeviceRounds.make(own, settings);
    const first = place(PARTS, ALIVE);
    const second = place(PARTS, first.after);
    device.plan([first, second], ROUND, { salt: SALT });
    const erased: (number | undefined)[] = [];
    for (const _ of [first, second]) {
      await device.pick();
      await device.check();
      erased.push((await own.read(device.operations[2]?.keys as GPUBuffer, 1))[0]);
    }
    expect(erased).toEqual([300, 400].map((number) => keyRange(number, 1, keyConstants(SEED))[0]));
    const seen = await device.checked([first, second]);
    expect(seen.map((steps) => steps.map(({ wrong }) => wrong.split(" ")[0]))).toEqual([
      ["100", "100", "", ""],
      ["100", "100", "", ""],
    ]);
  });
});

test("the check of all keys misses none that is lost, and none that was erased or never came", async () => {
  const keyOf = (number: number) => keyRange(number, 1, keyConstants(SEED))[0] ?? 0;
  const there = new Set(keyRange(ALIVE.from, 1000, keyConstants(SEED)));
  await scoped(gpu(), async (own) => {
    const device = await DeviceRounds.make(own, { ...settings, rooms: [1000] });
    /** What is said of a table that has the keys, but for this one, or this one too. */
    const said = (from: number, to: number, wrong?: number) => {
      const answer = (key: number) => (there.has(key) !== (key === wrong) ? value(key) : EMPTY);
      const find = async ({ keys, results, n }: Lookups) =>
        own.write(results, 0, (await own.read(keys, n)).map(answer));
      return device.ask(everyOf({ from, to }, ALIVE), SALT, find);
    };
    for (const [from, to] of [
      [300, 1300],
      [0, 300],
      // Not inserted yet.
      [1300, 1400],
      [NEVER, NEVER + 200],
    ] as const) {
      expect(await said(from, to)).toBe("");
      for (const number of [from, to - 1])
        expect(await said(from, to, keyOf(number))).toMatch(
          new RegExp(`^1 of ${to - from} results are wrong, the first is number ${number - from} `),
        );
    }
  });
});

test("marks know keys that come twice, and every wrong answer and count", async () => {
  const data = await sets.get("zipf:1.0", 2000, 3);
  const round: Round = [
    { do: "insert", count: 500, keys: { from: 0 } },
    { do: "find", count: 500, keys: { below: 500, draw: 11 } },
    { do: "erase", count: 100, keys: { below: 500, draw: 12 } },
  ];
  await scoped(gpu(), async (own) => {
    const numbers = await keyNumbers(own, data);
    const device = await DeviceRounds.make(own, { ...settings, data, numbers, rooms: [2000, 500, 100] });
    await device.begin();
    const stream = await own.read(data.keys, 2000);
    const placed = place(round, { from: 0, to: 0 });
    device.plan([placed], 0, { salt: SALT });
    await device.pick();
    const [, asking, erasing] = device.operations;
    if (!asking || !erasing) throw new Error("no operations");
    const erased = new Set(await own.read(erasing.keys, 100));
    expect([...erased].every((key) => stream.subarray(0, 500).includes(key))).toBe(true);
    const seen = async () => {
      await device.check();
      return (await device.checked([placed]))[0];
    };
    const [inserted, searched, gone] = (await seen()) ?? [];
    expect([inserted?.came, searched?.wrong, gone?.went]).toEqual([
      new Set(stream.subarray(0, 500)).size,
      expect.stringMatching(/^500 of 500 results are wrong, the first is number 0 /),
      erased.size,
    ]);
    own.write(asking.results, 0, (await own.read(asking.keys, 500)).map(value));
    // What was erased comes again.
    expect(await seen()).toEqual([
      { came: erased.size, went: 0, wrong: "" },
      { came: 0, went: 0, wrong: "" },
      { came: 0, went: erased.size, wrong: "" },
    ]);
    for (const answer of [1, EMPTY]) {
      own.write(asking.results, 4 * 77, Uint32Array.of(answer));
      expect((await seen())?.[1]?.wrong).toMatch(/^1 of 500 results are wrong, the first is number 77 /);
    }
    const every = everyOf({ from: 0, to: 2000 }, placed.after);
    const here = new Set([...stream.subarray(0, 500)].filter((key) => !erased.has(key)));
    const answers =
      (lost?: number) =>
      async ({ keys, results, n }: Lookups) => {
        const answer = (key: number) => (here.has(key) && key !== lost ? value(key) : EMPTY);
        own.write(results, 0, (await own.read(keys, n)).map(answer));
      };
    const [one = 0] = here;
    for (const present of [false, true]) {
      expect(await device.ask(every, SALT, answers(), present)).toBe("");
      expect(await device.ask(every, SALT, answers(one), present)).toMatch(/^\d+ of \d+ results are wrong/);
    }
    // Keys that are in the table alone, equal ones as often as they are in the stream.
    let asked = 0;
    const count = async ({ n }: Lookups) => {
      asked = n;
    };
    await device.ask(every, SALT, count, true);
    expect(asked).toBe(stream.filter((key) => here.has(key)).length);
  });
});
