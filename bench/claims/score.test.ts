import { expect, test } from "vitest";
import { row } from "../results/testing.js";
import { judgedBy, type Score, statementsOf, type Verdict } from "./score.js";
import { stated } from "./testing.js";

/** Scores of one sentence's numbers. */
function numbers(...verdicts: readonly Verdict[]): Score[] {
  const first = stated("max a ~ 1x");
  return verdicts.map((verdict, i) => {
    const claim = i === 0 ? first : { ...first, id: `${first.id}-${i}`, of: first.id };
    return { claim, verdict, ours: "", interval: "", scaled: "", reason: "", rows: [] };
  });
}

test("the numbers of a sentence are one statement, others are each their own", () => {
  const [a, b] = numbers("reproduced", "reproduced") as [Score, Score];
  const other: Score = { ...a, claim: { ...a.claim, id: "gph/fig10:other" } };
  expect(statementsOf([a, other, b]).map(({ scores }) => scores)).toEqual([[a, b], [other]]);
});

test.each<[Verdict, Verdict[]]>([
  ["reproduced", ["reproduced", "holds, small", "not comparable"]],
  ["holds, small", ["holds, small", "not run"]],
  ["in part", ["reproduced", "reproduced", "not reproduced"]],
  ["in part", ["in part", "reproduced"]],
  ["not reproduced", ["reproduced", "not reproduced"]],
  ["no difference", ["reproduced", "no difference", "undecided"]],
  ["undecided", ["reproduced", "undecided"]],
  ["stand-in", ["stand-in", "stand-in"]],
  ["not comparable", ["not comparable", "not run"]],
])("a statement holds if all its numbers do, in part if most do: %s", (verdict, own) => {
  expect(statementsOf(numbers(...own)).map((one) => one.verdict)).toEqual([verdict]);
});

test("a score by the authors' programs names those, our ports beside them, and what ports alone say", () => {
  const [own, ports] = numbers("reproduced", "not reproduced") as [Score, Score];
  const program = row({ api: "cuda", table: "warpcore-cuda", system: { title: "WarpCore SingleValueHashTable" } });
  const both = {
    ...own,
    by: "originals",
    ports: { ...ports, ours: "0.8×" },
    rows: [program, row({ table: "gph" })],
  } as const;
  expect(judgedBy(both)).toBe(
    "by the authors' programs: WarpCore, our ports: gph; by our ports alone: 0.8×, not reproduced",
  );
  expect(judgedBy({ ...own, by: "ports" })).toBe("by our ports");
  expect(judgedBy(own)).toBe("");
});
