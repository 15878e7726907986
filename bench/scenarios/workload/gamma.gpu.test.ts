import { describe, expect, test } from "vitest";
import { EMPTY } from "../../../kernels/common/steps.js";
import { owned } from "../../../kernels/device/owned.js";
import { type Lookups, MIXED_KINDS } from "../../../kernels/table.js";
import { testGpu } from "../../device/testing.js";
import { DeviceGamma, type GammaOptions, GammaPlan } from "./gamma.js";
import { loadKeys } from "./keys.js";

const gpu = testGpu();
const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;
const usual: GammaOptions = { pairs: 700, batch: 300, batches: 4, updates: 0.4, seed: 3, member: false };
const SALT = 9;

interface Host {
  readonly gamma: DeviceGamma;
  readonly kinds: Uint32Array;
  readonly keys: Uint32Array;
  /** Keys of the stream: those of the table first. */
  readonly stream: Uint32Array;
  readonly never: ReadonlySet<number>;
}

/** Batches with their buffers on the host, while `work` runs. */
async function withBatches<T>(options: GammaOptions, work: (host: Host) => Promise<T> | T): Promise<T> {
  const plan = new GammaPlan(options);
  const data = await loadKeys(gpu(), "random", plan.keys, options.seed);
  const gamma = await owned(gpu(), (own) => DeviceGamma.make(own, data, plan));
  try {
    const [kinds, keys] = [
      await gpu().read(gamma.kinds, plan.operations),
      await gpu().read(gamma.keys, plan.operations),
    ];
    const stream = await gpu().read(data.keys, plan.keys);
    return await work({ gamma, kinds, keys, stream, never: new Set(await gpu().read(data.absent, data.pool)) });
  } finally {
    gamma.destroy();
    data.destroy();
  }
}

const mixes = [1, 0.4, 0.2, 0].map((updates) => ({ updates }));

test.each(mixes)("every operation of a batch is certain, whatever its order: $updates of them updates", ({ updates }) =>
  withBatches({ ...usual, updates }, ({ kinds, keys, stream, never, gamma }) => {
    const table = new Set(stream.subarray(0, usual.pairs));
    const ever = new Set(table);
    for (const { first, count } of gamma.slices) {
      const of = (kind: number) => [...keys.subarray(first, first + count)].filter((_, i) => kinds[first + i] === kind);
      const [inserted, found, erased] = [of(INSERT), of(FIND), of(ERASE)];
      expect(inserted.length).toBe(Math.round((count * updates) / 2));
      expect(erased.length).toBe(inserted.length);
      expect(found.filter((key) => table.has(key)).length).toBe(Math.floor(found.length / 2));
      for (const key of inserted) expect(ever.has(key) || never.has(key)).toBe(false);
      for (const key of erased) expect(table.has(key)).toBe(true);
      expect(new Set(erased).size).toBe(erased.length);
      for (const key of found) {
        expect(table.has(key) || never.has(key)).toBe(true);
        expect(erased).not.toContain(key);
      }
      for (const key of erased) table.delete(key);
      for (const key of inserted) ever.add(table.add(key) && key);
      expect(table.size).toBe(usual.pairs);
    }
    expect(ever.size).toBe(stream.length);
  }),
);

test("kinds are mixed within a warp, and keys of every age are erased", () =>
  withBatches({ ...usual, batches: 12 }, ({ kinds, keys, stream }) => {
    for (let warp = 0; warp + 32 <= kinds.length; warp += 32) {
      expect(new Set(kinds.subarray(warp, warp + 32)).size).toBeGreaterThan(1);
    }
    const ages = [...keys].flatMap((key, i) => (kinds[i] === ERASE ? [stream.indexOf(key)] : []));
    const between = (from: number, to: number) => ages.filter((age) => age >= from && age < to).length;
    const [early, middle, late] = [between(0, 350), between(350, 700), between(700, stream.length)];
    expect(Math.abs(early - middle)).toBeLessThan(ages.length / 10);
    expect(late).toBeGreaterThan(ages.length / 5);
  }));

test("equal seeds make equal batches, other seeds others", async () => {
  const digest = (seed: number) => withBatches({ ...usual, seed }, ({ gamma }) => gamma.digest());
  expect(await digest(3)).toBe(await digest(3));
  expect(await digest(3)).not.toBe(await digest(4));
});

test.each([
  [{ pairs: 59 }, /a batch erases 60 keys of 59/],
  [{ pairs: 60 }, /a batch erases 60 keys of 60/],
  [{ batch: 3, updates: 1 }, /half of its updates are insertions/],
])("sizes that do not go together are refused: %o", (change, message) => {
  expect(() => new GammaPlan({ ...usual, ...change })).toThrow(message);
});

describe.each([{ member: false }, { member: true }])("the check of a set: $member", ({ member }) => {
  interface Change {
    answers?(answers: Uint32Array, kinds: Uint32Array): void;
    left?(table: Map<number, number>, host: Host): void;
  }

  /** What the checks say of a Map's answers, one operation after another, after `change`. */
  function verdict({ answers, left }: Change): Promise<string> {
    return withBatches({ ...usual, member }, async (host) => {
      const { gamma, kinds, keys } = host;
      await gamma.renew(SALT);
      const { first } = gamma;
      const values = await gpu().read(gamma.values, keys.length);
      const firstValues = await gpu().read(first.values, first.n);
      const table = new Map([...(await gpu().read(first.keys, first.n))].map((key, i) => [key, firstValues[i] ?? 0]));
      const find = (key: number) => (member && table.has(key) ? 1 : (table.get(key) ?? EMPTY));
      const results = keys.map((key, i) => {
        if (kinds[i] === ERASE) return Number(table.delete(key));
        if (kinds[i] === FIND) return find(key);
        table.set(key, values[i] ?? 0);
        return 1;
      });
      answers?.(results, kinds);
      left?.(table, host);
      gpu().write(gamma.results, 0, results);
      const ask = async ({ keys: asked, results: to, n }: Lookups) => {
        gpu().write(to, 0, (await gpu().read(asked, n)).map(find));
      };
      return (await gamma.check(SALT)) || (await gamma.checkLeft(ask, SALT));
    });
  }

  test("takes those of a Map", async () => {
    expect(await verdict({})).toBe("");
  });

  test.each([
    ["insert", INSERT, 0],
    ["erase", ERASE, 0],
    ["find", FIND, 5],
    ["find", FIND, 0xdeadbeef],
  ])("names an %s that is wrong", async (name, kind, answer) => {
    const said = await verdict({
      answers: (answers, kinds) => answers.fill(answer, kinds.indexOf(kind), kinds.indexOf(kind) + 1),
    });
    expect(said).toMatch(new RegExp(`^1 of 1200 results are wrong, the first for operation \\d+ \\(${name} of key`));
  });

  test("names a key that is lost, one that is still there and one that never was", async () => {
    const lost = await verdict({ left: (table) => table.delete([...table.keys()][0] ?? 0) });
    expect(lost).toMatch(/^1 of 940 keys are answered wrongly, .* which is there: 0xffffffff$/);
    const stays = await verdict({ left: (table, { keys, kinds }) => table.set(keys[kinds.indexOf(ERASE)] ?? 0, 1) });
    expect(stays).toMatch(/^1 of 940 keys are answered wrongly, .* which was erased: 0x00000001$/);
    const invented = await verdict({
      left: (table, { never }) => {
        for (const key of never) table.set(key, 1);
      },
    });
    expect(invented).toMatch(/results are wrong, .*result 0x00000001/);
  });
});
