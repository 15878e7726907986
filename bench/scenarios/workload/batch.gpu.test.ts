import { describe, expect, test } from "vitest";
import { mix32 } from "../../../kernels/common/random.js";
import { EMPTY } from "../../../kernels/common/steps.js";
import { owned } from "../../../kernels/device/owned.js";
import { MIXED_KINDS } from "../../../kernels/table.js";
import { testGpu } from "../../device/testing.js";
import { type BatchOptions, type DeviceBatch, deviceBatch } from "./batch.js";
import { loadKeys } from "./keys.js";

const gpu = testGpu();
const { insert: INSERT, find: FIND } = MIXED_KINDS;
const usual: BatchOptions = { slice: 1000, positiveRatio: 1, seed: 3 };

/** A batch with its buffers on the host, while `work` runs. */
async function withBatch(
  n: number,
  options: BatchOptions,
  content: "mixed" | "insert" | "find",
  work: (host: {
    batch: DeviceBatch;
    kinds: Uint32Array;
    keys: Uint32Array;
    inserted: Uint32Array;
    absent: Set<number>;
  }) => Promise<void> | void,
): Promise<void> {
  const data = await loadKeys(gpu(), "random", n, options.seed);
  const batch = await owned(gpu(), (own) => deviceBatch(own, data, options, content));
  try {
    const [kinds, keys] = [
      await gpu().read(batch.kinds, batch.operations),
      await gpu().read(batch.keys, batch.operations),
    ];
    const inserted = await gpu().read(data.keys, n);
    await work({ batch, kinds, keys, inserted, absent: new Set(await gpu().read(data.absent, data.pool)) });
  } finally {
    batch.destroy();
    data.destroy();
  }
}

const sorted = (words: Iterable<number>) => [...words].sort((a, b) => a - b);

describe.each([1, 33, 500, 512, 513, 3001])("of %i pairs", (n) => {
  test("every pair is inserted once, in order, and a slice asks for exactly what the one before inserted", async () => {
    await withBatch(n, usual, "mixed", ({ batch, kinds, keys, inserted }) => {
      const all: number[] = [];
      let before: number[] = [];
      for (const { first, count } of batch.slices) {
        const of = (kind: number) => [...keys.slice(first, first + count)].filter((_, i) => kinds[first + i] === kind);
        expect(sorted(of(FIND))).toEqual(sorted(before));
        before = of(INSERT);
        all.push(...before);
      }
      expect(all).toEqual([...inserted]);
    });
  });
});

test("insertions and retrievals take turns in groups of 32", async () => {
  await withBatch(3001, usual, "mixed", ({ batch, kinds }) => {
    for (const { first, count } of batch.slices.slice(1, -2)) {
      for (let i = 0; i < count; i++) expect(kinds[first + i]).toBe(Math.floor(i / 32) % 2);
    }
  });
});

test("retrievals come in random order", async () => {
  await withBatch(3001, usual, "find", ({ batch, keys, inserted }) => {
    const { first, count } = batch.slices[1] ?? { first: 0, count: 0 };
    const [asked, own] = [keys.slice(first, first + count), inserted.slice(first, first + count)];
    expect(sorted(asked)).toEqual(sorted(own));
    expect(asked.filter((key, i) => key === own[i]).length).toBeLessThan(10);
  });
});

test.each([0.5, 0.25, 0])(
  "of a slice's retrievals exactly the share %d asks for present keys, each once",
  async (positiveRatio) => {
    await withBatch(3001, { ...usual, positiveRatio }, "mixed", ({ batch, kinds, keys, inserted, absent }) => {
      const numbers = new Map([...inserted].map((key, i) => [key, i]));
      let half = 0;
      for (const [s, { first, count }] of batch.slices.entries()) {
        const asked = [...keys.slice(first, first + count)].filter((_, i) => kinds[first + i] === FIND);
        const present = asked.filter((key) => numbers.has(key));
        expect(present.length).toBe(Math.round(asked.length * positiveRatio));
        expect(new Set(present).size).toBe(present.length);
        for (const key of asked) if (!numbers.has(key)) expect(absent.has(key)).toBe(true);
        // Drawn from the whole slice before, not from its beginning.
        if (s === 1) half = count / 2;
        const early = present.filter((key) => (numbers.get(key) ?? 0) - (s - 1) * half < half / 2).length;
        if (asked.length === half && half > 0) expect(Math.abs(early - present.length / 2)).toBeLessThan(50);
      }
    });
  },
);

test("the batch is the same for the same seed, and another for another", async () => {
  const digest = async (seed: number) => {
    let made = "";
    await withBatch(1000, { ...usual, seed }, "mixed", async ({ batch }) => {
      made = await batch.digest();
    });
    return made;
  };
  expect(await digest(1)).toBe(await digest(1));
  expect(await digest(1)).not.toBe(await digest(2));
});

test("insertions alone and retrievals alone are those of the mix, in order", async () => {
  const options = { ...usual, positiveRatio: 0.5 };
  await withBatch(3001, options, "mixed", async ({ kinds, keys }) => {
    await withBatch(3001, options, "insert", (alone) => {
      expect(alone.keys).toEqual(keys.filter((_, i) => kinds[i] === INSERT));
      expect(new Set(alone.kinds)).toEqual(new Set([INSERT]));
    });
    await withBatch(3001, options, "find", (alone) => {
      expect(alone.keys).toEqual(keys.filter((_, i) => kinds[i] === FIND));
      expect(new Set(alone.kinds)).toEqual(new Set([FIND]));
    });
  });
});

describe("the check of the answers", () => {
  const options = { ...usual, positiveRatio: 0.5 };

  /** What the check says of answers that a Map gave, one of them changed. */
  async function verdict(change: (answers: Uint32Array, kinds: Uint32Array) => void): Promise<string> {
    let said = "";
    await withBatch(700, options, "mixed", async ({ batch, kinds, keys }) => {
      await batch.renew(9);
      const values = await gpu().read(batch.values, batch.operations);
      const table = new Map<number, number>();
      const answers = keys.map((key, i) => {
        if (kinds[i] === FIND) return table.get(key) ?? EMPTY;
        table.set(key, values[i] ?? 0);
        return 1;
      });
      change(answers, kinds);
      gpu().write(batch.results, 0, answers);
      said = await batch.check(9);
    });
    return said;
  }

  test("takes those of a Map that does one operation after another", async () => {
    expect(await verdict(() => undefined)).toBe("");
  });

  test("names an insertion that failed", async () => {
    const said = await verdict((answers) => answers.fill(0, 3, 4));
    expect(said).toMatch(
      /^1 of 1400 results are wrong, the first for operation 3 \(insertion of key .*result 0x00000000\)$/,
    );
  });

  test("names a key that was invented or lost", async () => {
    const spoiled = (from: (answer: number) => boolean, to: number) =>
      verdict((answers, kinds) => {
        const at = answers.findIndex((answer, i) => kinds[i] === FIND && from(answer));
        answers[at] = to;
      });
    expect(await spoiled((answer) => answer === EMPTY, 5)).toMatch(/^1 of .*retrieval/);
    expect(await spoiled((answer) => answer !== EMPTY, EMPTY)).toMatch(/^1 of .*retrieval/);
  });

  test("sees answers that were not written, and those of an earlier run", async () => {
    await withBatch(700, options, "mixed", async ({ batch }) => {
      await batch.renew(9);
      expect(await batch.check(9)).toMatch(/^1400 of 1400 results are wrong, the first for operation 0 .*0xdeadbeef/);
    });
    const stale = await verdict((answers, kinds) => {
      const at = answers.findLastIndex((answer, i) => kinds[i] === FIND && answer !== EMPTY);
      answers[at] = (answers[at] ?? 0) ^ 1;
    });
    expect(stale).toMatch(/^1 of/);
  });

  test.each(["insert", "find"] as const)("names the last answer of %s alone", async (content) => {
    await withBatch(700, options, content, async ({ batch, keys, inserted }) => {
      const there = new Set(inserted);
      const right = content === "insert" ? () => 1 : (key: number) => (there.has(key) ? mix32(key ^ 9) >>> 1 : EMPTY);
      const answers = keys.map(right);
      await batch.renew(9);
      gpu().write(batch.results, 0, answers);
      expect(await batch.check(9)).toBe("");
      gpu().write(batch.results, 4 * 699, Uint32Array.of(5));
      expect(await batch.check(9)).toMatch(/^1 of 700 results are wrong, the first for operation 699 /);
    });
  });
});
