import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claims, experiments } from "./experiments/index.js";
import { papers } from "./papers.js";
import { packageRoot } from "./paths.js";

const each = test.each(papers.map((paper) => [paper.id, paper] as const));

each("README cites %s, if experiments of it exist", (id, { authors, title, venue }) => {
  if (!experiments.some(({ paper }) => paper === id)) return;
  const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
  expect(readme).toContain([authors, `*${title}*`, ...(venue === undefined ? [] : [venue])].join(", "));
});

each("%s is claimed to have measured on its own devices only", (id, { devices }) => {
  const own = claims.filter(({ experiment }) => experiment.startsWith(`${id}/`));
  expect(own.length).toBeGreaterThan(0);
  for (const claim of own) expect(Object.keys(devices), claim.id).toContain(claim.device);
});
