import { expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { asShares, byTable, overlaid, overlaidCells, sharesOfBest, sideLabels } from "./overlay.js";
import { cellsOf } from "./rows.js";
import { plotData, plotDataOf } from "./series.js";
import { experiment, failedRow, threeRows } from "./testing.js";

const side = (folder: string, changes: object = {}) => ({ folder, rows: [row(changes)] });

test("folders are called by their device, by their commit where that is one, else by their names", () => {
  expect(sideLabels([side("a"), side("b", { device: "B" })])).toEqual(["Test device", "B"]);
  expect(sideLabels([side("a", { commit: "1" }), side("b", { commit: "2" })])).toEqual([
    "Test device, commit 1",
    "Test device, commit 2",
  ]);
  const alike = { dawn: "Chromium/150", device: "TEST-DEVICE" };
  expect(sideLabels([side("a", { dawn: "1.2" }), side("b", alike)])).toEqual([
    "Test device, Dawn 1.2",
    "TEST-DEVICE, Chromium/150",
  ]);
  expect(sideLabels([side("a"), side("past/b")])).toEqual(["Test device, a", "Test device, b"]);
  expect(sideLabels([side("past/a/b"), side("b")])).toEqual(["Test device, past/a/b", "Test device, b"]);
});

test("two commits of one device are two lines, none of which replaces the other", () => {
  const sides = ["1", "2"].map((label) => ({ label, rows: [row()] }));
  expect(plotData(experiment(), overlaid(sides)).series.map(({ name }) => name)).toEqual(["GPH, 1", "GPH, 2"]);
});

test("cells of several devices are drawn as their rows are", () => {
  const sides = ["1", "2"].map((label) => ({ label, rows: [...threeRows(), failedRow({ positive_ratio: 0.25 })] }));
  const cells = sides.map(({ label, rows }) => ({ label, cells: cellsOf(experiment(), rows) }));
  const drawn = plotDataOf(experiment(), overlaidCells(cells));
  expect(drawn).toEqual(plotData(experiment(), overlaid(sides)));
  expect([drawn.points.length, drawn.missing.length]).toEqual([6, 2]);
});

test("rates are shares of the best of all sides, cell by cell", () => {
  const rates = [10, 40].map((value, i) => [
    row({ metric: "mops", value, lo: value / 2, hi: value }),
    row({ metric: "mops", value: 8 - 4 * i, lo: null, op: "erase" }),
    row({ metric: "limit_share", value: 0.9 }),
  ]);
  const rows = overlaid(rates.map((own, i) => ({ label: `side ${i}`, rows: own })));
  const shares = sharesOfBest(rows).filter(({ metric }) => metric === "limit_share");
  expect(shares.map(({ device, op, value, lo }) => [device, op, value, lo])).toEqual([
    ["side 0", row().op, 0.25, 0.125],
    ["side 0", "erase", 1, null],
    ["side 1", row().op, 1, 0.5],
    ["side 1", "erase", 0.5, null],
  ]);
});

test("by table there is a panel for each, in which the sides are the series, told apart by colour alone", () => {
  const sides = ["1", "2"].map((label) => ({
    label,
    rows: [...threeRows(), row({ table: "cuckoo", variant: "1.25n" })],
  }));
  const { series, panels } = plotData(byTable(experiment()), overlaid(sides));
  expect(series.map(({ name, side }) => [name, side])).toEqual([
    ["1", undefined],
    ["2", undefined],
  ]);
  expect(new Set(series.map(({ index }) => index)).size).toBe(2);
  expect(panels).toEqual(["GPH", "Cuckoo"]);
});

test("rates are drawn as shares, and what is no rate is not", () => {
  expect(asShares(experiment())?.figure).toMatchObject({ metric: "limit_share", y: { factor: 100 } });
  expect(asShares(experiment({}, { metric: "probes" }))).toBeNull();
});
