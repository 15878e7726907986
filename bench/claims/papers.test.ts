import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { claims, experiments } from "../experiments/index.js";
import { figureName, paperOf, papers, sourceOf } from "./papers.js";

const each = test.each(papers.map((paper) => [paper.id, paper] as const));

each("README cites %s, if experiments of it exist", (id, { authors, title, venue }) => {
  if (!experiments.some((experiment) => paperOf(experiment.id) === id)) return;
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  expect(readme).toContain(`${authors}, *${title}*, ${venue}`);
});

each("%s is claimed to have measured on its own devices only", (id, { devices }) => {
  const own = claims.filter(({ experiment }) => experiment.startsWith(`${id}/`));
  expect(own.length).toBeGreaterThan(0);
  for (const claim of own) expect(Object.keys(devices), claim.id).toContain(claim.device);
});

test("the name of a paper's figure follows from its id, unless the paper numbers it otherwise", () => {
  const named = Object.fromEntries(experiments.map((one) => [one.id, figureName(one)]));
  expect(named["gph/fig11a"]).toBe("Fig. 11a");
  expect(named["cuckoo/fig4.5-build"]).toBe("Fig. 4.5");
  expect(named["dycuckoo/table4"]).toBe("Table 4");
  expect(named["stadium/table1"]).toBe("Table I");
  expect(named["cuckoo/misses"]).toBe("");
  expect(named["limit/table"]).toBe("");
});

test("an experiment is from a paper, its figure and section, as far as it has them", () => {
  const sources = Object.fromEntries(experiments.map((one) => [one.id, sourceOf(one)]));
  expect(sources["gph/fig10"]).toEqual(["GPH, SIGMOD 2025", "Fig. 10", "section 7.2"]);
  expect(sources["slab/alloc"]).toEqual(["Slab Hash, IPDPS 2018", "section V"]);
  expect(sources["limit/table"]).toEqual(["hashbench: tables and the limit"]);
});
