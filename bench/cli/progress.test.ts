import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { cell, result } from "../results/testing.js";
import { cellProgress } from "./progress.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const device = { name: "gpu", driver: "1", software: false } as DeviceInfo;

/** Progress of `total` cells, and the lines it has written since it began. */
function started(total: number, isTTY = false) {
  const written: string[] = [];
  const stream = {
    isTTY,
    columns: 200,
    write: (text: string) => written.push(text),
    on: () => stream,
    cursorTo: () => 0,
  };
  const progress = cellProgress(stream as unknown as NodeJS.WriteStream);
  const cells = Array.from({ length: total }, (_, i) => cell({ n: i + 1 }));
  progress.started(
    device,
    [],
    { cells, expected: { seconds: { from: 60, to: 60 }, experiments: [] }, budgetMs: null },
    "out",
  );
  written.length = 0;
  return { progress, written };
}

const at = "gph/fig10 bucketed find n=1000, random, LF 0.8, 50 % present, lookups 2000, layout a,b";

test("off a terminal a second of silence ends with what is being measured and how far it is", () => {
  const { progress, written } = started(3);
  progress.working(cell(), "heat", 15);
  vi.advanceTimersByTime(999);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(written).toEqual([`measuring ${at}: 15 samples; 0 of 3 cells done\n`]);
});

test("a cell that takes long is said ever more rarely, and what is done then", () => {
  const { progress, written } = started(3);
  progress.working(cell(), "prepare", 0);
  progress.finished(cell(), result());
  vi.advanceTimersByTime(120_000);
  const said = written.filter((line) => line.startsWith("measuring"));
  // After 1, 2, 4, 8, 16, 30 and 30 seconds.
  expect(said).toEqual(Array(7).fill(`measuring ${at}: prepare; 1 of 3 cells done\n`));
});

test("nothing is said while results come, before the first cell is begun, and after the last one", () => {
  const { progress, written } = started(2);
  vi.advanceTimersByTime(10_000);
  progress.working(cell(), "verify", 0);
  progress.finished(cell(), result());
  vi.advanceTimersByTime(900);
  progress.finished(cell(), result());
  vi.advanceTimersByTime(100_000);
  expect(written).toHaveLength(2);
  expect(written[1]).toMatch(/^\[2\/2\] gph/);
});

test("on a terminal the bar shows what is being measured", () => {
  const { progress, written } = started(2, true);
  progress.working(cell(), "sample", 5);
  vi.advanceTimersByTime(1000);
  expect(written.join("")).toContain("0/2 cells, about 60 s left");
  expect(written.join("")).toContain(`${at}: 5 samples`);
  progress.ended();
});
