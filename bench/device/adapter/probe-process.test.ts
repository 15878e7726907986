import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { probeAdapters } from "./probe-process.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hashbench-probe-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A probe that does what `body` says; `say` prints a line, `skip` holds the names to leave out. */
async function program(body: string): Promise<string> {
  const file = join(folder, "probe.mjs");
  const prologue = `
    import { writeSync } from "node:fs";
    const skip = process.argv.slice(2);
    const say = (line) => writeSync(1, JSON.stringify(line) + "\\n");
    const find = (name) => { say({ trying: name }); say({ adapter: { name } }); };
  `;
  await writeFile(file, prologue + body);
  return file;
}

test("returns the adapters in the probe's order, under the environment given", async () => {
  const file = await program(`find("B"); find(process.env.HASHBENCH_PROBED); say({ done: true });`);
  const { adapters, problems } = await probeAdapters({ HASHBENCH_PROBED: "A" }, { program: file });
  expect(adapters.map((a) => a.name)).toEqual(["B", "A"]);
  expect(problems).toEqual([]);
});

test("after a crash goes on with the adapters behind the one that crashed", async () => {
  const file = await program(`
    for (const name of ["A", "bad", "C"].filter((n) => !skip.includes(n))) {
      if (name === "bad") { say({ trying: name }); process.kill(process.pid, "SIGSEGV"); await new Promise(() => setInterval(() => {}, 1000)); }
      find(name);
    }
    say({ done: true });
  `);
  const { adapters, problems } = await probeAdapters({}, { program: file });
  expect(adapters.map((a) => a.name)).toEqual(["A", "C"]);
  expect(problems).toEqual(["bad: the driver crashed (SIGSEGV)"]);
});

test("a driver that hangs ends at the time limit", async () => {
  const hang = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
  const file = await program(`say({ trying: "slow" }); if (skip.length === 0) ${hang} say({ done: true });`);
  const { adapters, problems } = await probeAdapters({}, { program: file, timeoutMs: 10_000 });
  expect(adapters).toEqual([]);
  expect(problems).toEqual(["slow: no answer in 10 s"]);
});

test("a probe that dies before it names an adapter is reported with its last words", async () => {
  const file = await program(`console.error("Error: libstdc++.so.6 is missing"); process.exit(7);`);
  const { problems } = await probeAdapters({}, { program: file });
  expect(problems).toEqual(["the driver crashed (exit code 7) Error: libstdc++.so.6 is missing"]);
});

test("lines that a driver prints are not taken for the probe's", async () => {
  const file = await program(`console.log("MESA: hello"); console.log("42"); find("A"); say({ done: true });`);
  const { adapters, problems } = await probeAdapters({}, { program: file });
  expect(adapters).toHaveLength(1);
  expect(problems).toEqual([]);
});

test("a crash while drivers unload is none: everything was said", async () => {
  const file = await program(`find("A"); say({ done: true }); process.exit(139);`);
  expect((await probeAdapters({}, { program: file })).problems).toEqual([]);
});
