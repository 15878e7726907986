import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Experiment } from "../experiment.js";
import { expand } from "../experiments/expand.js";
import { claims, experiments } from "../experiments/index.js";
import { claimSchema } from "../experiments/schema.js";
import { scorecard } from "../experiments/scorecard.js";
import { paperExperimentIds } from "../papers.js";
import { packageRoot } from "../paths.js";
import { byClock, metricType } from "../results/metrics.js";
import { COLUMNS, type ResultRow } from "../results/record.js";
import { rowsOf } from "../results/rows.js";
import { keptRows, result, runInfo } from "../results/testing.js";
import { issueOf } from "../results/validate.js";
import { NO_PAIRS } from "./checks.js";
import { type Check, type Claim, type Expectation, isPapers } from "./claim.js";
import { metricsOf, NO_CELL, selectionsOf } from "./evaluate.js";
import type { Score } from "./score.js";
import { select } from "./select.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Metrics of the papers' profilers, for which WebGPU has no counter: their claims are not run, and say so. */
const OF_PROFILERS = words("executed_instructions cycles_per_instruction executed_cycles");
const isMetric = (name: string) => metricType(name) !== undefined || OF_PROFILERS.has(name);

/** Holds each claim against a rule, which says what is wrong with it. */
function expectOfAll(wrongWith: (claim: Claim) => readonly string[]): void {
  expect(claims.flatMap((claim) => wrongWith(claim).map((what) => `${claim.id}: ${what}`))).toEqual([]);
}

/** The claim as each of its checks sees it: its own, and those of its cause. */
function checked(claim: Claim): readonly Claim[] {
  return [claim, ...(claim.cause?.checks ?? []).map((check) => ({ ...claim, check }))];
}

function expectationOf(check: Check): Expectation | undefined {
  if (check.kind === "absolute") return check.paper;
  return "expect" in check && typeof check.expect === "object" ? check.expect : undefined;
}

function fieldsOf(check: Check): readonly string[] {
  if (check.kind === "correlation") return [check.x, check.y];
  if ("along" in check) return [check.along];
  return "by" in check ? (check.by ?? []) : [];
}

const made = new Map<Experiment, ResultRow[]>();
/** The rows that an experiment's cells would have, whatever was measured, and as if native tables were ours. */
function rowsOfExperiment(experiment: Experiment): ResultRow[] {
  const series = experiment.series.map(({ native: _, ...one }) => one);
  const cells = () => expand({ ...experiment, series }, { scale: 1, quick: false, seed: 1 });
  const rows = made.get(experiment) ?? cells().flatMap((cell) => rowsOf(cell, result(), runInfo, new Date(0)));
  made.set(experiment, rows);
  return rows;
}

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
  expect(paperExperimentIds.filter((id) => !claimed.has(id))).toEqual([]);
});

test("every claim is of a paper's figure, or no paper states it", () => {
  expectOfAll((claim) =>
    paperExperimentIds.includes(claim.experiment) === (claim.device !== undefined) ? [] : ["it"],
  );
});

test("every claim but of a device's numbers is as one of a plug-in has to be, besides the device", () => {
  expectOfAll(({ device: _, ...claim }) => {
    const issue = claim.check.kind === "absolute" ? undefined : issueOf(claim, claimSchema);
    return issue === undefined ? [] : [issue];
  });
});

test("every claim is named after its experiment", () => {
  expectOfAll(({ id, experiment }) =>
    /^[^:]+:[a-z0-9][a-z0-9.-]*$/.test(id) && id.split(":")[0] === experiment ? [] : [experiment],
  );
});

test("every claim is one sentence, and short in a table", () => {
  const odd = (words: string) => words !== words.trim() || words === "" || /\s\s|\n|undefined|NaN/.test(words);
  expectOfAll(({ text, paper }) => [
    ...[text, paper].filter(odd),
    ...(/^\S.*\.$/s.test(text) ? [] : [text]),
    ...(paper.length <= 30 ? [] : [paper]),
  ]);
});

test("every cause is one sentence, checked by numbers that can be compared", () => {
  expect(claims.filter(({ cause }) => cause).length).toBeGreaterThan(20);
  expectOfAll(({ cause }) => (!cause || /^[A-Z].*[^.]\.$/.test(cause.text) ? [] : [cause.text]));
  expectOfAll(({ cause }) => (cause?.checks ?? []).map(({ kind }) => kind).filter((kind) => kind === "absolute"));
});

const KEPT = ["nvidia-h200", "nvidia-h100"] as const;
/** Of which all experiments are kept, as they are now. */
const WHOLE: string = KEPT[1];

test.each(KEPT)("every cause is shown by the rows of %s, or its claim is reproduced by them", async (device) => {
  const measured = new Set((await keptRows(device)).map(({ experiment }) => experiment));
  const scores = await scoresOf(device);
  const explained = scores.filter(({ claim: { cause, experiment } }) => cause && measured.has(experiment));
  expect(explained).not.toEqual([]);
  // Rows that are older than a claim or its cause may lack what these ask for: then nothing is said of it yet.
  const mayLack = (evidence: string) => device !== WHOLE && evidence.startsWith(NO_CELL);
  const unshown = explained.filter(({ cause }) => cause && !cause.shown && !mayLack(cause.evidence));
  expect(unshown.map(({ claim, cause }) => `${claim.id}: ${cause?.evidence}`)).toEqual([]);
});

test.each(KEPT)("no claim compares rows of %s with ones that they cannot be compared with", async (device) => {
  const unpaired = (await scoresOf(device)).filter(
    ({ verdict, reason }) => verdict === "not run" && reason === NO_PAIRS,
  );
  expect(unpaired.map(({ claim }) => claim.id)).toEqual([]);
});

test.each(KEPT)("of the rows of %s none that is to be faster is so by a tie", async (device) => {
  const scores = await scoresOf(device);
  const quotients = scores.flatMap(({ claim: { id, check }, verdict, ours }) => {
    if (verdict !== "reproduced" || (check.kind !== "ratio" && check.kind !== "order")) return [];
    if (!metricsOf(check).some(byClock)) return [];
    const expected: Expectation = check.kind === "ratio" ? check.expect : { atLeast: 1 };
    const value = Number(/^[\d.,]+/.exec(ours)?.[0].replaceAll(",", "")) / (ours.includes("%") ? 100 : 1);
    return [{ id, value, expected }];
  });
  expect(quotients.length).toBeGreaterThan(20);
  for (const { id, value, expected } of quotients) {
    if ("atLeast" in expected && expected.atLeast >= 1) expect(value, id).toBeGreaterThan(1.04);
    if ("atMost" in expected && expected.atMost <= 1) expect(value, id).toBeLessThan(0.96);
  }
});

test("README counts the papers' claims and ours", () => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  const ours = claims.filter((claim) => !isPapers(claim)).length;
  expect(readme).toContain(`${claims.length - ours} claims of the papers and ${ours} of ours`);
});

test("what a claim expects can be", () => {
  const odd = (expected: Expectation) =>
    Object.values(expected).some((value) => typeof value === "number" && !Number.isFinite(value)) ||
    ("from" in expected && expected.from > expected.to) ||
    ("near" in expected && expected.near === 0);
  const expectations = (claim: Claim) => checked(claim).flatMap(({ check }) => expectationOf(check) ?? []);
  expect(claims.flatMap(expectations).length).toBeGreaterThan(claims.length / 2);
  expectOfAll((claim) =>
    expectations(claim)
      .filter(odd)
      .map((expected) => JSON.stringify(expected)),
  );
});

test("claims name metrics and fields that rows have", () => {
  expectOfAll((claim) => {
    const metrics = checked(claim).flatMap(selectionsOf);
    const fields = checked(claim).flatMap(({ check }) =>
      fieldsOf(check).filter((field) => !(check.kind === "correlation" && isMetric(field))),
    );
    const known = (field: string) => (COLUMNS as readonly string[]).includes(field) || /^params\.\w+$/.test(field);
    return [
      ...metrics.map(({ metric = "mops" }) => metric).filter((metric) => !isMetric(metric)),
      ...fields.filter((field) => !known(field)),
    ];
  });
});

test("claims pair by nothing that their selections fix at different values", () => {
  const pairing = claims.flatMap(checked).filter(({ check }) => "by" in check && check.by);
  expect(pairing).not.toEqual([]);
  expectOfAll((claim) =>
    checked(claim).flatMap(({ check }) =>
      ("by" in check ? (check.by ?? []) : []).filter((field) => {
        const name = field.replace(/^params\./, "");
        const fixed = selectionsOf({ check }).flatMap(({ params }) => (name === field ? [] : [params?.[name]]));
        return new Set(fixed.filter((where) => typeof where === "number")).size > 1;
      }),
    ),
  );
});

test("every claim selects cells of its experiment", () => {
  let looked = 0;
  expectOfAll((claim) =>
    checked(claim)
      .flatMap(selectionsOf)
      .filter((wanted) => {
        const id = wanted.experiment ?? claim.experiment;
        const experiment = experiments.find((one) => one.id === id);
        if (!experiment) return !paperExperimentIds.includes(id);
        looked += 1;
        const { metric: _, ...cells } = wanted;
        return select(rowsOfExperiment(experiment), claim, cells).rows.length === 0;
      })
      .map((wanted) => JSON.stringify(wanted)),
  );
  expect(looked).toBeGreaterThan(claims.length);
});
