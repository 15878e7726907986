import { expect, test } from "vitest";
import type { CellSpec } from "../../experiment.js";
import type { WorkerResult } from "../../run/protocol.js";
import { noResult } from "../../run/reporter.js";
import { attentive } from "./attention.js";

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
