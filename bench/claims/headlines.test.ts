import { expect, test } from "vitest";
import { claims, headlines } from "../experiments/index.js";
import { paperOf, papers } from "./papers.js";

test("every paper has five to eight headlines", () => {
  expect(headlines.map(({ paper }) => paper)).toEqual(papers.map(({ id }) => id));
  for (const { paper, conclusions } of headlines) {
    expect(conclusions.length, paper).toBeGreaterThanOrEqual(5);
    expect(conclusions.length, paper).toBeLessThanOrEqual(8);
  }
});

test.each(headlines)(
  "the headlines of $paper are answered by claims of its own, each by others",
  ({ paper, conclusions }) => {
    const named = conclusions.flatMap((one) => one.claims);
    expect(new Set(named).size).toBe(named.length);
    for (const id of named) {
      expect(paperOf(id)).toBe(paper);
      expect(
        claims.find((claim) => claim.id === id),
        id,
      ).toMatchObject({ id });
      expect(claims.find((claim) => claim.id === id)?.origin, id).toBeUndefined();
    }
  },
);
