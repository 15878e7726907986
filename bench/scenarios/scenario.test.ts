import { expect, test } from "vitest";
import { uniform } from "../../datasets/rng.js";
import { NEVER, NONE, type Operation, operationsOf, type Part, place, placeFilling, type Round } from "./scenario.js";

const numbersOf = ({ first, count }: Part) => Array.from({ length: count }, (_, i) => first + i);

/** A round of random operations, apart or in one dispatch. */
function drawn(below: (count: number) => number): Round {
  const operations = Array.from({ length: 1 + below(4) }, (): Operation => {
    const count = below(9);
    if (below(2) > 0) return { do: "insert", count };
    return below(2) > 0 ? { do: "erase", count } : { do: "find", count, of: below(2) > 0 ? "staying" : "never" };
  });
  const round: Round = below(2) > 0 ? operations : [{ do: "mixed", parts: operations }];
  return below(10) > 0 ? round : [{ do: "clear", size: 9 }, ...round];
}

test("what is placed is what a set would have: the next are inserted, the oldest erased, and searches are of what stays", () => {
  const draw = uniform(3);
  const below = (count: number) => Math.floor(draw() * count);
  let [placed, searched, refused] = [0, 0, 0];
  for (let life = 0; life < 300; life++) {
    const there = new Set<number>();
    let next = 0;
    let window = NONE;
    for (let turn = 0; turn < 6; turn++) {
      const round = drawn(below);
      const cleared = round[0]?.do === "clear";
      let steps: ReturnType<typeof place>;
      try {
        steps = place(round, window);
      } catch {
        refused++;
        continue;
      }
      if (cleared) {
        there.clear();
        next = 0;
      }
      const before = new Set(there);
      const asked: Part[] = [];
      let base = 0;
      for (const step of steps.steps) {
        expect(step.alive.to - step.alive.from).toBe(there.size);
        for (const number of there) expect(number >= step.alive.from && number < step.alive.to).toBe(true);
        expect(step.base).toBe(base);
        base += step.count;
        for (const part of step.parts) {
          if (part.do === "find") asked.push(part);
          else expect(part.span).toBe(0);
          for (const number of part.do === "find" ? [] : numbersOf(part)) {
            if (part.do === "insert") expect(number).toBe(next++);
            else expect(number).toBe(Math.min(...there));
            if (part.do === "insert") there.add(number);
            else there.delete(number);
          }
        }
      }
      expect(base).toBe(operationsOf([round]));
      for (const { first, span } of asked) {
        expect(span).toBeGreaterThan(0);
        if (first >= NEVER) continue;
        searched++;
        for (const number of [first, first + span - 1])
          expect([before.has(number), there.has(number)]).toEqual([true, true]);
      }
      expect(steps.after.to - steps.after.from).toBe(there.size);
      window = steps.after;
      placed++;
    }
  }
  expect(placed).toBeGreaterThan(600);
  expect(searched).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(50);
});

test("a step says its numbers itself: one after another, or drawn by a seed of its own", () => {
  const round = [
    { do: "insert", count: 3, keys: { from: 7 } },
    { do: "find", count: 5, keys: { below: 10, draw: 4 } },
  ] as const;
  const [insert, find] = place(round, NONE).steps;
  expect(insert?.parts).toEqual([{ do: "insert", count: 3, first: 7, span: 0 }]);
  expect(find?.parts).toEqual([{ do: "find", count: 5, first: 0, span: 10, seed: 4 }]);
});

test.each([
  [[{ do: "erase", count: 4 }], /erases 1 keys more than there are/],
  [
    [
      { do: "erase", count: 3 },
      { do: "find", count: 1, of: "staying" },
    ],
    /keys that are staying, and there are none/,
  ],
  // Keys that come in the same dispatch are not there for sure.
  [
    [
      {
        do: "mixed",
        parts: [
          { do: "insert", count: 1 },
          { do: "erase", count: 4 },
        ],
      },
    ],
    /erases 1 keys more/,
  ],
  [[{ do: "insert", count: NEVER }], /no more keys/],
] as const)("a round that asks for what there is not is refused: %#", (round, message) => {
  expect(() => place(round, { from: 1, to: 4 })).toThrow(message);
});

test("a filling is in parts, unless it is shuffled", () => {
  const parts = placeFilling({ count: 10 }, 4).flatMap(({ steps }) => steps);
  expect(parts.map(({ count, parts: [part] }) => [part?.first, count])).toEqual([
    [0, 4],
    [4, 4],
    [8, 2],
  ]);
  const [whole, ...others] = placeFilling({ count: 10, shuffled: true }, 4).flatMap(({ steps }) => steps);
  expect([whole?.count, whole?.shuffled, others]).toEqual([10, true, []]);
});
