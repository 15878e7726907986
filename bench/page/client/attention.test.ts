import { expect, onTestFinished, test, vi } from "vitest";
import type { CellSpec } from "../../base/experiment.js";
import type { WorkerResult } from "../../run/protocol.js";
import { noResult } from "../../run/reporter.js";
import { attention, attentive } from "./attention.js";

const ok: WorkerResult = { ...noResult("ok", ""), samples: [1] };

test("a cell during which nobody looked is postponed, one before or after it is not, and failures stay what they are", async () => {
  let hidden = Number.NEGATIVE_INFINITY;
  const attention = { hiddenSince: (time: number) => hidden >= time, shown: async () => undefined };
  const statuses: string[] = [];
  const pool = attentive(
    {
      async measure(_, { onPhase, onResult }) {
        const cell = async (index: number, result: WorkerResult, hides = false) => {
          onPhase?.(index, "prepare", 0);
          await new Promise((resolve) => setTimeout(resolve, 2));
          if (hides) hidden = performance.now();
          onPhase?.(index, "sample", 1);
          await onResult(index, result);
          await new Promise((resolve) => setTimeout(resolve, 2));
        };
        await cell(0, ok);
        await cell(1, ok, true);
        await cell(2, noResult("failed", "wrong"), true);
        await cell(3, ok);
      },
    },
    attention,
  );
  const onResult = async (index: number, { status }: WorkerResult) => {
    statuses[index] = status;
  };
  await pool.measure([{}, {}, {}, {}] as CellSpec[], { onResult });
  expect(statuses).toEqual(["ok", "postponed", "failed", "ok"]);
});

test("nothing is begun before the page is shown", async () => {
  let show = (): void => undefined;
  const shown = new Promise<void>((resolve) => {
    show = resolve;
  });
  let begun = false;
  const measure = async () => {
    begun = true;
  };
  const pool = attentive({ measure }, { hiddenSince: () => false, shown: () => shown });
  const measured = pool.measure([], { onResult: async () => undefined });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(begun).toBe(false);
  show();
  await measured;
  expect(begun).toBe(true);
});

test("a page has been hidden since a time if it is now, or was after it", async () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal("document", page);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const now = vi.spyOn(performance, "now").mockReturnValue(10);
  onTestFinished(() => now.mockRestore());
  const told: boolean[] = [];
  const { hiddenSince, shown } = attention((hidden) => told.push(hidden));
  const turn = (hidden: boolean, at: number) => {
    now.mockReturnValue(at);
    page.hidden = hidden;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  expect(hiddenSince(0)).toBe(false);
  turn(true, 20);
  expect(hiddenSince(100)).toBe(true);
  const waits = shown();
  turn(false, 30);
  await waits;
  expect([29, 30, 31].map(hiddenSince)).toEqual([true, true, false]);
  expect(told).toEqual([true, false]);
});
