import { expect, test } from "vitest";
import { Unsupported } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { PartEnded } from "../verify/case.js";
import { Harness } from "../verify/harness.js";
import { runChecks } from "./checks.js";
import type { CheckSpec, FromWorker } from "./protocol.js";
import { Reporter } from "./reporter.js";

/** Longest a worker says nothing, in ms of a clock that only the case moves on, and what its last words are. */
async function silence(
  check: (wait: (ms: number) => void, ended: PartEnded) => Promise<void>,
  rounds: number,
): Promise<{ longest: number; status: string }> {
  const clock = { now: 0 };
  const said: { at: number; message: FromWorker }[] = [];
  const reporter = new Reporter(
    (message) => said.push({ at: clock.now, message }),
    () => clock.now,
  );
  const wait = (ms: number): void => {
    clock.now += ms;
  };
  const one = {
    name: "long",
    random: true,
    check: (_: unknown, __: unknown, ___: number, ended: PartEnded) => check(wait, ended),
  };
  const spec: CheckSpec = {
    table: "quotient",
    host: false,
    name: one.name,
    params: {},
    rounds: { first: 0, count: rounds },
  };
  await runChecks(new FakeGpu(), [{ index: 0, spec }], reporter, [one]);
  const gaps = said.slice(1).map(({ at }, i) => at - (said[i]?.at ?? 0));
  const last = said.at(-1)?.message;
  return { longest: Math.max(...gaps), status: last?.type === "result" ? last.result.status : "" };
}

test("each round of a case that ends is progress", async () => {
  expect(await silence(async (wait) => wait(30_000), 30)).toEqual({ longest: 30_000, status: "ok" });
});

test("each part of a round that ends is progress", async () => {
  const inParts = async (wait: (ms: number) => void, ended: PartEnded): Promise<void> => {
    for (let batch = 0; batch < 10; batch++) {
      wait(5000);
      ended();
    }
  };
  expect(await silence(inParts, 3)).toEqual({ longest: 5000, status: "ok" });
});

test("a part without an end is none", async () => {
  const hangs = async (wait: (ms: number) => void, ended: PartEnded): Promise<void> => {
    ended();
    wait(200_000);
    throw new Error("killed");
  };
  expect(await silence(hangs, 30)).toEqual({ longest: 200_000, status: "failed" });
});

test("the result of a case says how many operations it ran", async () => {
  const said: FromWorker[] = [];
  const one = {
    name: "counted",
    random: true,
    check: async () => {
      Harness.operations += 7;
    },
  };
  const spec: CheckSpec = {
    table: "quotient",
    host: false,
    name: one.name,
    params: {},
    rounds: { first: 0, count: 3 },
  };
  await runChecks(new FakeGpu(), [{ index: 0, spec }], new Reporter((message) => said.push(message)), [one]);
  expect(said.at(-1)).toMatchObject({ type: "result", result: { status: "ok", operations: 21 } });
});

test("a case whose kernels need more than the device has is skipped, with what it needs", async () => {
  const said: FromWorker[] = [];
  const one = {
    name: "wide",
    check: async () => {
      throw new Unsupported("erase", "9 storage buffers; this device has 8", "dycuckoo with resize");
    },
  };
  const spec: CheckSpec = {
    table: "dycuckoo",
    host: false,
    name: one.name,
    params: {},
    rounds: { first: 0, count: 1 },
  };
  await runChecks(new FakeGpu(), [{ index: 0, spec }], new Reporter((message) => said.push(message)), [one]);
  expect(said.at(-1)).toMatchObject({
    type: "result",
    result: { status: "skipped", reason: "dycuckoo with resize: erase needs 9 storage buffers; this device has 8" },
  });
});
