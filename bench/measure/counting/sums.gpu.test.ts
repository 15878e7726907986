import { expect, test } from "vitest";
import { randomWords } from "../../../kernels/common/random.js";
import { scoped } from "../../../kernels/device/owned.js";
import { testGpu } from "../../device/testing.js";
import { RECORD_WORDS, sumRecords, WORDS } from "./sums.js";

const gpu = testGpu();

test("records of several dispatches are added up, each dispatch's apart, and beyond what a u32 holds", async () => {
  const draw = randomWords(3);
  const longest = WORDS.indexOf("longestWarp");
  // Lanes with an item are 256 at most, and turns few; the other words come close to what a lane's sum of 64 can hold.
  const below = (word: number) => (word === 0 ? 257 : word === longest ? 2 ** 20 : 2 ** 26);
  const dispatches = [1, 63, 64, 65, 1000].map((groups) =>
    Array.from({ length: groups }, () => Array.from({ length: RECORD_WORDS }, (_, i) => draw() % below(i))),
  );
  const expected = dispatches.map((records) => {
    const sum = (of: (record: readonly number[]) => number) => records.reduce((total, record) => total + of(record), 0);
    const balance = (record: readonly number[]) => Math.ceil((record[0] ?? 0) / 32) * (record[longest] ?? 0);
    const most = Math.max(...records.map((record) => record[longest] ?? 0));
    const word = (i: number) => (i === longest ? most : sum((record) => record[i] ?? 0));
    return [...Array.from({ length: RECORD_WORDS }, (_, i) => word(i)), sum(balance)];
  });
  await scoped(gpu(), async (own) => {
    const words = dispatches.map((dispatch) => dispatch.flat());
    // What lies between them is nobody's.
    const offset = (d: number) => words.slice(0, d).reduce((total, { length }) => total + 4 * length + 256, 0);
    const records = await own.alloc("records", offset(words.length));
    own.write(records, 0, new Uint32Array(records.size / 4).fill(77));
    for (const [d, some] of words.entries()) own.write(records, offset(d), Uint32Array.from(some));
    const places = dispatches.map(({ length }, d) => ({ offset: offset(d), groups: length }));
    expect(await sumRecords(own, records, places)).toEqual(expected);
  });
});
