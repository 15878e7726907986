import { expect, test } from "vitest";
import { printText } from "../../bench/base/document.js";
import type { Score, Verdict } from "../../bench/claims/score.js";
import { stated } from "../../bench/claims/testing.js";
import { claimsBlocks } from "./claims-table.js";

function claimsTable(scores: readonly Score[], { width, software }: { width: number; software: boolean }): string {
  return printText(claimsBlocks(scores, software), Math.max(80, width)).trimEnd();
}

function score(verdict: Verdict, changes: Partial<Score> = {}, name = "a"): Score {
  return {
    claim: {
      ...stated("median * ~ 25.45 %", "GTX 780"),
      id: `stadium/table1:${name}`,
      experiment: "stadium/table1",
      text: "Insertion into cuckoo keeps 25.45 % of a warp's lanes active at load factor 0.8.",
      because: "It is the load.",
    },
    verdict,
    ours: verdict === "not run" ? "" : "26.1 %",
    interval: "",
    scaled: "",
    reason: "One cell; accepted: 22.9 to 28 %.",
    rows: [],
    ...changes,
  };
}

const wide = { width: 120, software: false };

test("a claim stands beside the paper's number, ours and the verdict", () => {
  expect(claimsTable([score("reproduced")], { ...wide, width: 140 })).toBe(
    `stadium/table1, what the paper claims of a GTX 780: 1 reproduced

claim                                                                               paper    here  verdict
Insertion into cuckoo keeps 25.45 % of a warp's lanes active at load factor 0.8.  25.45 %  26.1 %  reproduced`,
  );
});

test("claims that could not be judged are counted by their reasons", () => {
  const reason = "Table clstash does not exist yet.";
  const scores = [score("not run", { reason }), score("not reproduced"), score("not run", { reason })];
  const text = claimsTable(scores, wide);
  expect(text).toContain("what the paper claims of a GTX 780: 1 not reproduced, 2 not run");
  expect(text).toContain("not run: 2 × Table clstash does not exist yet.");
  expect(text.match(/Insertion into/g)).toHaveLength(1);
});

test("an absolute number has the paper's scaled one beside it", () => {
  const text = claimsTable([score("not comparable", { ours: "9 G op/s", scaled: "8 G op/s" })], wide);
  expect(text).toContain("9 G op/s (paper scaled: 8 G op/s)  not comparable");
});

test("claims of ours are counted apart from the paper's", () => {
  const mine = score("reproduced");
  const text = claimsTable([score("not reproduced"), { ...mine, claim: { ...mine.claim, origin: "hashbench" } }], wide);
  expect(text).toContain("what the paper claims of a GTX 780: 1 not reproduced; of ours: 1 reproduced");
  expect(text).toMatch(/25\.45 % +26/);
  expect(text).toContain("25.45 % (ours)");
});

const differs = { outcome: { says: "differs", agreeing: 0, differing: 1, all: 1 } } as const;

test("why a claim does not hold stands below the claims", () => {
  expect(claimsTable([score("not reproduced", differs)], wide)).toMatch(/Why not:\sIt\sis\sthe\sload\./);
  expect(claimsTable([score("reproduced")], wide)).not.toContain("Why not");
});

test("of a software adapter the claims alone are shown that could be judged", () => {
  const scores = [
    score("reproduced"),
    score("not reproduced"),
    score("not comparable", { ours: "3 M op/s" }),
    score("not run", { reason: "These results have no cell that fits: n 33,554,432." }),
  ];
  const text = claimsTable(scores, { width: 140, software: true });
  expect(text).toMatch(/^Software adapter: .* 2 claims need a GPU, or its sizes\.\n/);
  expect(text).toContain("1 reproduced, 1 not reproduced\n");
  for (const absent of ["3 M op/s", "33,554,432", "not comparable"]) expect(text).not.toContain(absent);
  expect(claimsTable(scores, wide)).not.toContain("Software");
});

test("a stand-in says whether it agrees, on a software adapter too", () => {
  const text = claimsTable([score("stand-in", { outcome: { says: "agrees", agreeing: 1, differing: 0, all: 1 } })], {
    width: 140,
    software: true,
  });
  expect(text).toContain("GTX 780: 1 stand-in");
  expect(text).toMatch(/26\.1 % +stand-in, agrees$/m);
});

test.each([80, 100])("no line is longer than %i columns", (width) => {
  const long = score("not reproduced", { ...differs, ours: "1.01× (stash-hybrid ticket 8 / stash-hybrid ticket 4)" });
  const claim = { ...long.claim, because: "Because of this and of that. ".repeat(9) };
  const lines = claimsTable([{ ...long, claim }, score("not run"), score("reproduced")], {
    width,
    software: true,
  }).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
});

test("each experiment has a block of its own", () => {
  const other = score("reproduced");
  const claim = { ...other.claim, experiment: "stadium/fig13" };
  expect(claimsTable([other, { ...other, claim }], wide).split("\n\n").length).toBe(4);
});
