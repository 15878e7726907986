import { expect, test } from "vitest";
import { plainText } from "../../bench/base/document.js";
import type { Score, Verdict } from "../../bench/claims/score.js";
import { stated } from "../../bench/claims/testing.js";
import { row } from "../../bench/results/testing.js";
import { buildReport, type ScoredClaim } from "./contents.js";
import { summary } from "./summary.js";

const claim = stated("max a ~ 1x");

function score(verdict: Verdict, more: Partial<Score> = {}): Score {
  return { claim, verdict, ours: "", interval: "", scaled: "", reason: "", rows: [], ...more };
}

/** The cells of GPH's line, of one conclusion per list of scores, each of which is of a device. */
function line(...conclusions: readonly (readonly Score[])[]): string[] {
  const devices = ["one", "two"].slice(0, conclusions[0]?.length);
  const rows = devices.map((device) => row({ device }));
  const empty = buildReport({ rows, hosts: new Map(), experiments: [], claims: [], scorecard: () => [] });
  const answers: ScoredClaim[] = conclusions.map((scores) => ({ claim, scores }));
  const told = answers.map((one, i) => ({ short: `c${i + 1}`, quote: "", section: "1", claims: [one] }));
  const headlines = [{ paper: "gph" as const, about: "", conclusions: told }];
  const blocks = summary({ ...empty, headlines, papers: [{ paper: "gph", claims: answers }] }, () => "#there");
  const [, table] = blocks;
  return table?.kind === "table" ? (table.rows[0] ?? []).map(plainText) : [];
}

test("a paper's conclusions stand by what becomes of them", () => {
  const verdicts: Verdict[] = [
    "reproduced",
    "holds, small",
    "in part",
    "undecided",
    "no difference",
    "stand-in",
    "not run",
  ];
  expect(line(...verdicts.map((verdict) => [score(verdict)])).slice(1, 5)).toEqual([
    "c1; c2",
    "c3; c4",
    "c5",
    "c6; c7",
  ]);
});

test("where devices differ, a conclusion stands with each", () => {
  const [, holds, , not] = line(
    [score("reproduced"), score("not reproduced")],
    [score("reproduced"), score("reproduced")],
  );
  expect([holds, not]).toEqual(["c1 (one); c2", "c1 (two)"]);
});

test("the last column says beside whose programs, by device where those differ", () => {
  const program = row({ api: "cuda", table: "warpcore-cuda" });
  const originals = score("reproduced", { by: "originals", rows: [program, row()] });
  const ports = score("reproduced", { by: "ports" });
  expect(line([originals, originals]).at(-1)).toBe("the authors' programs (warpcore-cuda): 1");
  expect(line([originals, ports], [score("stand-in"), score("stand-in")]).at(-1)).toBe(
    "one: the authors' programs (warpcore-cuda): 1; stand-ins: 1. two: our ports: 1; stand-ins: 1",
  );
});
