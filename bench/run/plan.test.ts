import { expect, test } from "vitest";
import type { Experiment } from "../base/experiment.js";
import { paperOf, papers, TOUR } from "../claims/papers.js";
import { experiments } from "../experiments/index.js";
import { cellKey } from "../results/key.js";
import { cellsOn, memoryOf } from "../scenarios/allocation.js";
import { placeIn, runsFor } from "./order.js";
import { plan, sized } from "./plan.js";

const find = (id: string): Experiment => {
  const found = experiments.find((experiment) => experiment.id === id);
  if (!found) throw new Error(id);
  return found;
};
const gpu: Parameters<typeof plan>[2] = { software: false, name: "some GPU", toggles: "+large_pages" };
const lavapipe = { software: true, name: "llvmpipe" };
const fig10 = find("gph/fig10");
const keys = (options: Parameters<typeof plan>[1], device = gpu) =>
  plan([fig10], options, device).flatMap(({ cells }) => cells.map(cellKey));

test("cells that one run measures count as one cell for the size of --quick", () => {
  const fig12 = find("dycuckoo/fig12");
  const scaleOf = (batches: number) => {
    const params = { phase: [1, 2], batch: Array.from({ length: batches }, (_, i) => i + 1) };
    return plan([{ ...fig12, quick: { params } }], { quick: true, seed: 1 }, gpu)[0]?.scale;
  };
  expect(scaleOf(16)).toBe(scaleOf(2));
});

test("equal options give equal cells in equal order, another seed another order", () => {
  expect(keys({ quick: true, seed: 3 })).toEqual(keys({ quick: true, seed: 3 }));
  const tables = (seed: number) => plan([fig10], { quick: false, seed }, gpu)[0]?.cells.map(({ table }) => table);
  expect(tables(3)).not.toEqual(tables(4));
});

test("the cells at one place of a figure, one of each series, are neighbours; the places are shuffled", () => {
  for (const { experiment, cells } of plan(experiments, { quick: false, seed: 1 }, gpu)) {
    const places = cells.map(placeIn([experiment]));
    const runs = places.filter((place, i) => place !== places[i - 1]);
    expect(runs.length, experiment.id).toBe(new Set(places).size);
  }
  const fig13 = find("stadium/fig13");
  const [{ cells = [] } = {}] = plan([fig13], { quick: false, seed: 1 }, gpu);
  const first = cells.filter((cell) => placeIn([fig13])(cell) === placeIn([fig13])(cells[0] ?? cell));
  expect(first.map(({ table, params }) => `${table} ${params.ticket}`).sort()).toEqual(
    ["clstash", "stash"].flatMap((table) => [1, 2, 4, 8].map((ticket) => `${table} ${ticket}`)),
  );
  // Cells that ask one table for other shares of present keys are neighbours too.
  const [{ cells: asking = [] } = {}] = plan([find("tables/load-factor")], { quick: false, seed: 1 }, gpu);
  const finds = asking.filter(({ op, bench }) => op === "find" && bench === "table");
  expect(new Set(finds.slice(0, 5).map(({ loadFactor }) => loadFactor)).size).toBe(1);
  expect(new Set(finds.slice(0, 20).map(({ positiveRatio }) => positiveRatio)).size).toBe(3);
  const chunks = [...new Set(cells.map(({ params }) => Number(params.chunk)))];
  expect(chunks).not.toEqual(chunks.toSorted((a, b) => a - b));
});

test.each([1, 100, 1023, 1024, 5000, 123_457, 4_294_967_294])("--n %i is the largest n of every experiment", (n) => {
  for (const { experiment, cells } of plan(experiments, { quick: false, seed: 1, n }, gpu))
    expect(Math.max(...cells.map((cell) => cell.n)), experiment.id).toBe(n);
});

test("--n is the largest n of the data sets that were asked for", () => {
  const [planned] = plan([fig10], { quick: false, seed: 1, n: 5000, datasets: ["random"] }, gpu);
  expect(Math.max(...(planned?.cells ?? []).map(({ n }) => n))).toBe(5000);
});

test("--scale is taken as it is", () => {
  expect(plan([fig10], { quick: true, scale: 0.5, seed: 1 }, gpu)[0]?.scale).toBe(0.5);
});

test("the scale of --quick depends on the kind of adapter only", () => {
  const scales = (device: typeof gpu) =>
    plan(experiments, { quick: true, seed: 1 }, device).map(({ scale, experiment }) => [experiment.id, scale]);
  expect(scales({ software: false, name: "another GPU" })).toEqual(scales(gpu));
  expect(scales({ software: true, name: "SwiftShader Device" })).not.toEqual(scales(lavapipe));
  for (const [, scale] of scales(gpu)) expect(scale).toBeGreaterThan(0);
});

const swiftshader = { software: true, name: "SwiftShader Device" };
const tour = experiments.filter(({ id }) => TOUR.includes(id));

test("the tour is the device and one figure of each paper", () => {
  const shown = tour.map(({ id }) => paperOf(id)).sort();
  expect(shown).toEqual(["device", ...papers.map(({ id }) => id)].sort());
});

test.each([lavapipe, swiftshader])(
  "the tour on $name has cells for a minute or two, and where it shows rates no table or batch below 2^16, or 2^13 of warps on SwiftShader",
  (device) => {
    const planned = plan(tour, { quick: true, seed: 1 }, device);
    for (const { experiment, cells } of planned) {
      expect(cells.length, experiment.id).toBeGreaterThan(1);
      if (experiment.figure.metric !== "mops") continue;
      const least = device === swiftshader && experiment.software?.swiftshader ? 2 ** 13 : 2 ** 16;
      for (const { n, params } of cells)
        expect(Math.min(n, Number(params.lookups ?? n)), experiment.id).toBeGreaterThanOrEqual(least);
    }
    expect(planned.map(({ experiment }) => experiment.id).sort()).toEqual([...TOUR].sort());
    expect(runsFor(planned.flatMap(({ cells }) => cells)).length).toBeLessThanOrEqual(60);
  },
);

test("a software adapter has the series that its experiment names, unless others are asked for", () => {
  const limited = { ...fig10, software: { ...fig10.software, tables: ["gph", "bucketed"] } };
  const tablesOf = (options: object, device: typeof gpu) => {
    const cells = plan([limited], { quick: true, seed: 1, ...options }, device).flatMap((planned) => planned.cells);
    return [...new Set(cells.map(({ table }) => table))].sort();
  };
  expect(tablesOf({}, lavapipe)).toEqual(["bucketed", "gph"]);
  expect(tablesOf({ tables: ["cuckoo"] }, lavapipe)).toEqual(["cuckoo"]);
  expect(tablesOf({}, gpu)).toContain("warpcore");
});

test("every figure of the tour on a software adapter has two points for a line", () => {
  for (const { experiment, cells } of plan(tour, { quick: true, seed: 1 }, swiftshader)) {
    const place = placeIn([experiment]);
    const points = cells.map((cell) => `${place(cell)} ${cell.positiveRatio}`);
    expect(new Set(points).size, experiment.id).toBeGreaterThan(1);
  }
});

test("sizes for software adapters are those of --quick there only", () => {
  const largest = (options: Parameters<typeof plan>[1], device: typeof gpu) =>
    Math.max(...(plan([fig10], options, device)[0]?.cells ?? []).map(({ n }) => n));
  expect(largest({ quick: true, seed: 1 }, lavapipe)).toBe(2 ** 17);
  expect(largest({ quick: false, seed: 1 }, lavapipe)).toBe(165_000_000);
  expect(largest({ quick: true, seed: 1, n: 5000 }, lavapipe)).toBe(5000);
  expect(largest({ quick: true, seed: 1, scale: 0.5 }, lavapipe)).toBe(82_500_000);
  expect(largest({ quick: true, seed: 1 }, gpu)).toBeGreaterThan(2 ** 17);
});

test("an experiment's own share of the sizes for software adapters is SwiftShader's alone", () => {
  const software = { n: [2 ** 17, 2 ** 18], swiftshader: 1 / 16 };
  const sizes = (device: typeof gpu) => {
    const cells = plan([{ ...fig10, software }], { quick: true, seed: 1 }, device)[0]?.cells;
    return [...new Set(cells?.map(({ n }) => n))].sort((a, b) => a - b);
  };
  expect(sizes(swiftshader)).toEqual([2 ** 13, 2 ** 14]);
  expect(sizes(lavapipe)).toEqual([2 ** 17, 2 ** 18]);
});

test("--quick is smaller by what an experiment's runs cost more", () => {
  const scale = (cost: number) => plan([{ ...fig10, cost }], { quick: true, seed: 1 }, gpu)[0]?.scale;
  expect((scale(1) ?? 0) / (scale(10) ?? 0)).toBeCloseTo(10, 0);
});

test("--quick is smaller on a software adapter, and never larger than the paper's size", () => {
  const largest = (device: typeof gpu) =>
    Math.max(...(plan([fig10], { quick: true, seed: 1 }, device)[0]?.cells ?? []).map(({ n }) => n));
  expect(largest(lavapipe)).toBeLessThan(largest(gpu));
  expect(largest(gpu)).toBeLessThanOrEqual(100_784_453);
});

test.each([{ n: 100 }, { n: 123_457 }, { scale: 1e-6 }, { scale: 2 }, {}])(
  "what is checked before a device is known is what is measured then: %o",
  (size) => {
    const options = { quick: false, seed: 1, ...size };
    const device = { ...gpu, toggles: "+large_pages" };
    for (const planned of plan(experiments, options, device)) {
      const { scale, cells } = sized(planned.experiment, options);
      expect(scale).toBe(planned.scale);
      expect(cellsOn(cells, device).map(cellKey).sort(), planned.experiment.id).toEqual(
        planned.cells.map(cellKey).sort(),
      );
    }
  },
);

test("cells of plain allocations are of devices with large pages, where all are not plain", () => {
  const plain = (toggles: string) =>
    plan([find("device/large"), find("limit/table")], { quick: false, seed: 1 }, { ...gpu, toggles }).map(
      ({ cells }) => cells.filter((cell) => memoryOf(cell) === "plain").length,
    );
  expect(plain("+allow_unsafe_apis")).toEqual([0, 0]);
  for (const pages of ["+large_pages", "+large_pages=4096"])
    expect(plain(`${pages} +allow_unsafe_apis`).every((count) => count > 0)).toBe(true);
});

test("rounds between GPU and host are of devices whose kernels do not reach host memory", () => {
  const benches = (toggles: string) => {
    const [planned] = plan([find("stadium/fig17a")], { quick: false, seed: 1 }, { ...gpu, toggles });
    return [...new Set(planned?.cells.map(({ bench }) => bench))];
  };
  expect(benches("")).toEqual(["host"]);
  expect(benches("+large_pages")).toEqual(["table"]);
});

test.each([{ n: 100 }, { scale: 0.1 }, { quick: true }, {}])("an experiment is expanded once: %o", (size) => {
  for (const device of [gpu, lavapipe, swiftshader]) {
    let expansions = 0;
    const { software: _, ...declared } = fig10;
    const counted = Object.defineProperty({ ...declared }, "series", {
      get() {
        expansions++;
        return fig10.series;
      },
    });
    plan([counted], { quick: false, seed: 1, ...size }, device);
    expect(expansions).toBe(1);
  }
});
