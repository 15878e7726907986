import { expect, onTestFinished, test, vi } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { type Child, Pool } from "./pool.js";
import type { CheckSpec, FromWorker, ToWorker } from "./protocol.js";
import { noResult } from "./reporter.js";

const spec = (name: string): CheckSpec => ({
  table: "quotient",
  host: false,
  params: {},
  name,
  rounds: { first: 0, count: 1 },
});

/** Workers that say that they run the cases of a request at a time where they may, and die of one of them. */
function dyingOf(killer: string) {
  const requests: string[] = [];
  const fork = (): Child => {
    let say = (_: FromWorker): void => undefined;
    let end = (_: string): void => undefined;
    const run = async (message: ToWorker): Promise<void> => {
      if (message.type === "open") return say({ type: "ready", device: new FakeGpu().info });
      if (message.type !== "checks") return;
      const { cells, together } = message;
      requests.push(`${cells.map(({ spec }) => spec.name)}${together ? " together" : ""}`);
      const beside = together && cells.length > 1;
      for (const { index, spec } of cells) {
        say({ type: "phase", index, phase: "verify", samples: 0, together: beside });
        if (spec.name === killer) return end("code 139");
        say({ type: "result", index, result: noResult("ok", ""), spent: {} });
      }
      say({ type: "done", spent: {} });
    };
    return {
      send: (message) => void setImmediate(() => run(message)),
      listen(onMessage, onEnd) {
        say = onMessage;
        end = onEnd;
      },
      leave() {
        say = () => undefined;
        end = () => undefined;
      },
      kill: () => undefined,
    };
  };
  return { requests, fork };
}

const open = { adapter: "", robust: true, toggles: [], defaultLimits: false };
const options = { timeoutMs: 10_000, open, memory: 1, counting: false, plugins: [], native: [] };
const poolOf = (fork: () => Child) => new Pool(options as unknown as ConstructorParameters<typeof Pool>[0], fork);

/** A worker that says so often, each time after so many milliseconds, that it goes on, and then that it has ended. */
function slow(times: number, ms: number): () => Child {
  return () => {
    let say = (_: FromWorker): void => undefined;
    const run = async (message: ToWorker) => {
      if (message.type === "open") return say({ type: "ready", device: new FakeGpu().info });
      for (let i = 0; i < times; i++) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        say({ type: "phase", index: 0, phase: "verify", samples: i, together: false });
      }
      await new Promise((resolve) => setTimeout(resolve, ms));
      say({ type: "result", index: 0, result: noResult("ok", ""), spent: {} });
      say({ type: "done", spent: {} });
    };
    return {
      send: (message) => void run(message),
      listen(onMessage) {
        say = onMessage;
      },
      leave() {
        say = () => undefined;
      },
      kill: () => undefined,
    };
  };
}

test.each([
  [5, 9000, "ok"],
  [5, 11_000, "timeout"],
])("a worker that says %i times after %i ms that it goes on ends: %s", async (times, ms, expected) => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const statuses: string[] = [];
  const checked = poolOf(slow(times, ms)).check([spec("one")], async (_, { status }) => void statuses.push(status));
  await vi.advanceTimersByTimeAsync(100_000);
  await checked;
  expect(statuses).toEqual([expected]);
});

test("cases that end a worker are tried one by one, and the one that does it costs itself alone", async () => {
  const { requests, fork } = dyingOf("bad");
  const pool = poolOf(fork);
  const names = ["one", "bad", "two"];
  const results: string[] = [];
  await pool.check(names.map(spec), async (index, { status, reason }) => {
    results.push(`${names[index]} ${status} ${reason}`.trim());
  });
  expect(requests).toEqual(["one,bad,two together", "bad,two", "two"]);
  expect(results).toEqual(["one ok", "bad crash the worker ended with code 139", "two ok"]);
});
