import { expect, test } from "vitest";
import { printMarkdown } from "../../bench/base/document.js";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { experiment } from "../figures/testing.js";
import type { Report } from "./contents.js";
import { portTables, slowerPorts } from "./originals.js";
import { originals, portTable } from "./sections.js";

const compared = experiment(
  { series: [{ table: "cuckoo", label: "Cuckoo" }], from: [row().experiment] },
  {
    x: { field: "load_factor", title: "Load factor" },
    facet: { field: "op+positive_ratio", title: "Operation" },
    against: { table: { cuckoo: "original" }, as: "ratio" },
  },
);
// As WebGPU and CUDA spell one device.
const device = "nvidia-h200";
const system = { device: "NVIDIA H200" };
const port = (changes: Partial<ResultRow> = {}) =>
  row({ table: "cuckoo", device, value: 150, lo: 140, hi: 160, ...changes });
const original = (changes: Partial<ResultRow> = {}) =>
  row({ table: "original", device, api: "cuda", system, value: 100, lo: 80, hi: 125, ...changes });

test("a line an operation and settings of the original, a column a load factor", () => {
  const rows = [0.8, 0.5].flatMap((load_factor) => [
    port({ load_factor }),
    original({ load_factor }),
    ...(load_factor === 0.8 ? [original({ load_factor, variant: "fastest", value: 300, lo: null, hi: null })] : []),
  ]);
  const [table] = portTables([compared], rows);
  if (!table) throw new Error("no table");
  const { head, rows: lines } = portTable(table, "");
  expect(head).toEqual(["port", "operation", "original's settings", "load factor 0.5", "0.8"]);
  const operation = expect.stringMatching(/^find, \d+ % present$/);
  expect(lines).toEqual([
    ["Cuckoo", operation, "default", "1.50 (1.12 to 2.00)", "1.50 (1.12 to 2.00)"],
    ["Cuckoo", operation, "fastest", "–", "0.50 (0.47 to 0.53)"],
  ]);
  // Slower than the fastest settings alone.
  expect(slowerPorts([table])).toEqual([]);
});

test("each series of a port has lines of its own, by the names of legends", () => {
  const variant = "its prime";
  const series = [...compared.series, { table: "cuckoo", label: "Cuckoo, its prime", variant }];
  const [table] = portTables([{ ...compared, series }], [port(), port({ variant, value: 180 }), original()]);
  expect(table?.lines.map(({ title, ratios }) => [title, ...[...ratios.values()].map(({ value }) => value)])).toEqual([
    ["Cuckoo", 1.5],
    ["Cuckoo, its prime", 1.8],
  ]);
});

test("a port is slower where the whole interval is below 1", () => {
  const slower = (hi: number) =>
    slowerPorts(portTables([compared], [port({ value: 70, lo: 60, hi }), original({ lo: 90, hi: 110 })]));
  expect(slower(80)).toEqual(["cuckoo"]);
  expect(slower(91)).toEqual([]);
});

test("sides of different runs, or at different places, make no line", () => {
  for (const changes of [{ run: "another" }, { n: 5 }, { device: "Another" }, { system: { device: "NVIDIA H100" } }])
    expect(portTables([compared], [port(), original(changes)])).toEqual([]);
  expect(portTables([experiment()], [port(), original()])).toEqual([]);
});

test("a README is named from the report's folder, or as it is called where the package is not around that", () => {
  const ports = [portTables([compared], [port({ value: 70, lo: 60, hi: 80 }), original({ lo: 90, hi: 110 })])];
  const printed = (sources: string | null) => {
    const report = { columns: [{ label: device, slug: device }], ports, sources } as unknown as Report;
    return printMarkdown(originals(report).blocks);
  };
  expect(printed("..")).toContain("its README says: [cuckoo](../kernels/cuckoo/README.md).");
  expect(printed(null)).toContain("its README says: `kernels/cuckoo/README.md`.");
});
