import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Experiment } from "../experiment.js";
import { expand } from "../experiments/expand.js";
import { claims, experiments } from "../experiments/index.js";
import { scorecard } from "../experiments/scorecard.js";
import { paperExperimentIds } from "../papers.js";
import { packageRoot } from "../paths.js";
import { metricType } from "../results/metrics.js";
import { readResults } from "../results/read.js";
import { COLUMNS, type ResultRow } from "../results/record.js";
import { result, runInfo } from "../results/testing.js";
import { rowsOf } from "../results/write.js";
import { NO_PAIRS } from "./checks.js";
import type { Check, Claim, Expectation } from "./claim.js";
import { NO_CELL, selectionsOf } from "./evaluate.js";
import { select } from "./select.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Metrics of the papers' profilers, for which WebGPU has no counter: their claims are not run, and say so. */
const OF_PROFILERS = words("executed_instructions cycles_per_instruction executed_cycles");
const isMetric = (name: string) => metricType(name) !== undefined || OF_PROFILERS.has(name);

const each = test.each(claims.map((claim) => [claim.id, claim] as const));

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

/** The rows that an experiment's cells would have, whatever was measured. */
function rowsOfExperiment(experiment: Experiment): ResultRow[] {
  const cells = expand(experiment, { scale: 1, quick: false, seed: 1 });
  return cells.flatMap((cell) => rowsOf(cell, result(), runInfo, new Date(0)));
}

test("ids are unique", () => {
  expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
});

test("every figure and table of the papers has a claim", () => {
  expect([...new Set(claims.map(({ experiment }) => experiment))].sort()).toEqual([...paperExperimentIds].sort());
});

each("%s is named after its experiment", (id, { experiment }) => {
  expect(id).toMatch(/^[^:]+:[a-z0-9][a-z0-9.-]*$/);
  expect(id.split(":")[0]).toBe(experiment);
});

each("%s is one sentence, and short in a table", (_, { text, paper }) => {
  expect(text).toMatch(/^\S.*\.$/s);
  for (const words of [text, paper]) {
    expect(words.length).toBeGreaterThan(0);
    expect(words).toBe(words.trim());
    expect(words).not.toMatch(/\s\s|\n|undefined|NaN/);
  }
  expect(paper.length).toBeLessThanOrEqual(30);
});

test.each(claims.flatMap(({ id, cause }) => (cause ? [[id, cause] as const] : [])))(
  "%s has a cause in one sentence, checked by numbers that can be compared",
  (_, { text, checks }) => {
    expect(text).toMatch(/^[A-Z].*[^.]\.$/);
    for (const { kind } of checks) expect(kind).not.toBe("absolute");
  },
);

test("every cause is shown by the rows that are kept, or its claim is reproduced by them", async () => {
  const rows = await readResults(join(packageRoot, "results", "nvidia-h200"));
  const measured = new Set(rows.map(({ experiment }) => experiment));
  const explained = claims.filter(({ cause, experiment }) => cause && measured.has(experiment));
  expect(explained).not.toEqual([]);
  // Rows that are older than a claim or its cause may lack what these ask for: then nothing is said of it yet.
  const unshown = scorecard(explained, rows).filter(
    ({ verdict, cause }) =>
      verdict !== "reproduced" && verdict !== "not run" && !cause?.shown && !cause?.evidence.startsWith(NO_CELL),
  );
  expect(unshown.map(({ claim, cause }) => `${claim.id}: ${cause?.evidence}`)).toEqual([]);
});

test("no claim compares rows that are kept with ones that they cannot be compared with", async () => {
  const rows = await readResults(join(packageRoot, "results", "nvidia-h200"));
  const unpaired = scorecard(claims, rows).filter(
    ({ verdict, reason }) => verdict === "not run" && reason === NO_PAIRS,
  );
  expect(unpaired.map(({ claim }) => claim.id)).toEqual([]);
});

test.each(["nvidia-h200", "nvidia-h100"])(
  "of the rows of %s none that is to be faster is so by less than 1",
  async (device) => {
    const scores = scorecard(claims, await readResults(join(packageRoot, "results", device)));
    const quotients = scores.flatMap(({ claim: { id, check }, verdict, ours }) => {
      if (verdict !== "reproduced" || (check.kind !== "ratio" && check.kind !== "order")) return [];
      const expected: Expectation = check.kind === "ratio" ? check.expect : { atLeast: 1 };
      const value = Number(/^[\d.,]+/.exec(ours)?.[0].replaceAll(",", "")) / (ours.includes("%") ? 100 : 1);
      return [{ id, value, expected }];
    });
    expect(quotients.length).toBeGreaterThan(50);
    for (const { id, value, expected } of quotients) {
      if ("atLeast" in expected && expected.atLeast >= 1) expect(value, id).toBeGreaterThanOrEqual(1);
      if ("atMost" in expected && expected.atMost <= 1) expect(value, id).toBeLessThanOrEqual(1);
    }
  },
);

test("README counts the papers' claims and ours", () => {
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  const ours = claims.filter(({ origin }) => origin === "hashbench").length;
  expect(readme).toContain(`${claims.length - ours} claims of the papers and ${ours} of ours`);
});

each("%s expects something that can be", (_, claim) => {
  for (const { check } of checked(claim)) {
    const expected = expectationOf(check);
    if (!expected) continue;
    for (const value of Object.values(expected)) expect(Number.isFinite(value)).toBe(true);
    if ("from" in expected) expect(expected.from).toBeLessThanOrEqual(expected.to);
    if ("near" in expected) expect(expected.near).not.toBe(0);
    if ("within" in expected) expect(expected.within).toBeGreaterThanOrEqual(0);
  }
});

each("%s names metrics and fields that rows have", (_, claim) => {
  for (const { metric = "mops" } of checked(claim).flatMap(selectionsOf)) expect(isMetric(metric), metric).toBe(true);
  for (const { check } of checked(claim)) {
    for (const field of fieldsOf(check)) {
      const column = (COLUMNS as readonly string[]).includes(field);
      const metric = check.kind === "correlation" && isMetric(field);
      expect(column || /^params\.\w+$/.test(field) || metric, field).toBe(true);
    }
  }
});

each("%s pairs by nothing that its selections fix at different values", (_, claim) => {
  for (const { check } of checked(claim)) {
    if (!("by" in check) || !check.by) continue;
    for (const field of check.by) {
      const name = field.replace(/^params\./, "");
      const fixed = selectionsOf({ check }).flatMap(({ params }) => (name === field ? [] : [params?.[name]]));
      expect(new Set(fixed.filter((where) => typeof where === "number")).size, field).toBeLessThanOrEqual(1);
    }
  }
});

each("%s selects cells of its experiment", (_, claim) => {
  for (const wanted of checked(claim).flatMap(selectionsOf)) {
    const id = wanted.experiment ?? claim.experiment;
    const experiment = experiments.find((one) => one.id === id);
    if (!experiment) expect(paperExperimentIds).toContain(id);
    if (!experiment) continue;
    const { metric: _, ...cells } = wanted;
    const { rows } = select(rowsOfExperiment(experiment), claim, cells);
    expect(rows.length, JSON.stringify(wanted)).toBeGreaterThan(0);
  }
});
