import { expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { environmentOf } from "./caption.js";
import { missingNote } from "./missing.js";
import type { MissingCell } from "./plot-data.js";

test("an environment has every value of its rows once, in their order, and the first and the last day", () => {
  const rows = [
    row({ commit: "b", time: "2026-01-02T00:00:00.000Z" }),
    row({ commit: "a", time: "2026-01-03T00:00:00.000Z" }),
    row({ commit: "b", time: "2026-01-01T23:59:59.000Z", toggles: "" }),
    row({ commit: "", time: "2026-01-01T23:59:59.000Z", device: "llvmpipe" }),
  ];
  const { commit, date, device, toggles, software } = environmentOf(rows);
  expect({ commit, date, device, software }).toEqual({
    commit: "b; a",
    date: "2026-01-01 … 2026-01-03",
    device: `${row().device}; llvmpipe`,
    software: true,
  });
  expect(toggles).toBe(row().toggles);
  expect(environmentOf(rows.slice(0, 1)).date).toBe("2026-01-02");
});

test("reasons that differ in their numbers are told once, with bytes as GiB", () => {
  const cell = (i: number, bytes: number): MissingCell => {
    return {
      cell: `${i}`,
      series: "GPH",
      panel: "",
      x: i,
      status: "skipped" as const,
      reason: `${bytes} bytes, but at most 2147483632`,
    };
  };
  const missing = [2684354592, 5368709120].map((bytes, i) => cell(i, bytes));
  expect(missingNote(missing)).toBe("2 cells without a number: 2 × 2.5 GiB, but at most 2 GiB (GPH).");
  const little = [cell(0, 2147483648)];
  expect(missingNote(little)).toBe(
    "1 cell without a number: 1 × 2,147,483,648 bytes, but at most 2,147,483,632 (GPH).",
  );
});
