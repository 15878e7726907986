import { expect, test } from "vitest";
import type { FromWorker } from "./protocol.js";
import { Reporter } from "./reporter.js";

function reporter() {
  const clock = { now: 1000 };
  const said: FromWorker[] = [];
  return {
    clock,
    said,
    reporter: new Reporter(
      (message) => said.push(message),
      () => clock.now,
    ),
  };
}

test("another cell is said at once, the same one five times a second", () => {
  const { clock, said, reporter: to } = reporter();
  to.phase(0, "prepare");
  to.phase(0, "warm-up");
  clock.now += 199;
  to.phase(0, "sample", 5);
  to.phase(1, "sample", 5);
  clock.now += 200;
  to.phase(1, "sample", 10);
  expect(said).toMatchObject([
    { index: 0, phase: "prepare", samples: 0 },
    { index: 1, phase: "sample", samples: 5 },
    { index: 1, phase: "sample", samples: 10 },
  ]);
});

test("a result carries the time since the result before it, by phase, whether the phase was said or not", () => {
  const { clock, said, reporter: to } = reporter();
  to.experiments = new Map([[0, "gph/fig9"]]);
  to.phase(0, "prepare");
  clock.now += 3;
  to.phase(0, "verify");
  clock.now += 4;
  to.finish(0, "failed", new Error("two\nlines"));
  clock.now += 5;
  to.done();
  expect(said.slice(1)).toMatchObject([
    {
      type: "result",
      result: { status: "failed", reason: "two lines" },
      spent: { "gph/fig9": { prepare: 3, verify: 4 } },
    },
    { type: "done", spent: { "gph/fig9": { verify: 5 } } },
  ]);
});

test("the phases of a native table are one", () => {
  const { clock, said, reporter: to } = reporter();
  to.experiments = new Map([
    [0, "gph/fig9"],
    [1, "gph/fig9"],
  ]);
  to.native = new Set([1]);
  to.phase(0, "sample");
  clock.now += 3;
  to.phase(1, "sample");
  clock.now += 4;
  to.phase(1, "verify");
  clock.now += 5;
  to.done();
  expect(said.at(-1)).toMatchObject({ type: "done", spent: { "gph/fig9": { sample: 3, native: 9 } } });
});
