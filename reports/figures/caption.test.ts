import { expect, test } from "vitest";
import { row } from "../../bench/results/testing.js";
import { environmentOf } from "./caption.js";

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
