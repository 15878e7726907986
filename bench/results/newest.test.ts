import { expect, test } from "vitest";
import { byAge, newestOf, newestRuns, sharedNewestRuns } from "./newest.js";
import type { ResultRow } from "./record.js";
import { rowsOf } from "./rows.js";
import { cell, metric, result, runInfo } from "./testing.js";

const MINUTE = 60_000;

/** The rows of one cell, from a run of this id that recorded it so many minutes after 1970. */
function recorded(run: string, minute: number, seed = 1, metrics = [metric("mops", 1)]): ResultRow[] {
  return rowsOf(cell({ seed }), result({ metrics }), { ...runInfo, run }, new Date(minute * MINUTE));
}

test("the run that recorded the cell last is the newest, whichever began first", () => {
  const sweep = recorded("20260101T000000Z", 30);
  const short = recorded("20260101T001000Z", 11);
  expect(newestRuns([...sweep, ...short])).toEqual(sweep);
  expect(newestRuns([...short, ...sweep])).toEqual(sweep);
});

test("shards that began in one second are told apart by time, not by their numbers", () => {
  const [second, tenth] = [recorded("20260101T000000Z-2of12", 1), recorded("20260101T000000Z-10of12", 2)];
  expect(newestRuns([...tenth, ...second])).toEqual(tenth);
});

test("in the same millisecond the id decides, whatever the order of the rows", () => {
  const [a, b] = [recorded("a", 1), recorded("b", 1)];
  expect(newestRuns([...a, ...b])).toEqual(b);
  expect(newestRuns([...b, ...a])).toEqual(b);
});

test("all metrics of the newest run stay, none of an older one", () => {
  const old = recorded("old", 1, 1, [metric("mops", 1), metric("probes", 2)]);
  const fresh = recorded("new", 2, 1, [metric("mops", 3), metric("time", 4)]);
  expect(newestRuns([...old, ...fresh])).toEqual(fresh);
});

test("callers that share them get the same rows, worked out once for an array", () => {
  const rows = [...recorded("a", 1), ...recorded("b", 2), ...recorded("c", 1, 2)];
  expect(sharedNewestRuns(rows)).toEqual(newestRuns(rows));
  expect(sharedNewestRuns(rows)).toBe(sharedNewestRuns(rows));
});

test("each cell has a newest run of its own", () => {
  const [one, other] = [recorded("a", 1, 1), recorded("b", 2, 2)];
  expect(newestRuns([...one, ...other])).toEqual([...one, ...other]);
  expect(newestRuns([...one, ...other], ({ table }) => table)).toEqual(other);
});

test("times are compared as times, however they are written", () => {
  const at = (time: string) => ({ run: "r", time });
  expect(byAge(at("2026-01-01T00:00:00Z"), at("2026-01-01T00:00:00.500Z"))).toBeLessThan(0);
  expect(newestOf([at("2026-01-01T00:00:00.500Z"), at("2026-01-01T00:00:00Z")])?.time).toContain(".500");
  expect(newestOf([])).toBeNull();
});
