import { describe, expect, test } from "vitest";
import type { PaperDevice } from "../papers.js";
import type { ResultRow } from "../results/record.js";
import type { DeviceRates } from "./checks.js";
import type { Check, Claim, Expectation, Mean, Select } from "./claim.js";
import { evaluate } from "./evaluate.js";
import { verdictInWords } from "./score.js";
import { rowOf } from "./testing.js";

const known = { experiments: new Set(["gph/fig10", "device/limits"]), tables: new Set(["bucketed", "cuckoo"]) };

function claim(check: Check): Claim {
  return { id: "gph/fig10:x", experiment: "gph/fig10", text: "", paper: "", device: "Tesla V100S", check };
}

const rates = { "copy bandwidth": 2268, "random updates": 3350, "random reads": 2600 };
const unmeasured = { "copy bandwidth": null, "random updates": null, "random reads": null };

function score(check: Check, rows: readonly ResultRow[], found: DeviceRates = rates) {
  return evaluate(claim(check), rows, found, known);
}

const EXACT = { lo: null, hi: null };
/** bucketed at 10, 20, 30 and cuckoo at 5, 20, 60 for positive ratios 0, 0.5, 1; each ± 10 %. */
const noisy = [
  ...[10, 20, 30].map((value, i) => rowOf({ table: "bucketed", positive_ratio: i / 2, value })),
  ...[5, 20, 60].map((value, i) => rowOf({ table: "cuckoo", positive_ratio: i / 2, value })),
];
const rows = noisy.map((row) => ({ ...row, ...EXACT }));
const bucketed = { table: "bucketed" };
const cuckoo = { table: "cuckoo" };

test("a quotient pairs cells by the coordinates that no side names", () => {
  const found = score({ kind: "ratio", of: bucketed, over: cuckoo, mean: "geometric", expect: { near: 1 } }, rows);
  expect(found).toMatchObject({ verdict: "reproduced", ours: "1×" });
  expect(found.rows).toHaveLength(6);
});

test("the ends of the intervals are carried through a quotient", () => {
  const one = { ...bucketed, positiveRatio: 0.5 };
  const other = { ...cuckoo, positiveRatio: 0.5 };
  const found = score({ kind: "ratio", of: one, over: other, mean: "every", expect: { atLeast: 1 } }, noisy);
  expect(found.interval).toBe("0.818 to 1.22");
});

test("`every` is judged by the least favourable pair", () => {
  const atLeast = score({ kind: "ratio", of: bucketed, over: cuckoo, mean: "every", expect: { atLeast: 1 } }, rows);
  expect(atLeast).toMatchObject({ verdict: "not reproduced", ours: "0.5×" });
  const atMost = score({ kind: "ratio", of: bucketed, over: cuckoo, mean: "every", expect: { atMost: 1 } }, rows);
  expect(atMost).toMatchObject({ verdict: "not reproduced", ours: "2×" });
});

/** bucketed at the values and cuckoo at 100, by n. */
function quotients(values: readonly number[]): ResultRow[] {
  return values.flatMap((value, i) => [
    rowOf({ table: "bucketed", n: 2 ** i, value, ...EXACT }),
    rowOf({ table: "cuckoo", n: 2 ** i, value: 100, ...EXACT }),
  ]);
}

test.each([
  [[120, 110, 130, 106, 120], "reproduced", "reproduced"],
  [[120, 110, 130, 106, 98], "in part", "in part, 4 of 5"],
  [[120, 110, 130, 106, 90], "in part", "in part, 4 of 5"],
  [[120, 98, 102, 97, 103], "undecided", "undecided"],
  [[120, 110, 90, 90, 90], "not reproduced", "not reproduced"],
  [[90, 98, 102, 97, 103], "not reproduced", "not reproduced"],
] as const)("a statement that all of %j are above 100 is %s", (values, verdict, inWords) => {
  const check: Check = { kind: "ratio", of: bucketed, over: cuckoo, mean: "every", expect: { atLeast: 1 } };
  const found = score(check, quotients(values));
  expect(found.verdict).toBe(verdict);
  expect(verdictInWords(found)).toBe(inWords);
});

test("a factor above 1 does not agree with one below, however near", () => {
  const check: Check = { kind: "ratio", of: bucketed, over: cuckoo, mean: "geometric", expect: { near: 1.1 } };
  expect(score(check, quotients([130])).verdict).toBe("reproduced");
  expect(score(check, quotients([98])).verdict).toBe("undecided");
  expect(score(check, quotients([90])).verdict).toBe("not reproduced");
});

test("a mean is judged as a single cell is", () => {
  const verdict = (mean: Mean, values: readonly number[]) =>
    score({ kind: "ratio", of: bucketed, over: cuckoo, mean, expect: { atLeast: 1 } }, quotients(values)).verdict;
  for (const [value, expected] of [
    [110, "reproduced"],
    [103, "undecided"],
    [97, "undecided"],
    [90, "not reproduced"],
  ] as const) {
    expect(verdict("every", [value])).toBe(expected);
    expect(verdict("geometric", [value, value])).toBe(expected);
  }
});

test("counts have no ties of a twentieth", () => {
  const counted = rowOf({ table: "bucketed", metric: "probes", value: 2.9, ...EXACT });
  const check: Check = { kind: "value", of: { ...bucketed, metric: "probes" }, mean: "max", expect: { atMost: 3 } };
  expect(score(check, [counted]).verdict).toBe("reproduced");
  expect(score(check, [{ ...counted, value: 3.1 }]).verdict).toBe("not reproduced");
});

test("where two are said to be alike, a quotient that is not has no direction of the paper's", () => {
  const quotient = (near: number): Check => {
    const one = { ...bucketed, positiveRatio: 1 };
    return { kind: "ratio", of: one, over: { ...cuckoo, positiveRatio: 1 }, mean: "every", expect: { near } };
  };
  const reason = (check: Check) => evaluate({ ...claim(check), paper: "alike" }, rows, rates, known).reason;
  expect(reason(quotient(1))).not.toContain("direction");
  expect(reason(quotient(2))).toContain("The direction is not the paper's.");
});

test("quotients of different units are multiplied by what is between them, and written as shares where the paper does", () => {
  const check: Check = {
    kind: "ratio",
    of: { ...bucketed, positiveRatio: 1 },
    over: { ...cuckoo, positiveRatio: 1 },
    mean: "every",
    times: 0.5,
    expect: { near: 0.25 },
  };
  expect(evaluate({ ...claim(check), paper: "25 %" }, rows, rates, known)).toMatchObject({
    verdict: "reproduced",
    ours: "25 %",
  });
  expect(score(check, noisy).interval).toBe("0.205 to 0.306");
});

test("an order holds if each is above the next", () => {
  const at = (positiveRatio: number) => ({ positiveRatio });
  const of = (list: object[]): Check => ({ kind: "order", of: list, mean: "geometric", by: [] });
  const [low, middle, high] = [0, 0.5, 1].map((ratio) => ({ ...bucketed, ...at(ratio) }));
  expect(score(of([high ?? {}, middle ?? {}, low ?? {}]), rows)).toMatchObject({ verdict: "reproduced" });
  expect(score(of([high ?? {}, low ?? {}, middle ?? {}]), rows)).toMatchObject({
    verdict: "not reproduced",
    outcome: { agreeing: 1, all: 2 },
  });
});

test("trends are judged for each series", () => {
  const trend = (of: object, expected: "rises" | "falls" | "flat") =>
    score({ kind: "trend", of, along: "positive_ratio", expect: expected }, rows);
  expect(trend({}, "rises")).toMatchObject({ verdict: "reproduced", ours: "3× to 12×" });
  expect(trend({}, "falls").verdict).toBe("not reproduced");
  expect(trend(bucketed, "flat").verdict).toBe("not reproduced");
});

test("a trend of quotients", () => {
  const check: Check = { kind: "trend", of: bucketed, over: cuckoo, along: "positive_ratio", expect: "falls" };
  expect(score(check, rows)).toMatchObject({ verdict: "reproduced", ours: "0.25×" });
  expect(score({ ...check, expect: "rises" }, rows).verdict).toBe("not reproduced");
});

test("a tie back is no change of direction, nor a larger step amid others, but one in a few points is", () => {
  const series = (values: number[]) =>
    values.map((value, i) => rowOf({ table: "bucketed", n: 2 ** (10 + i), value, ...EXACT }));
  const check: Check = { kind: "trend", of: bucketed, along: "n", expect: "rises" };
  expect(score(check, series([10, 20, 19.2, 30])).verdict).toBe("reproduced");
  expect(score(check, series([10, 20, 18, 30])).verdict).toBe("not reproduced");
  const five = [10, 20, 18, 30, 40];
  expect(score(check, series(five)).verdict).toBe("reproduced");
  expect(score(check, series(five.with(4, 19))).verdict).toBe("not reproduced");
  const more = [10, 20, 40, 30, 60, 80];
  expect(score(check, series(more)).verdict).toBe("reproduced");
  expect(score(check, series(more.with(2, 90))).verdict).toBe("not reproduced");
  expect(score(check, series(more.with(5, 5))).verdict).toBe("not reproduced");
  expect(score(check, series([100, 101, 102])).verdict).toBe("undecided");
  expect(score(check, series([102, 101, 100])).verdict).toBe("undecided");
});

test("a series is flat if its largest is at most a quarter above its smallest", () => {
  const flat = (values: number[], metric = "mops") => {
    const series = values.map((value, i) => rowOf({ table: "bucketed", n: 2 ** i, metric, value, ...EXACT }));
    return score({ kind: "trend", of: { ...bucketed, metric }, along: "n", expect: "flat" }, series).verdict;
  };
  expect(flat([100, 124, 110])).toBe("reproduced");
  expect(flat([100, 128, 110])).toBe("undecided");
  expect(flat([100, 140, 110])).toBe("not reproduced");
  expect(flat([100, 124, 110], "probes")).toBe("not reproduced");
});

test("a crossing is found between two points", () => {
  const check: Check = { kind: "crossing", of: bucketed, over: cuckoo, along: "positive_ratio", from: "above" };
  expect(score({ ...check, by: ["positive_ratio"] }, rows)).toMatchObject({ verdict: "reproduced", ours: "at 0.5" });
  const near = (place: number) => score({ ...check, by: ["positive_ratio"], expect: { near: place } }, rows).verdict;
  expect([near(0.4), near(0.9)]).toEqual(["reproduced", "not reproduced"]);
  const barely = rows.map((row) => (row.table === "cuckoo" && row.value === 60 ? { ...row, value: 30.5 } : row));
  expect(score({ ...check, by: ["positive_ratio"] }, barely).verdict).toBe("undecided");
  const never = score({ ...check, by: ["positive_ratio"], from: "below" }, rows);
  expect(never).toMatchObject({ verdict: "not reproduced", ours: "never" });
});

test("a crossing of the regression is the one in the direction asked for, whatever single points do", () => {
  // Times of 1000 and a parabola more: below 0 from 3 to 12, but for one point.
  const series = Array.from({ length: 20 }, (_, i) => {
    const n = i + 1;
    const more = n === 6 ? 5 : (n - 3) * (n - 12);
    return [rowOf({ table: "bucketed", n, value: 1000 + more }), rowOf({ table: "cuckoo", n, value: 1000 })];
  }).flat();
  const check: Check = { kind: "crossing", regression: 2, of: bucketed, over: cuckoo, along: "n", from: "below" };
  const rising = score(check, series);
  expect(rising.verdict).toBe("reproduced");
  expect(Number(rising.ours.replace("at ", ""))).toBeCloseTo(12, 0);
  expect(rising.rows).toHaveLength(40);
  expect(Number(score({ ...check, from: "above" }, series).ours.replace("at ", ""))).toBeCloseTo(3, 0);
  const flat = series.map((row) => (row.table === "bucketed" ? { ...row, value: 900 } : row));
  expect(score(check, flat)).toMatchObject({ verdict: "not reproduced", ours: "never" });
  expect(score(check, series.slice(0, 4)).verdict).toBe("not run");
});

test("a share is written in per cent where the paper writes it so", () => {
  const share = [rowOf({ table: "bucketed", metric: "warp_efficiency", unit: "ratio", value: 0.2545 })];
  const check: Check = {
    kind: "value",
    of: { metric: "warp_efficiency" },
    mean: "median",
    expect: { near: 0.25 },
  };
  expect(evaluate({ ...claim(check), paper: "25 %" }, share, unmeasured, known)).toMatchObject({
    verdict: "reproduced",
    ours: "25.5 %",
    interval: "22.9 to 28",
    reason: "One cell; accepted: 22.5 to 27.5 %.",
  });
  expect(evaluate({ ...claim(check), paper: "0.25" }, share, unmeasured, known).ours).toBe("0.255");
});

test("peaks and drops have a place along the axis, known up to those beside it", () => {
  const series = (values: number[]) =>
    values.map((value, i) => rowOf({ table: "bucketed", load_factor: 0.2 + 0.2 * i, value, ...EXACT }));
  const at = (kind: "peak" | "drop", near: number, values = [10, 40, 35, 20]) =>
    score({ kind, of: bucketed, along: "load_factor", expect: { near } }, series(values));
  expect(at("peak", 0.5)).toMatchObject({ verdict: "reproduced", ours: "at 0.4", interval: "0.2 to 0.6" });
  expect(at("peak", 0.7).verdict).toBe("not reproduced");
  expect(at("peak", 0.7, [10, 40, 39, 20]).verdict).toBe("undecided");
  expect(at("drop", 0.5)).toMatchObject({ verdict: "reproduced", ours: "at 0.5" });
  expect(at("drop", 0.7).verdict).toBe("not reproduced");
  expect(at("drop", 0.7, [10, 40, 39, 20]).verdict).toBe("reproduced");
});

test("an absolute number is not comparable, and is scaled by the bandwidths", () => {
  const check: Check = {
    kind: "absolute",
    of: { ...bucketed, positiveRatio: 1 },
    mean: "max",
    unit: "M op/s",
    paper: { near: 15 },
    scales: "rate",
  };
  expect(score(check, rows)).toMatchObject({ verdict: "not comparable", ours: "30 M op/s", scaled: "30 M op/s" });
  expect(score(check, rows).reason).toContain("ours is 1 times that");
  expect(score(check, rows, unmeasured)).toMatchObject({ verdict: "not comparable", scaled: "" });
  // Twice the bandwidth: half the time.
  const time: Check = { ...check, scales: "time", paper: { near: 30 } };
  expect(score(time, rows)).toMatchObject({ scaled: "15 M op/s" });
});

test("a number of something else than the paper's is shown, not judged", () => {
  const check: Check = { kind: "value", of: { ...bucketed, positiveRatio: 1 }, mean: "max", expect: { near: 30 } };
  const [judged, shown] = [claim(check), { ...claim(check), incomparable: "Their table is another." }];
  expect(evaluate(judged, rows, unmeasured, known).verdict).toBe("reproduced");
  expect(evaluate(shown, rows, unmeasured, known)).toMatchObject({
    verdict: "not comparable",
    ours: "30 M op/s",
    reason: "Their table is another.",
    cause: null,
  });
});

test("what waits for random accesses is scaled by those, where the paper measured them", () => {
  const check: Check = {
    kind: "absolute",
    of: { ...bucketed, positiveRatio: 1 },
    mean: "max",
    unit: "M op/s",
    paper: { near: 10 },
    scales: "rate",
    waits: "random updates",
  };
  const of = (device: PaperDevice) => evaluate({ ...claim(check), device }, rows, rates, known);
  expect(of("GTX 480").scaled).toBe("50 M op/s");
  expect(of("GTX 480").reason).not.toContain("those of");
  expect(of("GTX 470").scaled).toBe("66.2 M op/s");
  expect(of("GTX 470").reason).toContain("506 M/s there, those of a GTX 480 by both bandwidths");
  expect(of("Tesla V100S").scaled).toBe("");
});

test("correlation is of two metrics of the same cells", () => {
  const both = rows.flatMap((row) => [row, { ...row, metric: "probes", value: -2 * (row.value ?? 0) + 1 }]);
  const check: Check = { kind: "correlation", of: {}, x: "probes", y: "mops", expect: { atMost: -0.99 } };
  expect(score(check, both)).toMatchObject({ verdict: "reproduced", ours: "-1.0000" });
});

test("what stands in for a quantity agrees or does not, and reproduces nothing", () => {
  const counted = rows.map((row) => ({ ...row, metric: "transactions" }));
  const expecting = (expect: Expectation): Check => ({
    kind: "value",
    of: { metric: "transactions" },
    mean: "max",
    expect,
  });
  expect(score(expecting({ atLeast: 0 }), counted)).toMatchObject({ verdict: "stand-in", outcome: { says: "agrees" } });
  const differs = score(expecting({ atMost: -1 }), counted);
  expect(differs).toMatchObject({ verdict: "stand-in", outcome: { says: "differs" } });
  expect(verdictInWords(differs)).toBe("stand-in, does not agree");
});

test("correlation is of a column and a metric, too", () => {
  const shares = [0, 0.25, 0.5, 1];
  const cells = shares.map((share) => rowOf({ table: "cuckoo", positive_ratio: share, value: 40 - 20 * share }));
  const check: Check = { kind: "correlation", of: cuckoo, x: "positive_ratio", y: "mops", expect: { atMost: -0.99 } };
  expect(score(check, cells)).toMatchObject({ verdict: "reproduced", ours: "-1.0000", rows: cells });
  const bent = cells.map((row, i) => ({ ...row, value: [40, 10, 30, 20][i] ?? 0 }));
  expect(score(check, bent)).toMatchObject({ verdict: "not reproduced" });
});

test.each([
  [{ of: { experiment: "gph/fig99" } }, "The experiment gph/fig99 does not exist yet."],
  [{ of: { table: "gph" } }, "These results have no rows of gph, which is not in this package."],
  [{ of: { table: "bucketed", n: 7 } }, "These results have no cell that fits: bucketed, n 7."],
  [{ of: { experiment: "device/limits" } }, "These results have no rows of device/limits."],
] as const)("without rows it is not run, and says why: %j", (part, reason) => {
  const check: Check = { kind: "value", mean: "max", expect: { near: 1 }, ...part };
  expect(score(check, rows)).toMatchObject({ verdict: "not run", reason, ours: "", rows: [] });
});

test("rows of a table that this process does not know are judged: of a native one", () => {
  const native = rows.map((row) => ({ ...row, table: "libcuckoo" }));
  const check: Check = { kind: "value", of: { table: "libcuckoo" }, mean: "max", expect: { atLeast: 0 } };
  expect(score(check, native)).toMatchObject({ verdict: "reproduced" });
});

describe("a cause", () => {
  const quotient = (mean: Mean, atLeast: number, of: Select = cuckoo): Check => {
    return { kind: "ratio", of, over: bucketed, mean, expect: { atLeast } };
  };
  const slow = quotient("every", 1);
  const more = (atLeast: number): Check => quotient("max", atLeast);
  const caused = (check: Check, ...checks: readonly [Check, ...Check[]]): Claim => {
    return { ...claim(check), cause: { text: "It is the load.", checks } };
  };
  const of = (one: Claim, found = rows) => evaluate(one, found, unmeasured, known).cause;

  test("is shown where all of its checks hold, with their numbers and the rows behind them", () => {
    const cause = of(caused(slow, more(1.8), quotient("min", 0.4)));
    expect(cause).toMatchObject({ shown: true, text: "It is the load." });
    expect(cause?.evidence).toContain("2×: The largest of 3 quotients");
    expect(cause?.evidence).toContain("0.5×: The smallest of 3 quotients");
    expect(cause?.rows).toHaveLength(6);
  });

  test("is not shown where one of its checks does not hold, and that one is told", () => {
    const cause = of(caused(slow, more(1.8), more(3)));
    expect(cause).toMatchObject({ shown: false });
    expect(cause?.evidence).toMatch(/^2×: .* accepted: at least 3\./);
    expect(cause?.evidence).not.toContain("at least 1.8");
    expect(cause?.evidence).not.toContain("paper");
  });

  test("is not shown without the rows that its checks need, which may be of another experiment", () => {
    const elsewhere = quotient("max", 1.8, { experiment: "device/limits" });
    expect(of(caused(slow, elsewhere))).toMatchObject({
      shown: false,
      evidence: "These results have no rows of device/limits.",
    });
    const there = rows.map((row) => ({ ...row, experiment: "device/limits", value: 100 }));
    expect(of(caused(slow, elsewhere), [...rows, ...there])).toMatchObject({ shown: true });
  });

  test("is asked for only where the claim is not reproduced", () => {
    expect(of(caused(more(1.8), more(1.8)))).toBeNull();
    expect(of(caused(slow, more(1.8)), [])).toBeNull();
    expect(of(claim(slow))).toBeNull();
  });
});

test("cells that failed say so", () => {
  const failed = [rowOf({ table: "cuckoo", status: "failed", reason: "a wrong value", value: null })];
  const check: Check = { kind: "value", of: cuckoo, mean: "max", expect: { near: 1 } };
  expect(score(check, failed).reason).toBe("Its cells have no number: failed, a wrong value.");
});
