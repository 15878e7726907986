import { expect, test } from "vitest";
import { FakeGpu } from "../device/fake.js";
import type { Step } from "../device/gpu.js";
import { scoped } from "../device/owned.js";
import type { RunSteps } from "../table.js";
import { Builds, MAX_ATTEMPTS, step } from "./bulk.js";

/** What the steps of each attempt of a build bind as `f`, where the first `failures` attempts fail; and what the build answers. */
function attempted(failures: number) {
  return scoped(new FakeGpu(), async (own) => {
    const seen: [n: number, seed: number][] = [];
    let attempts = 0;
    const builds = await Builds.make(own, {
      draw: (attempt) => ({ seed: 10 + attempt }),
      judge: ({ failed, refused }) => ({ failed: failed > 0, count: refused }),
    });
    const kernel = await own.kernel({ file: "build.wgsl", takes: ["f"] });
    const steps = (f: { readonly n: number; readonly seed: number }): Step[] => {
      seen.push([f.n, f.seed]);
      return [step(kernel, f.n, { f })];
    };
    // The status: 3 refused; failed, its sixth word.
    const run: RunSteps = async () => ({
      ns: 1,
      status: Uint32Array.of(3, 0, 0, 0, 0, attempts++ < failures ? 1 : 0),
      more: new Uint32Array(),
    });
    return { result: await builds.attempts(run, steps, 5), seen, functions: builds.functions(6) };
  });
}

test("a build that fails starts again with what is drawn for the next attempt, which then stands", async () => {
  const { result, seen, functions } = await attempted(2);
  expect(result).toEqual({ ns: 3, count: 3, restarts: 2 });
  expect(seen).toEqual([
    [5, 10],
    [5, 11],
    [5, 12],
  ]);
  expect(functions).toEqual({ n: 6, seed: 12 });
});

test("builds that are recorded have functions of their own, of which the last stand", async () => {
  await scoped(new FakeGpu(), async (own) => {
    const judge = () => ({ failed: false, count: 0 });
    const builds = await Builds.make(own, { draw: (attempt) => ({ seed: 10 + attempt }), judge });
    expect([builds.record(5), builds.record(6)]).toEqual([
      { n: 5, seed: 10 },
      { n: 6, seed: 11 },
    ]);
    expect(builds.functions(7)).toEqual({ n: 7, seed: 11 });
  });
});

test("a build that always fails refuses all pairs", async () => {
  const { result } = await attempted(MAX_ATTEMPTS);
  expect(result).toEqual({ ns: MAX_ATTEMPTS, count: 5, restarts: MAX_ATTEMPTS });
});
