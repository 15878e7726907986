import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import type * as Run from "../../run/index.js";
import { device, temporary } from "./testing.js";

/** As `hashbench/run`: the compiled one, whose worker is compiled too. */
const { runExperiments } = (await import(
  /* @vite-ignore */ join(packageRoot, "dist", "bench", "run", "index.js")
)) as typeof Run;

test("experiments run from code: rows come back, cells are told, and a run goes on where it ended", async () => {
  const out = temporary();
  const told: number[] = [];
  const options = { out, device, n: 2000, tables: ["quotient"], seed: 7, maxNoise: 0.9 };
  const { rows, counts } = await runExperiments(["tables/load-factor"], {
    ...options,
    onCell: (_, cells) => told.push(cells),
  });
  expect(Object.keys(counts)).toEqual(["ok"]);
  expect(told).toHaveLength(counts.ok ?? 0);
  expect(new Set(told)).toEqual(new Set([counts.ok]));
  const rates = rows.filter(({ metric }) => metric === "mops");
  expect(rates).toHaveLength(counts.ok ?? 0);
  expect(rates.every(({ value, table, seed }) => (value ?? 0) > 0 && table === "quotient" && seed === 7)).toBe(true);
  const again = await runExperiments(["tables/load-factor"], { ...options, resume: true });
  expect(again.rows).toEqual(rows);
});

test("what cannot be run from code is one line", async () => {
  const options = { out: temporary(), device };
  await expect(runExperiments(["no/such"], options)).rejects.toThrow(/^[^\n]*no\/such[^\n]*$/);
  await expect(runExperiments(["gph/fig10"], { ...options, resume: true, force: true })).rejects.toThrow(
    "resume and force exclude one another",
  );
});
