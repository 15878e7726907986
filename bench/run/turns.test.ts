import { expect, test } from "vitest";
import { Turns } from "./turns.js";

const soon = () => new Promise(setImmediate);

/** A member that takes so many turns, of which each is noted. */
async function member(turns: Turns, name: string, count: number, noted: string[]): Promise<void> {
  for (let i = 0; i < count; i++)
    await turns.take(async () => {
      noted.push(`${name} begins`);
      await soon();
      noted.push(`${name} ends`);
    });
}

test("members alternate, one at a time, and go on where one has ended", async () => {
  const turns = new Turns(3);
  const noted: string[] = [];
  await Promise.all([member(turns, "a", 2, noted), member(turns, "b", 1, noted), member(turns, "c", 3, noted)]);
  const order = ["a", "b", "c", "a", "c", "c"];
  expect(noted).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("nobody begins before all have arrived", async () => {
  const turns = new Turns(2);
  const noted: string[] = [];
  const first = member(turns, "a", 1, noted);
  await soon();
  expect(noted).toEqual([]);
  await Promise.all([first, member(turns, "b", 1, noted)]);
  expect(noted).toHaveLength(4);
});

test.each([
  ["has begun", 2],
  ["has not, as one never came", 3],
])("where one fails when the work %s, the others end with its error", async (_, members) => {
  const turns = new Turns(members);
  const noted: string[] = [];
  const others = Promise.allSettled([member(turns, "a", 9, noted), member(turns, "b", 9, noted)]);
  await soon();
  turns.end(new Error("no adapter"));
  const refused = { status: "rejected", reason: new Error("no adapter") };
  expect(await others).toEqual([refused, refused]);
  expect(noted.length > 0).toBe(members === 2);
});
