import { expect, test } from "vitest";
import { DoesNotFit, Unsupported } from "../../kernels/device/errors.js";
import { FakeGpu } from "../../kernels/device/fake.js";
import type { PartEnded } from "../verify/case.js";
import { ran } from "../verify/tally.js";
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
  await runChecks(new FakeGpu(), [{ index: 0, spec }], reporter, false, [one]);
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
      ran(7);
    },
  };
  const spec: CheckSpec = {
    table: "quotient",
    host: false,
    name: one.name,
    params: {},
    rounds: { first: 0, count: 3 },
  };
  await runChecks(new FakeGpu(), [{ index: 0, spec }], new Reporter((message) => said.push(message)), false, [one]);
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
  await runChecks(new FakeGpu(), [{ index: 0, spec }], new Reporter((message) => said.push(message)), false, [one]);
  expect(said.at(-1)).toMatchObject({
    type: "result",
    result: { status: "skipped", reason: "dycuckoo with resize: erase needs 9 storage buffers; this device has 8" },
  });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The results of cases of these names, in the order in which they came. */
async function resultsOf(together: boolean, checks: Readonly<Record<string, () => Promise<void>>>) {
  const results: string[] = [];
  const names = Object.keys(checks);
  const specs = names.map((name, index) => ({
    index,
    spec: { table: "quotient", host: false, name, params: {}, rounds: { first: 0, count: 1 } },
  }));
  const reporter = new Reporter((message) => {
    if (message.type !== "result") return;
    const { status, operations, reason } = message.result;
    results.push(`${names[message.index]} ${status} ${reason || operations}`);
  });
  await runChecks(
    new FakeGpu(),
    specs,
    reporter,
    together,
    names.map((name) => ({ name, check: async () => checks[name]?.() })),
  );
  return results;
}

test("cases that run beside others are each told what they ran themselves", async () => {
  const slow = async () => {
    ran(1);
    await turn();
    ran(10);
  };
  const quick = async () => ran(100);
  expect(await resultsOf(true, { slow, quick })).toEqual(["quick ok 100", "slow ok 11"]);
  expect(await resultsOf(false, { slow, quick })).toEqual(["slow ok 11", "quick ok 100"]);
});

test("a case that does not fit beside others is tried again after them, by itself", async () => {
  let running = 0;
  const small = async () => {
    running += 1;
    await turn();
    running -= 1;
    ran(2);
  };
  const large = async () => {
    running += 1;
    await turn();
    const others = --running;
    if (others > 0) throw new DoesNotFit("out of device memory");
    ran(3);
  };
  const never = async () => {
    throw new DoesNotFit("out of device memory for 8 bytes");
  };
  const results = await resultsOf(true, { large, never, small });
  expect(results).toEqual(["small ok 2", "never failed out of device memory for 8 bytes", "large ok 3"]);
});
