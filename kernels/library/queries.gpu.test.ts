/** Group-bys, first rows of keys and joins on buffers of a program's own, by a device with WebGPU's default limits. */
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { mix32 } from "../common/random.js";
import * as library from "./index.js";
import { DoesNotFit, EMPTY, OUTCOME_BYTES, UsageError } from "./index.js";
import { type DistinctOutput, distinct, readDistinct, recordDistinct } from "./tables/distinct.js";
import { type Aggregate, type GroupWord, groupBy, readGroups, recordGroupBy } from "./tables/group-by.js";
import { type JoinKind, join, readResults, recordJoin } from "./tables/join.js";
import { buffersOn, commandsOn, having, watched, withDefaultLimits } from "./testing.js";

const gpu = testGpu();
/** One for all tests, as each compiles the kernels anew. */
let device: GPUDevice;
let live: ReadonlySet<GPUBuffer>;
/** Words that the host wrote. */
const written = new Set<number>();
beforeAll(() => {
  const usual = withDefaultLimits(gpu().device);
  const { queue } = gpu().device;
  const writeBuffer = (buffer: GPUBuffer, offset: number, data: Uint32Array<ArrayBuffer>) => {
    for (const word of data.subarray(0, 16)) written.add(word);
    queue.writeBuffer(buffer, offset, data);
  };
  const noting = having(queue, { writeBuffer } as Partial<GPUQueue>);
  ({ device, live } = watched(having(usual, { queue: noting })));
});
afterEach(() => expect([...live].map(({ label }) => label)).toEqual([]));
const { bufferOf, wordsOf, using } = buffersOn(() => gpu().device);
const { submit } = commandsOn(() => gpu().device);
/** Of a test that has no place for output. */
const unwanted = () => undefined;

const drawn = (n: number, keys: number, salt = 0) =>
  Uint32Array.from({ length: n }, (_, i) => mix32(mix32(i + salt) % keys));
/** Not a multiple of four; the reserved words are keys as others. */
const N = 5003;
const keys = drawn(N, 700).map((key, i) => (i % 9 === 0 ? EMPTY : key));
const column = keys.map((_, i) => mix32(i));
const GROUPS = new Set(keys).size;

/** The groups by their keys: each a word for each of `words`. */
function groupsOf(words: readonly GroupWord[], n = N): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (const [i, key] of keys.subarray(0, n).entries()) rows.set(key, [...(rows.get(key) ?? []), i]);
  const wordOf = ({ of }: GroupWord, own: readonly number[]) => {
    const sum = own.reduce((all, i) => all + (column[i] ?? 0), 0);
    return of === "count" ? own.length : of === "upper" ? Math.floor(sum / 2 ** 32) : sum % 2 ** 32;
  };
  return new Map([...rows].map(([key, own]) => [key, words.map((word) => wordOf(word, own))]));
}

/** The groups in the buffers. */
async function groupsIn(
  found: GPUBuffer,
  answers: GPUBuffer,
  { groups, room, words }: { groups: number; room: number; words: number },
) {
  const [own, all] = [await wordsOf(found, groups), await wordsOf(answers, words * room)];
  return new Map([...own].map((key, g) => [key, Array.from({ length: words }, (_, w) => all[w * room + g])]));
}

/** As the example of a group-by has them: each other choice compiles the kernels anew. */
const WANTED: readonly Aggregate[] = ["sum64", "count"];
const WORDS = 3;
/** Buffers have whole fours. */
const given = [keys, column].map((one) => Uint32Array.from({ length: 4 * Math.ceil(N / 4) }, (_, i) => one[i] ?? 7));

test("groups are those of a Map, as many as was said before, and nothing else is left on the device", async () => {
  await using(given, async (...buffers) => {
    const [k, a] = buffers as [GPUBuffer, GPUBuffer];
    let made: GPUBuffer[] = [];
    const query = { keys: k, columns: [a], n: N, aggregates: [...WANTED] };
    const grouped = groupBy(device, {
      ...query,
      output(groups, words) {
        expect(groups).toBe(GROUPS);
        made = [bufferOf(groups), bufferOf(words.length * groups)];
        return { keys: made[0]!, answers: made[1]! };
      },
    });
    // Arguments are the query's from the call on.
    query.columns.length = 0;
    query.aggregates.length = 0;
    const { groups, words } = await grouped;
    expect(words.map(({ of, column }) => `${of}${column}`).join(" ")).toBe("sum0 upper0 count0");
    expect(await groupsIn(made[0]!, made[1]!, { groups, room: groups, words: words.length })).toEqual(groupsOf(words));
    for (const buffer of made) buffer.destroy();
  });
});

test("nothing is written where there is no output, or too little room; no rows have no groups", async () => {
  await using([...given, N, WORDS * N, GROUPS - 1], async (...buffers) => {
    const [k, a, found, answers, few] = buffers as [GPUBuffer, GPUBuffer, ...GPUBuffer[]];
    const query = { keys: k, columns: [a], n: N, aggregates: WANTED };
    expect((await groupBy(device, { ...query, output: unwanted })).groups).toBe(GROUPS);
    const short = groupBy(device, { ...query, output: () => ({ keys: few!, answers: answers! }) });
    await expect(short).rejects.toThrow(UsageError);
    await expect(short).rejects.toThrow(
      `groupBy: output.keys: the buffer has ${few!.size} bytes; ${GROUPS} items take ${4 * GROUPS}`,
    );
    expect(new Set(await wordsOf(answers!))).toEqual(new Set([0]));
    const output = () => ({ keys: found!, answers: answers! });
    expect(await groupBy(device, { ...query, n: 0, output })).toMatchObject({ groups: 0, plan: undefined });
  });
});

test("recorded group-bys follow one another; too many groups are told", async () => {
  const room = 800;
  const kind = { aggregates: WANTED, columns: 1, n: N };
  const sums = await recordGroupBy(device, { ...kind, groups: room });
  const few = await recordGroupBy(device, { ...kind, groups: GROUPS - 1 });
  const words = WORDS;
  const rooms = [1, 2, 3].flatMap(() => [room, words * room]);
  await using([...given, ...rooms, 24], async (...buffers) => {
    const [k, a, keysA, wordsA, keysB, wordsB, keysC, wordsC, said] = buffers as [
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
    ];
    const rows = { keys: k, columns: [a], n: N };
    const at = (i: number) => ({ buffer: said, offset: i * OUTCOME_BYTES });
    submit("encoder", (encoder) => sums.encode(encoder, { ...rows, output: { keys: keysA, answers: wordsA } }, at(0)));
    submit("pass", (pass) => {
      sums.encode(pass, { ...rows, n: 1001, output: { keys: keysB, answers: wordsB } }, at(1));
      few.encode(pass, { ...rows, output: { keys: keysC, answers: wordsC } }, at(2));
    });
    const outcomes = await wordsOf(said);
    const [all, part, over] = [0, 8, 16].map((first) => readGroups(outcomes.subarray(first, first + 8)));
    const right = groupsOf(sums.words, 1001);
    expect([all, part, over]).toEqual([
      { groups: GROUPS, failed: false },
      { groups: right.size, failed: false },
      { groups: GROUPS, failed: true },
    ]);
    expect(await groupsIn(keysA, wordsA, { groups: GROUPS, room, words })).toEqual(groupsOf(sums.words));
    expect(await groupsIn(keysB, wordsB, { groups: right.size, room, words })).toEqual(right);
    sums.destroy();
    const late = () =>
      sums.encode(device.createCommandEncoder(), { ...rows, output: { keys: keysA, answers: wordsA } });
    expect(late).toThrow("groupBy.encode: it was destroyed");
  });
  few.destroy();
});

/** Words of marks, and the rows that they mark, of the first n rows. */
function firstsOf(n: number) {
  const rows = [...keys.keys()].filter((i) => i < n && keys.indexOf(keys[i] ?? 0) === i);
  const marks = new Array<number>(Math.ceil(n / 32)).fill(0);
  for (const row of rows) marks[row >>> 5] = ((marks[row >>> 5] ?? 0) | (1 << (row & 31))) >>> 0;
  return { marks, rows };
}

test("the first row of each key is marked and listed, by a promise and recorded; too many keys are told", async () => {
  const recorded = await recordDistinct(device, { n: N, distinct: GROUPS + 90 });
  const few = await recordDistinct(device, { n: N, distinct: GROUPS - 1 });
  const room = [N, GROUPS + 90];
  await using([given[0]!, ...room, ...room, ...room, 24], async (...buffers) => {
    const [k, marksA, rowsA, marksB, rowsB, marksC, rowsC, said] = buffers as [GPUBuffer, GPUBuffer, ...GPUBuffer[]];
    const [a, b, c] = [
      { marks: marksA, rows: rowsA! },
      { marks: marksB!, rows: rowsB! },
      { marks: marksC!, rows: rowsC! },
    ];
    const found = async ({ marks, rows }: DistinctOutput, distinct: number, n = N) => ({
      marks: [...(await wordsOf(marks, Math.ceil(n / 32)))],
      rows: [...(await wordsOf(rows, distinct))],
    });
    const output = (distinct: number) => {
      expect(distinct).toBe(GROUPS);
      return a;
    };
    expect(await distinct(device, { keys: k, n: N, output })).toEqual({ distinct: GROUPS });
    expect(await found(a, GROUPS)).toEqual(firstsOf(N));
    expect(await distinct(device, { keys: k, n: 0, output })).toEqual({ distinct: 0 });
    const at = (i: number) => ({ buffer: said!, offset: i * OUTCOME_BYTES });
    submit("encoder", (encoder) => recorded.encode(encoder, { keys: k, n: N, output: b }, at(0)));
    submit("pass", (pass) => {
      recorded.encode(pass, { keys: k, n: 1001, output: c }, at(1));
      few.encode(pass, { keys: k, n: N, output: a }, at(2));
    });
    const outcomes = await wordsOf(said!);
    const part = firstsOf(1001);
    expect([0, 8, 16].map((first) => readDistinct(outcomes.subarray(first, first + 8)))).toEqual([
      { distinct: GROUPS, failed: false },
      { distinct: part.rows.length, failed: false },
      { distinct: GROUPS, failed: true },
    ]);
    expect(await found(b, GROUPS)).toEqual(firstsOf(N));
    expect(await found(c, part.rows.length, 1001)).toEqual(part);
    const same = () => ({ marks: marksA, rows: marksA });
    await expect(distinct(device, { keys: k, n: N, output: same })).rejects.toThrow(
      "distinct: output.marks and output.rows are one buffer",
    );
    const many = () => recorded.encode(device.createCommandEncoder(), { keys: k, n: N + 1, output: b });
    expect(many).toThrow(`distinct.encode: n is ${N + 1}; it takes ${N} at most`);
  });
  recorded.destroy();
  few.destroy();
});

/** What a join has of each row of the probe side: the rows of the build side. */
function joinedBy(build: Uint32Array, probe: Uint32Array, kind: JoinKind): string[] {
  const rows = new Map<number, number[]>();
  for (const [i, key] of build.entries()) rows.set(key, [...(rows.get(key) ?? []), i]);
  return [...probe].flatMap((key, j) => {
    const partners = rows.get(key) ?? [];
    if (kind === "semi" || kind === "anti") return partners.length > 0 === (kind === "semi") ? [`${j}`] : [];
    return (kind === "left" && partners.length === 0 ? [EMPTY] : partners).map((i) => `${i} ${j}`);
  });
}
const [BUILD, PROBE] = [drawn(2500, 600), drawn(2000, 900, 1e6)];
const sideOf = (buffer: GPUBuffer, n: number) => ({ keys: buffer, n });
/** Rows of one row of the probe side come in any order. */
async function resultsIn(results: number, probe: GPUBuffer, build?: GPUBuffer) {
  const [rows, partners] = [await wordsOf(probe, results), build && (await wordsOf(build, results))];
  return [...rows].map((j, i) => (partners ? `${partners[i]} ${j}` : `${j}`));
}

test.each(["inner", "left", "semi", "anti"] as const)(
  "%s joins are those of a Map, in the order of the probe side",
  async (kind) => {
    await using([BUILD, PROBE], async (...buffers) => {
      const [build, probe] = buffers as [GPUBuffer, GPUBuffer];
      const right = joinedBy(BUILD, PROBE, kind);
      const query = { kind, build: sideOf(build, BUILD.length), probe: sideOf(probe, PROBE.length) };
      const columns: GPUBuffer[] = [];
      const alone = kind === "semi" || kind === "anti";
      const { results } = await join(device, {
        ...query,
        output(results) {
          columns.push(bufferOf(results), ...(alone ? [] : [bufferOf(results)]));
          return { probe: columns[0]!, ...(columns[1] && { build: columns[1] }) };
        },
      });
      const found = await resultsIn(results, columns[0]!, columns[1]);
      expect([...found].sort()).toEqual([...right].sort());
      const rows = found.map((one) => Number(one.split(" ").at(-1)));
      expect(rows).toEqual(rows.toSorted((a, b) => a - b));
      for (const buffer of columns) buffer.destroy();
      // No rows of the build side.
      const none = await join(device, { ...query, build: sideOf(build, 0), output: unwanted });
      expect(none.results).toBe(kind === "left" || kind === "anti" ? PROBE.length : 0);
      expect(await join(device, { ...query, probe: sideOf(probe, 0), output: unwanted })).toEqual({ results: 0 });
    });
    expect([...live].map(({ label }) => label)).toEqual([]);
  },
);

test("recorded joins are those of a Map, and tell how many results there are for too little room", async () => {
  const right = joinedBy(BUILD, PROBE, "left");
  const room = right.length - 1000;
  const most = { build: BUILD.length, probe: PROBE.length };
  const all = await recordJoin(device, { kind: "left", most: { ...most, results: right.length } });
  const some = await recordJoin(device, { kind: "left", most: { ...most, results: room } });
  await using([BUILD, PROBE, right.length, right.length, right.length, right.length, 24], async (...buffers) => {
    const [build, probe, a, b, c, d, said] = buffers as [
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
      GPUBuffer,
    ];
    const sides = { build: sideOf(build, BUILD.length), probe: sideOf(probe, PROBE.length) };
    submit("pass", (pass) => {
      all.encode(pass, { ...sides, build: sideOf(build, 0), output: { probe: c, build: d } }, { buffer: said });
      all.encode(pass, { ...sides, output: { probe: a, build: b } }, { buffer: said, offset: OUTCOME_BYTES });
    });
    submit("encoder", (encoder) =>
      some.encode(encoder, { ...sides, output: { probe: c, build: d } }, { buffer: said, offset: 2 * OUTCOME_BYTES }),
    );
    const words = await wordsOf(said);
    const [none, whole, part] = [0, 8, 16].map((at) => readResults(words.subarray(at, at + 8)));
    expect([none, whole, part]).toEqual([
      { results: PROBE.length, failed: false },
      { results: right.length, failed: false },
      { results: right.length, failed: false },
    ]);
    const found = await resultsIn(right.length, a, b);
    expect([...found].sort()).toEqual([...right].sort());
    const first = await resultsIn(room, c, d);
    expect(first.every((one) => right.includes(one))).toBe(true);
    expect(new Set(first).size).toBe(room);
    expect(new Set((await wordsOf(c, right.length)).subarray(room))).toEqual(new Set([0]));
  });
  all.destroy();
  some.destroy();
});

test("what the device does not bind is refused, with its bytes", async () => {
  const limits = having(device.limits, { maxStorageBufferBindingSize: 2 ** 20 });
  const own = having(device, { limits });
  const one = new Uint32Array(600);
  await using([one], async (buffer) => {
    const sides = { build: sideOf(buffer!, 600), probe: sideOf(buffer!, 600) };
    const wide = join(own, { kind: "inner", ...sides, output: unwanted, label: "pairs" });
    await expect(wide).rejects.toThrow(DoesNotFit);
    await expect(wide).rejects.toThrow("pairs: 360000 results of 2880000 bytes; the device binds 1048576 a column");
    const many = recordGroupBy(own, { aggregates: ["sum"], columns: 1, n: 2 ** 20, groups: 2 ** 20 });
    await expect(many).rejects.toThrow(
      "groupBy: a table of 1048576 groups takes 16777224 bytes; the device binds 1048576",
    );
  });
});

test("wrong arguments are refused in the program's terms", async () => {
  await using([16, 18], async (...buffers) => {
    const [k, v] = buffers as [GPUBuffer, GPUBuffer];
    const rows = { keys: k, columns: [v], n: 16, aggregates: ["sum"], output: unwanted } as const;
    const refused = async (made: Promise<unknown>, message: string) => {
      await expect(made).rejects.toThrow(UsageError);
      await expect(made).rejects.toThrow(message);
    };
    await refused(groupBy(device, { ...rows, n: 17 }), "groupBy: keys: the buffer has 64 bytes; 17 items take 68");
    await refused(
      groupBy(device, { ...rows, keys: v, n: 17 }),
      "groupBy: keys: the buffer has 72 bytes; 17 rows take 80, as they are read by fours",
    );
    await refused(
      groupBy(device, { ...rows, aggregates: ["avg" as never] }),
      "groupBy: no aggregate avg; there are sum, sum64",
    );
    const columns = [v] as unknown as number;
    await refused(
      recordGroupBy(device, { aggregates: ["sum"], columns, n: 16, groups: 4 }),
      "groupBy: columns is [object GPUBuffer]; it takes a whole number from 0",
    );
    await refused(groupBy(device, { ...rows, columns: [] }), "groupBy: without columns there is count alone");
    await refused(groupBy(device, { ...rows, columns: [v, v, v, v, v] }), "5 columns; 1 to 4");
    await refused(groupBy(device, { ...rows, colums: [v] } as never), "groupBy has no colums; did you mean columns?");
    await refused(groupBy({} as GPUDevice, rows), "groupBy: the first argument is no GPUDevice");
    const sides = { build: sideOf(k, 1), probe: sideOf(v, 1), kind: "inner", output: unwanted } as const;
    await refused(
      join(device, { ...sides, kind: "outer" as never }),
      "join: kind is outer; it takes inner, left, semi, anti",
    );
    await refused(join(device, { ...sides, build: sideOf(k, -1) }), "join: n of build is -1");
    await refused(
      join(device, { ...sides, output: () => ({ probe: k }) }),
      "join: output.build is missing; it takes a GPUBuffer",
    );
    await refused(
      join(device, { ...sides, output: () => ({ probe: k, build: k }) }),
      "output.probe and output.build are one buffer",
    );
    await refused(
      recordJoin(device, { kind: "semi", most: { build: 1, probe: 0, results: 1 } }),
      "join: most.probe is 0",
    );
  });
});

test("hash functions have a seed that is drawn, unless one is given", async () => {
  const SEED = 0x12345678;
  const drawing = vi.spyOn(crypto, "getRandomValues").mockImplementation((words) => (words as Uint32Array).fill(SEED));
  try {
    await using([16, 4, 4], async (...buffers) => {
      const [keys, found, counts] = buffers as [GPUBuffer, GPUBuffer, GPUBuffer];
      const seeded: Record<string, (given: { seed?: number }) => Promise<unknown>> = {
        async groupBy(given) {
          const output = () => ({ keys: found, answers: counts });
          await groupBy(device, { keys, columns: [], n: 15, aggregates: ["count"], output, ...given });
          expect((await wordsOf(counts))[0]).toBe(15);
        },
        async join(given) {
          const sides = { build: sideOf(keys, 16), probe: sideOf(keys, 16) };
          await join(device, { kind: "semi", ...sides, output: unwanted, ...given });
        },
        async createTable(given) {
          const table = await library.createTable(device, "linear-probing", { capacity: 10, ...given });
          table.destroy();
        },
      };
      for (const [name, run] of Object.entries(seeded)) {
        written.clear();
        await run({});
        expect(written.has(SEED), name).toBe(true);
        written.clear();
        await run({ seed: 77 });
        expect([written.has(SEED), written.has(77)], name).toEqual([false, true]);
        await expect(run({ seed: 1.5 }), name).rejects.toThrow("seed is 1.5; it takes a u32");
      }
    });
  } finally {
    drawing.mockRestore();
  }
});
