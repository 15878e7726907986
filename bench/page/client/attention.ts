/**
 * A tab in the background gets less of the machine, as its browser likes. What was measured while the page was hidden is
 * measured again once it is shown.
 */
import type { Measure, Pool } from "../../run/pool.js";
import { noResult } from "../../run/reporter.js";

/** Whether somebody looks. */
export interface Attention {
  /** Whether the page was hidden at any time since then, of performance.now(). */
  hiddenSince(time: number): boolean;
  shown(): Promise<void>;
}

/** Of this page. @param told whenever it is hidden or shown */
export function attention(told: (hidden: boolean) => void): Attention {
  let lastHidden = Number.NEGATIVE_INFINITY;
  let waiting: (() => void)[] = [];
  const look = () => {
    lastHidden = performance.now();
    told(document.hidden);
    if (document.hidden) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  document.addEventListener("visibilitychange", look);
  if (document.hidden) look();
  return {
    hiddenSince: (time) => document.hidden || lastHidden >= time,
    shown: () => (document.hidden ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()),
  };
}

/** The pool, whose cells are postponed where nobody looked. */
export function attentive(pool: Pick<Pool, "measure">, { hiddenSince, shown }: Attention): Pick<Pool, "measure"> {
  return {
    async measure(cells, measure: Measure) {
      await shown();
      const begun = performance.now();
      const began = new Map<number, number>();
      await pool.measure(cells, {
        ...measure,
        onPhase(index, phase, samples) {
          if (!began.has(index)) began.set(index, performance.now());
          measure.onPhase?.(index, phase, samples);
        },
        onResult(index, result) {
          const unseen = result.status === "ok" && hiddenSince(began.get(index) ?? begun);
          return measure.onResult(index, unseen ? noResult("postponed", "the tab was in the background") : result);
        },
      });
    },
  };
}
