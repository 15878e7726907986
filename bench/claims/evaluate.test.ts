import { expect, test } from "vitest";
import type { ResultRow } from "../results/record.js";
import type { Claim } from "./claim.js";
import { evaluate, type Known } from "./evaluate.js";
import type { DeviceRates } from "./numbers.js";
import type { PaperDevice } from "./papers.js";
import { becauseOf, judgedBy, type Score, verdictInWords } from "./score.js";
import { rowOf, stated } from "./testing.js";

const KNOWN: Known = {
  experiments: new Map([
    ["gph/fig10", []],
    ["device/limits", []],
  ]),
  tables: new Set(["bucketed", "cuckoo"]),
  originals: { cuckoo: "cudpp-cuckoo", warpcore: "warpcore-cuda" },
  software: false,
};
const RATES: DeviceRates = { "copy bandwidth": 2268, "random updates": 3350, "random reads": 2600 };
const UNMEASURED: DeviceRates = { "copy bandwidth": null, "random updates": null, "random reads": null };

/** What rows say of it. */
function score(claim: string | Claim, rows: readonly ResultRow[], rates: DeviceRates = RATES): Score {
  return evaluate(typeof claim === "string" ? stated(claim) : claim, rows, rates, KNOWN);
}

const EXACT = { lo: null, hi: null };
/** bucketed at 10, 20, 30 and cuckoo at 5, 20, 60 for positive ratios 0, 0.5, 1; each ± 10 %. */
const noisy = [
  ...[10, 20, 30].map((value, i) => rowOf({ table: "bucketed", positive_ratio: i / 2, value })),
  ...[5, 20, 60].map((value, i) => rowOf({ table: "cuckoo", positive_ratio: i / 2, value })),
];
const rows = noisy.map((row) => ({ ...row, ...EXACT }));

test("a quotient pairs cells by the coordinates that no side names", () => {
  const found = score("geomean bucketed / cuckoo ~ 1x", rows);
  expect(found).toMatchObject({ verdict: "reproduced", ours: "1×" });
  expect(found.rows).toHaveLength(6);
});

test("the ends of the intervals are carried through a quotient", () => {
  expect(score("every bucketed > cuckoo where positive_ratio=0.5", noisy).interval).toBe("0.818 to 1.22");
});

test("`every` is judged by the least favourable pair", () => {
  expect(score("every bucketed > cuckoo", rows)).toMatchObject({ verdict: "not reproduced", ours: "0.5×" });
  expect(score("every bucketed / cuckoo <= 1", rows)).toMatchObject({ verdict: "in part", ours: "2×" });
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
  [[120, 98, 102, 97, 103], "in part", "in part, 3 of 5"],
  [[103, 102, 101, 102, 104], "holds, small", "holds, small"],
  [[100.1, 99.9, 100, 100.1, 99.9], "no difference", "no difference"],
  [[120, 110, 90, 90, 90], "not reproduced", "not reproduced"],
  [[90, 98, 102, 97, 103], "not reproduced", "not reproduced"],
] as const)("a statement that all of %j are above 100 is %s", (values, verdict, inWords) => {
  const found = score("every bucketed > cuckoo", quotients(values));
  expect(found.verdict).toBe(verdict);
  expect(verdictInWords(found)).toBe(inWords);
});

test.each([
  ["1.33x", [1.25, 1.41, 1.33], [1.2, 1.45, 1.02, 0.9]],
  ["1.04..1.19x", [1.03, 1.23], [1.4, 1.02, 0.98]],
  ["10x", [7.8, 12.2], [7, 13]],
  // As a speed-up of 1.25 of the other side.
  ["0.8x", [0.77, 0.84], [0.7, 0.9, 1.2]],
  ["1x", [0.91, 1.09], [0.89, 1.11]],
] as const)("a speed-up of %s is judged by its gain", (paper, agree, differ) => {
  const verdict = (value: number) => score(`geomean bucketed / cuckoo ~ ${paper}`, quotients([100 * value])).verdict;
  for (const value of agree) expect(verdict(value), `${value}`).toBe("reproduced");
  for (const value of differ) expect(verdict(value), `${value}`).toBe("not reproduced");
});

test("no share above 1 is accepted", () => {
  const share = (value: number) => [rowOf({ table: "bucketed", metric: "warp_efficiency", unit: "ratio", value })];
  expect(score("max bucketed.warp_efficiency ~ 94 %", share(0.99)).reason).toBe("One cell; accepted: 84.6 to 100 %.");
});

test.each(["every", "geomean"])("by %s what holds by less than a twentieth is small", (mean) => {
  const verdict = (value: number) => score(`${mean} bucketed > cuckoo`, quotients([value, value])).verdict;
  expect([110, 103, 97, 90].map(verdict)).toEqual(["reproduced", "holds, small", "not reproduced", "not reproduced"]);
});

/** Quotients around 1 whose intervals reach so far on either side. */
function around(value: number, reach: number): ResultRow[] {
  return quotients([value]).map((row) =>
    row.table === "cuckoo" ? row : { ...row, lo: value - reach, hi: value + reach },
  );
}

test("an interval across 1 shows no difference where it is narrow, and decides nothing where it is wide", () => {
  const verdict = (claim: string, value: number, reach: number) => score(claim, around(value, reach)).verdict;
  expect(verdict("geomean bucketed > cuckoo", 101, 2)).toBe("no difference");
  expect(verdict("geomean bucketed > cuckoo", 101, 6)).toBe("undecided");
  expect(verdict("geomean bucketed / cuckoo slightly > 1", 101, 2)).toBe("no difference");
  expect(verdict("geomean bucketed / cuckoo slightly > 1", 102, 1)).toBe("reproduced");
  const reason = (sign: string) => score(`geomean bucketed / cuckoo slightly ${sign} 1`, quotients([102])).reason;
  expect(reason(">")).toContain("accepted: above 1, up to 1.25.");
  expect(reason("<")).toContain("accepted: below 1, down to 0.75.");
  expect(verdict("geomean bucketed / cuckoo >= 1x", 99, 2)).toBe("reproduced");
  // No interval is narrower than what two figures of a run differ by.
  expect(verdict("geomean bucketed > cuckoo", 100.1, 0)).toBe("no difference");
});

test("counts have no ties of a twentieth", () => {
  const counted = rowOf({ table: "bucketed", metric: "probes", value: 2.9, ...EXACT });
  expect(score("max bucketed.probes <= 3", [counted]).verdict).toBe("reproduced");
  expect(score("max bucketed.probes <= 3", [{ ...counted, value: 3.1 }]).verdict).toBe("not reproduced");
});

test("a comparison of counts that holds by less than a twentieth is small, however exact they are", () => {
  const counted = (value: number) => quotients([value]).map((row) => ({ ...row, metric: "probes" }));
  const verdict = (value: number) => score("every bucketed.probes > cuckoo.probes", counted(value)).verdict;
  expect([110, 100.3, 99.7].map(verdict)).toEqual(["reproduced", "holds, small", "not reproduced"]);
});

test("of a quotient that is shown the other way round, the mean is named as it is shown", () => {
  const reason = (mean: string, sign: string) => score(`${mean} bucketed ${sign} cuckoo`, rows).reason;
  expect(reason("max", "<")).toMatch(/^The smallest of 3 quotients; accepted: below 1\..* They run from 0\.5 to 2\./);
  expect(reason("max", ">")).toMatch(/^The largest of 3 quotients; accepted: above 1\./);
  expect(reason("mean", "<")).toMatch(/^The harmonic mean /);
});

test("where two are said to be alike, a quotient that is not has no direction of the paper's", () => {
  const reason = (near: number) => score(`every bucketed / cuckoo ~ ${near}x where positive_ratio=1`, rows).reason;
  expect(reason(1)).not.toContain("direction");
  expect(reason(2)).toContain("The direction is not the paper's.");
});

test("quotients of different units are multiplied by what is between them, and written as shares where the paper does", () => {
  const check = "every bucketed / cuckoo * 0.5 ~ 25 % where positive_ratio=1";
  expect(score(check, rows)).toMatchObject({ verdict: "reproduced", ours: "25 %" });
  expect(score(check, noisy).interval).toBe("20.5 to 30.6");
});

test("an order holds if each is above the next", () => {
  const [low, middle, high] = [0, 0.5, 1].map((ratio) => `bucketed[positive_ratio=${ratio}]`);
  expect(score(`geomean ${high} > ${middle} > ${low}`, rows)).toMatchObject({ verdict: "reproduced" });
  expect(score(`geomean ${high} > ${low} > ${middle}`, rows)).toMatchObject({ verdict: "not reproduced" });
});

test("trends are judged for each series", () => {
  expect(score("* rises along positive_ratio", rows)).toMatchObject({ verdict: "reproduced", ours: "3× to 12×" });
  expect(score("* falls along positive_ratio", rows).verdict).toBe("not reproduced");
  expect(score("bucketed stays along positive_ratio", rows).verdict).toBe("not reproduced");
});

test("a trend of quotients", () => {
  const quotient = "bucketed / cuckoo";
  expect(score(`${quotient} falls along positive_ratio`, rows)).toMatchObject({ verdict: "reproduced", ours: "0.25×" });
  expect(score(`${quotient} rises along positive_ratio`, rows).verdict).toBe("not reproduced");
});

/** bucketed at the values, by n. */
function series(values: readonly number[], metric = "mops"): ResultRow[] {
  return values.map((value, i) => rowOf({ table: "bucketed", n: 2 ** (10 + i), metric, value, ...EXACT }));
}

test("cells of several experiments lie along one axis", () => {
  const both = rows.map((row) => (row.positive_ratio === 1 ? { ...row, experiment: "device/limits" } : row));
  const quotient = (experiments: string) =>
    `bucketed@${experiments} / cuckoo@${experiments} falls along positive_ratio`;
  expect(score(quotient("gph/fig10|device/limits"), both)).toMatchObject({ verdict: "reproduced", ours: "0.25×" });
  expect(score(quotient("gph/fig10"), both).ours).toBe("0.5×");
  expect(score(quotient("gph/fig10|gph/fig9"), both)).toMatchObject({ verdict: "not run" });
});

test("a tie back is no change of direction, nor a larger step amid others, but one in a few points is", () => {
  const verdict = (values: readonly number[]) => score("bucketed rises along n", series(values)).verdict;
  expect(verdict([10, 20, 19.2, 30])).toBe("reproduced");
  expect(verdict([10, 20, 18, 30])).toBe("not reproduced");
  const five = [10, 20, 18, 30, 40];
  expect(verdict(five)).toBe("reproduced");
  expect(verdict(five.with(4, 19))).toBe("not reproduced");
  const more = [10, 20, 40, 30, 60, 80];
  expect(verdict(more)).toBe("reproduced");
  expect(verdict(more.with(2, 90))).toBe("not reproduced");
  expect(verdict(more.with(5, 5))).toBe("not reproduced");
  expect(verdict([100, 101, 102])).toBe("holds, small");
  expect(verdict([102, 101, 100])).toBe("not reproduced");
  expect(verdict([100, 100.1, 100.1])).toBe("no difference");
});

test("a series is flat if its largest is at most a tenth above its smallest", () => {
  const stays = (values: readonly number[], metric = "mops") =>
    score(`bucketed.${metric} stays along n`, series(values, metric)).verdict;
  expect(stays([100, 109, 105])).toBe("reproduced");
  expect(stays([100, 110.1, 105])).toBe("undecided");
  expect(stays([100, 124, 110])).toBe("not reproduced");
  expect(stays([100, 124, 110], "probes")).toBe("not reproduced");
});

test("a crossing is found between two points", () => {
  const crosses = (rest: string, found = rows) => score(`bucketed / cuckoo crosses 1 from ${rest}`, found);
  expect(crosses("above along positive_ratio")).toMatchObject({ verdict: "reproduced", ours: "at 0.5" });
  const near = (place: number) => crosses(`above along positive_ratio at ${place}`).verdict;
  expect([near(0.4), near(0.9)]).toEqual(["reproduced", "not reproduced"]);
  const barely = rows.map((row) => (row.table === "cuckoo" && row.value === 60 ? { ...row, value: 30.01 } : row));
  expect(crosses("above along positive_ratio", barely).verdict).toBe("undecided");
  expect(crosses("below along positive_ratio")).toMatchObject({ verdict: "not reproduced", ours: "never" });
});

test("a quotient that passes 1 several times does so somewhere between the first and the last", () => {
  const crosses = (place: number) =>
    score(`bucketed / cuckoo crosses 1 from above along n at ${place}`, quotients([120, 80, 110, 108, 95, 90]));
  expect(crosses(4)).toMatchObject({ verdict: "undecided", interval: "1 to 16" });
  expect(crosses(4).reason).toContain("passes 1 3 times between 1 and 16");
  expect(crosses(100).verdict).toBe("not reproduced");
});

test("places are as exact as those of rows, of six digits", () => {
  const places = [0.166667, 0.222222, 0.333333].map((x, i) =>
    rowOf({ table: "bucketed", load_factor: x, value: [30, 20, 10][i] ?? 0, ...EXACT }),
  );
  expect(score(`bucketed peaks along load_factor at ${1 / 4.5}`, places).verdict).toBe("reproduced");
});

test("an order is judged where its outcome is open", () => {
  const three = (third: number) => [
    ...quotients([300, 310]),
    ...quotients([third, third]).flatMap((row) => (row.table === "bucketed" ? [{ ...row, table: "gph" }] : [])),
  ];
  const order = (third: number) => score("every bucketed > cuckoo > gph", three(third));
  expect(order(90)).toMatchObject({ verdict: "reproduced", outcome: { all: 2 } });
  expect(order(120)).toMatchObject({ verdict: "not reproduced", outcome: { all: 2 } });
  expect(order(40)).toMatchObject({ verdict: "reproduced", outcome: { all: 4 } });
});

test("a crossing of the regression is the one in the direction asked for, whatever single points do", () => {
  // Times of 1000 and a parabola more: below 0 from 3 to 12, but for one point.
  const times = Array.from({ length: 20 }, (_, i) => {
    const n = i + 1;
    const more = n === 6 ? 5 : (n - 3) * (n - 12);
    return [rowOf({ table: "bucketed", n, value: 1000 + more }), rowOf({ table: "cuckoo", n, value: 1000 })];
  }).flat();
  const from = (side: string, found = times) => score(`bucketed / cuckoo crosses 1 from ${side} along n fitted`, found);
  const place = (ours: string) => Number(ours.replace("at ", ""));
  expect(from("below").verdict).toBe("reproduced");
  expect(place(from("below").ours)).toBeCloseTo(12, 0);
  expect(from("below").rows).toHaveLength(40);
  expect(place(from("above").ours)).toBeCloseTo(3, 0);
  const flat = times.map((row) => (row.table === "bucketed" ? { ...row, value: 900 } : row));
  expect(from("below", flat)).toMatchObject({ verdict: "not reproduced", ours: "never" });
  expect(from("below", times.slice(0, 4)).verdict).toBe("not run");
});

test("a share is written in per cent where the paper writes it so", () => {
  const share = [rowOf({ table: "bucketed", metric: "warp_efficiency", unit: "ratio", value: 0.2545 })];
  expect(score("median bucketed.warp_efficiency ~ 25 %", share)).toMatchObject({
    verdict: "reproduced",
    ours: "25.5 %",
    interval: "22.9 to 28",
    reason: "One cell; accepted: 22.5 to 27.5 %.",
  });
  expect(score("median bucketed.warp_efficiency ~ 0.25", share).ours).toBe("0.255");
});

test("peaks and drops have a place along the axis, known up to those beside it", () => {
  const at = (how: string, values = [10, 40, 35, 20]) => {
    const along = values.map((value, i) => rowOf({ table: "bucketed", load_factor: 0.2 + 0.2 * i, value, ...EXACT }));
    return score(`bucketed ${how.replace(" ", " along load_factor at ")}`, along);
  };
  expect(at("peaks 0.5")).toMatchObject({ verdict: "reproduced", ours: "at 0.4", interval: "0.2 to 0.6" });
  expect(at("peaks 0.7").verdict).toBe("not reproduced");
  expect(at("peaks 0.7", [10, 40, 39.9, 20]).verdict).toBe("undecided");
  expect(at("peaks 0.7", [10, 40, 39, 20]).verdict).toBe("not reproduced");
  expect(at("drops 0.7")).toMatchObject({ verdict: "reproduced", ours: "at 0.7" });
  expect(at("drops 0.5").verdict).toBe("not reproduced");
  expect(at("drops 0.5", [10, 40, 25, 23]).verdict).toBe("reproduced");
  // A slight fall before the sharp one.
  expect(at("drops 0.7", [42, 40, 37, 20]).verdict).toBe("reproduced");
});

test.each([
  [[130, 110, 90], "reproduced"],
  [[103, 101, 90], "reproduced"],
  [[100, 98, 90], "no difference"],
  [[90, 80, 70], "not reproduced"],
  [[110, 130, 90], "reproduced"],
  [[90, 110, 130], "not reproduced"],
] as const)("a lead of %j over 100 that peaks at the first place has to be one: %s", (values, verdict) => {
  expect(score("bucketed / cuckoo peaks along n at 1", quotients(values)).verdict).toBe(verdict);
});

test("a number of the paper's device is not comparable, and is scaled by the bandwidths", () => {
  const check = "max bucketed ~ 15 M op/s where positive_ratio=1";
  expect(score(check, rows)).toMatchObject({ verdict: "not comparable", ours: "30 M op/s", scaled: "30 M op/s" });
  expect(score(check, rows).reason).toContain("ours is 1 times that");
  expect(score(check, rows, UNMEASURED)).toMatchObject({ verdict: "not comparable", scaled: "" });
  // Twice the bandwidth: half the time.
  const time = rowOf({ table: "bucketed", metric: "time", unit: "ns", value: 30e6 });
  expect(score("max bucketed.time ~ 30 ms", [time])).toMatchObject({ ours: "30 ms", scaled: "15 ms" });
});

test("a number of something else than the paper's is shown, not judged", () => {
  const check = "max bucketed ~ 30 where positive_ratio=1";
  const shown = stated(check, "Tesla V100S", "    not compared: Their table is another.");
  expect(score(check, rows).verdict).toBe("reproduced");
  expect(score(shown, rows)).toMatchObject({
    verdict: "not comparable",
    ours: "30 M op/s",
    reason: "Their table is another.",
  });
});

test("what waits for random accesses is scaled by those, where the paper measured them", () => {
  const check = "max bucketed ~ 10 M op/s waiting for random updates where positive_ratio=1";
  const of = (device: PaperDevice) => score(stated(check, device), rows);
  expect(of("GTX 480").scaled).toBe("50 M op/s");
  expect(of("GTX 480").reason).not.toContain("those of");
  expect(of("GTX 470").scaled).toBe("66.2 M op/s");
  expect(of("GTX 470").reason).toContain("506 M/s there, those of a GTX 480 by both specified bandwidths");
  expect(of("Tesla V100S").scaled).toBe("");
  const byCopies = score("max bucketed ~ 10 M op/s where positive_ratio=1", rows).reason;
  expect(byCopies).toContain(
    "(2,270 measured here, 1,130 GB/s there by its specification, which a copy does not reach)",
  );
});

test("correlation is of two metrics of the same cells, or of a metric and a column", () => {
  const both = rows.flatMap((row) => [row, { ...row, metric: "probes", value: -2 * (row.value ?? 0) + 1 }]);
  const found = score("correlation * of mops with probes <= -0.99", both);
  expect(found).toMatchObject({ verdict: "reproduced", ours: "−1.0000" });
  expect(score("correlation bucketed of mops with positive_ratio >= 0.99", rows).ours).toBe("1.0000");
});

test("what stands in for a quantity agrees or does not, and reproduces nothing", () => {
  const counted = rows.map((row) => ({ ...row, metric: "transactions" }));
  const agrees = score("max *.transactions >= 0", counted);
  expect(agrees).toMatchObject({ verdict: "stand-in", outcome: { says: "agrees" } });
  const differs = score("max *.transactions <= 1", counted);
  expect(differs).toMatchObject({ verdict: "stand-in", outcome: { says: "differs" } });
  expect([agrees, differs].map(verdictInWords)).toEqual(["stand-in, agrees", "stand-in, does not agree"]);
});

const predicted = [
  rowOf({ table: "bucketed", metric: "counted_mops", value: 40, ...EXACT }),
  rowOf({ table: "cuckoo", metric: "counted_mops", value: 10, ...EXACT }),
];
const byKernels = [
  rowOf({ table: "bucketed", params: { allocation: "host" }, value: 21, ...EXACT }),
  rowOf({ table: "cuckoo", params: { allocation: "host" }, value: 10, ...EXACT }),
];
/** Rates of the same tables that measure something else. */
const others = byKernels.map((row) => ({ ...row, params: {}, value: 7 }));

test("rates that were measured judge a claim in place of their stand-in, with an explanation of their own", () => {
  const texts = "    because: The model.\n    measured: The kernels.\n";
  const claim = stated("geomean bucketed.counted_mops / cuckoo.counted_mops ~ 3x", "Tesla V100S", texts);
  const found = score(claim, [...predicted, ...others, ...byKernels]);
  expect(found).toMatchObject({ verdict: "not reproduced", ours: "2.1×", claim: { id: claim.id, paper: "3×" } });
  expect(found.rows).toEqual(byKernels);
  expect(becauseOf(found)).toBe("The kernels.");
  const standIn = score(claim, [...predicted, ...others]);
  expect(standIn).toMatchObject({ verdict: "stand-in", ours: "4×", rows: predicted });
  expect(becauseOf(standIn)).toBe("The model.");
  // Both sides, or none.
  expect(score(claim, [...predicted, ...byKernels.slice(0, 1)])).toEqual(standIn);
});

test("what holds of a stand-in by construction is compared where it is measured", () => {
  const text = "    not compared: By construction.\n";
  const claim = stated("every bucketed.counted_mops / cuckoo.counted_mops ~ 2x", "Tesla V100S", text);
  expect(score(claim, predicted)).toMatchObject({ verdict: "not comparable", reason: "By construction." });
  expect(score(claim, [...predicted, ...byKernels])).toMatchObject({ verdict: "reproduced", ours: "2.1×" });
});

test("what is measured of a table in another's place agrees or does not, whatever the authors' programs do", () => {
  const both = [...rows, rowOf({ table: "megakv", positive_ratio: 1, value: 1, ...EXACT })];
  const all = [...both, rowOf({ table: "cudpp-cuckoo", positive_ratio: 1, value: 0.5, ...EXACT })];
  for (const found of [both, all]) {
    const agrees = score("median cuckoo > megakv where positive_ratio=1", found);
    expect(agrees).toMatchObject({ verdict: "stand-in", outcome: { says: "agrees" } });
    expect(agrees.by).toBeUndefined();
    expect(score("median megakv > cuckoo where positive_ratio=1", found)).toMatchObject({
      verdict: "stand-in",
      outcome: { says: "differs" },
    });
  }
  expect(score("median cuckoo > bucketed where positive_ratio=1", all).verdict).not.toBe("stand-in");
});

test.each([
  ["max *@gph/fig99 ~ 1", "The experiment gph/fig99 does not exist yet."],
  ["max gph ~ 1", "These results have no rows of gph in gph/fig10."],
  ["max bucketed[n=7] ~ 1", "These results have no cell that fits: bucketed, n 7."],
  ["max *@device/limits ~ 1", "These results have no rows of device/limits."],
] as const)("without rows it is not run, and says why: %s", (check, reason) => {
  expect(score(check, rows)).toMatchObject({ verdict: "not run", reason, ours: "", rows: [] });
});

test("rows of a table that this process does not know are judged: of a native one", () => {
  const native = rows.map((row) => ({ ...row, table: "libcuckoo" }));
  expect(score("max libcuckoo >= 0", native)).toMatchObject({ verdict: "reproduced" });
});

test("a statement that one is below the other is shown in its own direction, and judged as the other's", () => {
  const [below, above] = ["geomean cuckoo < bucketed", "geomean bucketed > cuckoo"].map((check) => score(check, rows));
  expect(below?.claim.paper).toBe("slower");
  expect([below?.verdict, below?.outcome]).toEqual([above?.verdict, above?.outcome]);
  expect(Number.parseFloat(below?.ours ?? "") * Number.parseFloat(above?.ours ?? "")).toBeCloseTo(1, 1);
});

test("of tables in an alternative all are replaced by their programs, or none", () => {
  const program = (table: string, value: number) => rowOf({ table, positive_ratio: 1, value, ...EXACT });
  const both = [...rows, program("cudpp-cuckoo", 5), program("warpcore-cuda", 5), program("warpcore", 50)];
  const check = "max bucketed / cuckoo|warpcore ~ 6x where positive_ratio=1";
  expect(score(check, both)).toMatchObject({ by: "originals", ours: "6×" });
  expect(score(check.replace("warpcore", "gph"), both).by).toBeUndefined();
});

test("a claim is judged by the authors' program where it has rows, and by our port where it has none", () => {
  const check = "geomean bucketed / cuckoo ~ 4x where positive_ratio=1";
  expect(score(check, rows)).toMatchObject({ verdict: "not reproduced", by: "ports" });
  const originals = [...rows, rowOf({ table: "cudpp-cuckoo", positive_ratio: 1, value: 7.5, ...EXACT })];
  const found = score(check, originals);
  expect(found).toMatchObject({
    verdict: "reproduced",
    by: "originals",
    ports: { verdict: "not reproduced", ours: "0.5×" },
  });
  // Of a program nothing is counted.
  const counted = originals.map((row) => ({ ...row, metric: "probes" }));
  expect(score("geomean bucketed.probes / cuckoo.probes ~ 0.5x where positive_ratio=1", counted)).toMatchObject({
    verdict: "reproduced",
    ours: "0.5×",
  });
});

/** Our port at 30 µs, the program at so many, and a table of ours that only has a port; of 1000 pairs. */
function timed(programNs: number): ResultRow[] {
  const of = (table: string, ns: number, api: ResultRow["api"] = "webgpu") =>
    [rowOf({ table, value: 1e6 / ns }), rowOf({ table, metric: "time", unit: "ns", value: ns })].map((row) => ({
      ...row,
      ...EXACT,
      api,
    }));
  return [...of("cuckoo", 30_000), ...of("bucketed", 33_000), ...of("cudpp-cuckoo", programNs, "cuda")];
}

test("where a program takes less than 100 µs beside a table of ours, our ports judge, and both are told", () => {
  const verdict = (programNs: number, check = "every cuckoo > bucketed") => score(check, timed(programNs));
  expect(verdict(99_000)).toMatchObject({
    verdict: "reproduced",
    ours: "1.1×",
    by: "ports",
    originals: { verdict: "not reproduced", ours: "0.333×" },
  });
  expect(judgedBy(verdict(99_000))).toBe(
    "by our ports, as operations are short; by the authors' programs: cudpp-cuckoo, our ports: bucketed: 0.333×, not reproduced",
  );
  expect(verdict(101_000)).toMatchObject({ verdict: "not reproduced", by: "originals", ports: { ours: "1.1×" } });
  // A program beside itself.
  expect(verdict(99_000, "max cuckoo >= 1x")).toMatchObject({ by: "originals" });
});

test("a number that is not 1 is not written as 1", () => {
  const ours = (value: number) => score("geomean bucketed / cuckoo ~ 1x", quotients([value])).ours;
  expect([100, 100.4, 100.04, 99.96, 133.3].map(ours)).toEqual(["1×", "1.004×", "1.0004×", "0.9996×", "1.33×"]);
});

test("a number within the accepted range agrees, however far its interval reaches beyond", () => {
  const verdict = (value: number) => score("geomean bucketed / cuckoo ~ 1.4x", around(value, 20)).verdict;
  expect([149, 151].map(verdict)).toEqual(["reproduced", "undecided"]);
});

test("why a claim does not hold is told where it does not", () => {
  const because = "    because: It is the load.";
  const told = (check: string, found = rows) => becauseOf(score(stated(check, "Tesla V100S", because), found));
  expect(told("every bucketed > cuckoo")).toBe("It is the load.");
  expect(told("max bucketed > cuckoo")).toBe("");
  expect(told("every bucketed > cuckoo", [])).toBe("");
});

test("cells that failed say so", () => {
  const failed = [rowOf({ table: "cuckoo", status: "failed", reason: "a wrong value", value: null })];
  expect(score("max cuckoo ~ 1", failed).reason).toBe("Its cells have no number: failed, a wrong value.");
});

test("selections are looked for among the rows once each", () => {
  let reads = 0;
  const watched = ["bucketed", "cuckoo"].flatMap((table) =>
    [1, 2, 3].map((n) =>
      Object.defineProperty(rowOf({ n, value: n, ...EXACT }), "table", {
        get() {
          reads++;
          return table;
        },
      }),
    ),
  );
  score("every bucketed > cuckoo", watched);
  const once = reads;
  reads = 0;
  score("every bucketed > cuckoo > bucketed", watched);
  expect(reads).toBeLessThanOrEqual(2 * once);
  expect(once).toBeGreaterThan(0);
});
