import { expect, test } from "vitest";
import { experiments } from "../experiments/index.js";
import { parseRows } from "../results/csv.js";
import { publishedFiles, publishedFolders } from "./site.js";

const files = publishedFiles(experiments, { report: "report/report.html", docs: "" });

test("the index names the devices of results/ and a file for each of their experiments", () => {
  const { devices, report } = JSON.parse(files.get("published/index.json")?.() ?? "") as {
    devices: Record<string, string[]>;
    report: string;
  };
  expect(report).toBe("report/report.html");
  expect(Object.keys(devices)).toEqual(publishedFolders());
  expect(devices["nvidia-h200"]).toContain("gph/fig10");
  for (const [device, ids] of Object.entries(devices))
    for (const id of ids) expect(files.has(`published/${device}/${id}.csv`), id).toBe(true);
});

test("a file has the rows that its figures draw, and no others", () => {
  const name = "published/nvidia-h200/stadium/table1.csv";
  const rows = parseRows(files.get(name)?.() ?? "", name);
  const metrics = new Set(rows.map(({ metric }) => metric));
  expect(metrics).toContain("warp_efficiency_instructions");
  expect(metrics).not.toContain("failed_cas");
});

test("a package without results publishes none", () => {
  expect([...publishedFiles(experiments, { report: "", docs: "" }, "/nowhere").keys()]).toEqual([
    "published/index.json",
  ]);
});
