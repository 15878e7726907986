import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../base/paths.js";
import { exact, type MetricType, metricType, metricTypes, within } from "./metrics.js";

const readme = readFileSync(join(packageRoot, "results", "README.md"), "utf8");

/** Lines of the README's section on metrics that are lines of its table, without the head. */
function documented(): string[] {
  const [, section = ""] = /^## Metrics$(.*?)^## /ms.exec(readme) ?? [];
  return section.split("\n").filter((line) => line.startsWith("| `"));
}

/** The line as far as the registry knows it: what a metric means is said in the README alone, but of stand-ins. */
function line({ name, unit, meaning, standsInFor }: MetricType): string {
  const what = standsInFor === undefined ? "…" : `${meaning}; a **stand-in** for ${standsInFor}`;
  return `| \`${name}\` | ${unit} | ${what} |`;
}

test("results/README.md lists every metric with its unit, and says what it means, or what it stands in for", () => {
  const shown = documented().map((one) =>
    one.includes("**stand-in**") ? one : one.replace(/(?<=\| )[^|]+(?= \|$)/, "…"),
  );
  expect(shown).toEqual(metricTypes.map(line));
});

test("results/README.md names the metrics that a history keeps", () => {
  const kept = metricTypes.filter(({ history }) => history).map(({ name }) => `\`${name}\``);
  expect(readme.replace(/\s+/g, " ")).toContain(`metric of ${kept.join(", ")} of cells`);
});

test("names are unique", () => {
  expect(new Set(metricTypes.map(({ name }) => name)).size).toBe(metricTypes.length);
});

test("a metric of one kernel or region is of the family that names most of it", () => {
  const family = (name: string) => metricType(name)?.name;
  expect(family("warp_efficiency_insert-lanes")).toBe("warp_efficiency_<kernel>");
  expect(family("warp_efficiency_instructions_scatter")).toBe("warp_efficiency_instructions_<kernel>");
  expect(family("operations_probe")).toBe("operations_<region>");
  expect(family("operations_insert_probe")).toBe("operations_<kernel>_<region>");
  expect(family("warp_efficiency_own")).toBe("warp_efficiency_own");
});

test("what no entry names is no metric", () => {
  for (const name of ["probe", "operations_", "mops_insert", ""]) expect(metricType(name), name).toBeUndefined();
});

test("a metric gets its unit from the list, that of a kernel from its family", () => {
  expect(exact("operations_probe", 7)).toEqual({
    metric: "operations_probe",
    unit: "operations",
    value: 7,
    lo: null,
    hi: null,
  });
  expect(within("time", { value: 2, lo: 1, hi: 3 })).toEqual({ metric: "time", unit: "ns", value: 2, lo: 1, hi: 3 });
});
