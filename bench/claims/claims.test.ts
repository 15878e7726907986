import { expect, test } from "vitest";
import { claims, experiments } from "../experiments/index.js";
import { declaredCells, scorecard } from "../experiments/scorecard.js";
import { rowKey } from "../results/key.js";
import { byClock, metricType } from "../results/metrics.js";
import { sharedNewestRuns } from "../results/newest.js";
import { keptRows } from "../results/testing.js";
import type { Claim, Expectation } from "./claim.js";
import { asMeasured, byStandIn, metricsOf, selectionsOf } from "./evaluate.js";
import { isTarget } from "./expectation.js";
import { checkNames } from "./names.js";
import { NO_PAIRS } from "./numbers.js";
import { isPapers, paperOf } from "./papers.js";
import { parseClaims } from "./parse.js";
import { becauseOf, type Score } from "./score.js";

/** Holds each claim against a rule, which says what is wrong with it. */
function expectOfAll(wrongWith: (claim: Claim) => readonly string[]): void {
  expect(claims.flatMap((claim) => wrongWith(claim).map((what) => `${claim.at}: ${what}`))).toEqual([]);
}

const papersFigures = experiments.map(({ id }) => id).filter(isPapers);

const KEPT = ["nvidia-h200", "nvidia-h100"] as const;

const scored = new Map<string, Promise<Score[]>>();
/** Of all claims, by the rows that are kept of a device. */
function scoresOf(device: string): Promise<Score[]> {
  const scores = scored.get(device) ?? keptRows(device).then((rows) => scorecard(claims, rows));
  scored.set(device, scores);
  return scores;
}

test("ids are unique", () => {
  expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
});

test("every figure and table of the papers has a claim", () => {
  const claimed = new Set(claims.map(({ experiment }) => experiment));
  expect(papersFigures.filter((id) => !claimed.has(id))).toEqual([]);
});

test("every claim about a paper's figure says on which device, and no other one does", () => {
  expectOfAll(({ experiment, device }) =>
    papersFigures.includes(experiment) === (device !== undefined) ? [] : [experiment],
  );
});

test("every claim is one sentence, and so is why it does not hold", () => {
  const odd = (words: string) => /\s\s|undefined|NaN/.test(words) || !/^\S.*\.$/s.test(words);
  expectOfAll(({ text, because = "So it is.", measured = "So it is.", paper }) => [
    ...[text, because, measured].filter(odd),
    ...(paper.length <= 30 ? [] : [paper]),
  ]);
});

test("a cause rests on rows, a study or the code, or is called an inference", () => {
  const SOURCE = /Inferred:|results\/studies\/|kernels\/|in the rows|the figure|device\/limits|stand-in\)/;
  expectOfAll(({ because = "Inferred:", measured = "Inferred:" }) =>
    [because, measured].filter((cause) => !SOURCE.test(cause)),
  );
});

test.each(KEPT)("causes of %s name quantities that the claim's experiments have rows of", async (device) => {
  const measured = new Set((await keptRows(device)).map(({ experiment, metric }) => `${experiment} ${metric}`));
  const wrong = (await scoresOf(device)).flatMap((score) => {
    const own = [...new Set(score.rows.map(({ experiment }) => experiment))];
    const named = [...becauseOf(score).matchAll(/“(\w+)”/g)].map(([, name = ""]) => name).filter(metricType);
    return named.flatMap((name) =>
      own.some((id) => measured.has(`${id} ${name}`)) ? [] : [`${score.claim.at}: ${name}`],
    );
  });
  expect(wrong).toEqual([]);
});

test("of what stands in for something that kernels measure, the experiments have the cells that do", () => {
  const standIns = claims.filter((claim) => asMeasured(claim) !== claim);
  expect(standIns).not.toEqual([]);
  for (const claim of standIns) checkNames(asMeasured(claim), declaredCells());
});

test("what a claim says of MegaKV it says by a stand-in, and so does its figure", () => {
  const about = claims.filter(({ check }) =>
    selectionsOf({ check }).some(({ table = [] }) => table.includes("megakv")),
  );
  expect(about.length).toBeGreaterThan(20);
  for (const claim of about) {
    expect(byStandIn(claim), claim.at).toBe(true);
    expect(claim.setting, claim.at).toContain("MegaKV by a stand-in: DyCuckoo's kernel without the voter");
  }
  const series = experiments.flatMap((one) => one.series.filter(({ table }) => table === "megakv"));
  expect(new Set(series.map(({ label }) => label))).toEqual(new Set(["MegaKV (stand-in)"]));
});

test("what a claim says of the time of GPH's lookups depends on where the cell index is, and it says where", () => {
  const lookups = experiments.filter(({ id, axes }) => paperOf(id) === "gph" && !axes.op?.includes("insert"));
  const timed = claims.filter(({ experiment, check }) => {
    const ofGph = selectionsOf({ check }).some(({ table = [] }) => table.includes("gph"));
    return (
      lookups.some(({ id }) => id === experiment) && ofGph && metricsOf(check).some(byClock) && !byStandIn({ check })
    );
  });
  expect(timed.length).toBeGreaterThan(30);
  const WHERE = /routed before the clock starts|routes before the kernel|index in the memory of multiprocessors/;
  for (const { at, setting } of timed) expect(setting, at).toMatch(WHERE);
});

test("claims name experiments, tables, columns and metrics that are there", () => {
  expect(claims.length).toBeGreaterThan(400);
  const declared = declaredCells();
  for (const claim of claims) checkNames(claim, declared);
});

test.each([
  [
    "slab/fig4a:x max slab-hash[postive_ratio=1] ~ 1x",
    "no column or parameter of slab/fig4a: postive_ratio, did you mean positive_ratio?",
  ],
  ["slab/fig4a:x max slabhash ~ 1x", "no table in slab/fig4a: slabhash, did you mean slab-hash?"],
  ["slab/fig4a:x max slab-hash'31 lanes' ~ 1x", "no series in slab/fig4a: 31 lanes, did you mean 32 lanes?"],
  ["slab/fig4a:x max slab-hash.probe ~ 1x", "no metric probe, did you mean probes?"],
  ["slab/fig4d:x max slab-hash ~ 1x", "no experiment slab/fig4d, did you mean slab/fig4a?"],
  [
    "slab/fig4a:x slab-hash rises along loadfactor",
    "no column or parameter of slab/fig4a: loadfactor, did you mean load_factor?",
  ],
  ["slab/fig4a:x max slab-hash[load_factor=0.99] ~ 1x", "no cell of slab/fig4a fits load_factor=0.99"],
])("a claim that names what there is not says where it stands, and what is near: %s", (line, message) => {
  const [claim] = parseClaims(`# A file\nmeasured on Tesla K40c\n${line}\n    A sentence.`, "my.claims").claims;
  expect(() => claim && checkNames(claim, declaredCells())).toThrow(`my.claims:3: ${message}`);
});

test.each(KEPT)("no claim compares rows of %s with ones that they cannot be compared with", async (device) => {
  const unpaired = (await scoresOf(device)).filter(
    ({ verdict, reason }) => verdict === "not run" && reason === NO_PAIRS,
  );
  expect(unpaired.map(({ claim }) => claim.id)).toEqual([]);
});

test.each(KEPT)("of the rows of %s no program is compared with a table of ours by short operations", async (device) => {
  const rows = sharedNewestRuns(await keptRows(device));
  const scores = await scoresOf(device);
  const times = new Map(rows.filter(({ metric }) => metric === "time").map((row) => [rowKey(row), row.value]));
  const mixed = scores.filter(({ by, rows: own }) => by === "originals" && own.some(({ api }) => api === "webgpu"));
  expect(mixed.length).toBeGreaterThan(10);
  for (const { claim, rows: own } of mixed)
    for (const row of own.filter(({ api }) => api !== "webgpu"))
      expect(times.get(rowKey(row)), claim.id).toBeGreaterThan(100_000);
  const byPorts = scores.filter(({ originals }) => originals).map(({ claim }) => claim.id);
  for (const id of ["cuckoo/fig4.4-insert:two-level-small", "cuckoo/fig4.4-retrieve:two-level-small"])
    expect(byPorts).toContain(id);
});

test.each(KEPT)("of the rows of %s none that is to be faster is slower", async (device) => {
  const scores = await scoresOf(device);
  const quotients = scores.flatMap(({ claim: { id, check }, verdict, ours }) => {
    const isQuotient = check.kind === "order" || (check.kind === "number" && check.over !== undefined);
    if (verdict !== "reproduced" || !isQuotient || !metricsOf(check).some(byClock)) return [];
    const expected: Expectation = check.kind === "order" ? { above: 1 } : check.expect;
    const value = Number(/^[\d.,]+/.exec(ours)?.[0].replaceAll(",", "")) / (ours.includes("%") ? 100 : 1);
    return [{ id, value: check.kind === "number" && check.turned ? 1 / value : value, expected }];
  });
  expect(quotients.length).toBeGreaterThan(20);
  for (const { id, value, expected } of quotients) {
    if ("above" in expected) expect(value, id).toBeGreaterThan(1);
    if ("from" in expected && !isTarget(expected) && expected.from >= 1)
      expect(value, id).toBeGreaterThan(0.95 * expected.from);
  }
});
