import { expect, test } from "vitest";
import { row } from "../results/testing.js";
import { program } from "./program.js";
import { endLines, judge, wideCells } from "./run-end.js";

const seconds = { all: 61.25, workers: { prepare: 20, idle: 0.01 }, experiments: {}, beside: {} };
const figures = ["svg", "png"].map((format) => `/home/me/results/figures/gph/fig10.${format}`);
const wide = { cells: 0, of: 3 };
const end = { out: "/home/me/results", seconds, software: false, tour: true, wide };

test("the last lines say where results are, what to open and what to try next", () => {
  const lines = endLines({ ...end, figures: [...figures, "/home/me/results/figures/figures.html"] }, "/home/me");
  expect(lines.slice(0, 4)).toEqual([
    "results: results",
    "time:    61.3 s (prepare 20.0)",
    "figures: 1 as PNG and SVG in results/figures",
    "open:    results/figures/figures.html (all figures, in a browser)",
  ]);
  expect(lines[4]).toMatch(/^next: +(npx )?hashbench run tables\/load-factor --quick {2,}/);
});

test("without figures there is none to open, and another run than the tour ends with its report", () => {
  const lines = endLines({ ...end, figures: [], tour: false }, "/elsewhere");
  expect(lines).toEqual([
    "results: /home/me/results",
    "time:    61.3 s (prepare 20.0)",
    expect.stringMatching(/^next: +(npx )?hashbench report \/home\/me\/results --out report /),
  ]);
});

test("cells that ended before their interval was narrow are counted in one line", () => {
  const rows = [row({ metric: "time", stopped: "time" }), row({ metric: "time", stopped: "quiet", n: 7 }), row()];
  expect(wideCells(rows)).toEqual({ cells: 1, of: 2 });
  expect(endLines({ ...end, figures: [], wide: wideCells(rows) }, "/")[0]).toBe(
    "~:       1 of 2 cells ended by time or number of samples",
  );
});

test("cells that a budget did not reach are gone on with where the run is", () => {
  const rest = "2 cells were not reached within --budget; the same command with --resume --out /results/a goes on";
  expect(() => judge({ postponed: 2 }, "/results/a")).toThrow(rest);
});

test("what is to be tried exists", async () => {
  for (const tour of [true, false]) {
    for (const line of endLines({ ...end, figures: [], tour }, "/").slice(2)) {
      const [, command = "", options = ""] = /hashbench (\w+)(.*?) {2}/.exec(line) ?? [];
      const found = (await program(command)).commands.find((one) => one.name() === command);
      const known = found?.options.map(({ long }) => long) ?? [];
      for (const option of options.match(/--\w+/g) ?? []) expect(known, line).toContain(option);
      expect(found, line).toBeDefined();
    }
  }
});
