import { expect, test } from "vitest";
import { blocks } from "../../bench/experiments/device/blocks.js";
import { row } from "../../bench/results/testing.js";
import { rowsOf } from "./rows.js";

const access = (table: string) => row({ experiment: "device/limits", bench: "limit", table, metric: "mops" });

test("a figure of others' rows is drawn once there is a table that it shows", () => {
  expect(rowsOf(blocks, [access("lookup32"), access("cas")])).toEqual([]);
  const shown = access("lookup64");
  expect(blocks.figure.only).toContain("lookup64");
  expect(rowsOf(blocks, [access("cas"), shown])).toEqual([shown]);
});
