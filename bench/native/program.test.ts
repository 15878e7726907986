import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { DoesNotFit, UsageError } from "../../kernels/device/errors.js";
import { ProgramLost } from "../base/errors.js";
import { packageRoot } from "../base/paths.js";
import { temporaryFolder } from "../results/testing.js";
import { Program } from "./program.js";
import { count } from "./replies.js";
import { SharedArray } from "./shared-array.js";
import { folderFor } from "./shared-files.js";
import { manifestOf, running } from "./testing.js";

async function started(fault = "", change: object = {}, limitMs?: number): Promise<Program> {
  const program = await Program.start(manifestOf(temporaryFolder(), fault, change), limitMs);
  onTestFinished(() => program.end());
  return program;
}

/** The compiled modules: a process of its own has no runner of TypeScript. */
const BUILT = pathToFileURL(join(packageRoot, "dist", "bench", "native")).href;

/** Until a process that was told to end is gone, on a machine that is busy with other things. */
const PATIENCE_MS = 60_000;

const KEYS = Uint32Array.of(7, 8, 9);

/** Inserts three keys, whose values are these too, and asks for them. */
async function asked(program: Program): Promise<number[]> {
  const making = { n: 3, insertions: 3, loadFactor: 0.5, seed: 1, params: {} };
  await program.ask("create", z.object({ slots: count, bytes: count }), making);
  const [keys, answers] = [await SharedArray.scratch(program, 3), await SharedArray.scratch(program, 3)];
  await keys.send(3, () => KEYS);
  await program.operate("insert", { arrays: { keys, values: keys }, n: 3 }, { refused: count });
  await program.operate(
    "find",
    { arrays: { keys, answers }, n: 3 },
    {
      answers: count.refine((said) => said === 3, "3 are wanted"),
    },
  );
  const found = new Uint32Array(3);
  await answers.fetch();
  answers.read(found);
  return [...found];
}

const SHARED = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const sharedBy = (pid: number) => readdirSync(SHARED).filter((name) => name.startsWith(`hashbench-${pid}-`));

test("a program says what it is, takes arrays and answers, and leaves no files", async () => {
  const program = await started();
  expect(program.facts).toEqual({
    device: "a CPU",
    driver: "",
    compiler: "none",
    library: "Map 1.0",
    clock: "made up",
  });
  expect(await asked(program)).toEqual([7, 8, 9]);
  expect(sharedBy(process.pid)).toEqual([]);
});

test("arrays are where there is room", () => {
  const folder = temporaryFolder();
  expect(folderFor(1000, [join(folder, "nonsuch"), folder])).toBe(folder);
  const none = new DoesNotFit(`no room for an array of ${2 ** 60} bytes in ${folder}`);
  expect(() => folderFor(2 ** 60, [folder])).toThrow(none);
});

test.each([
  [
    "another version",
    "version",
    /^map: \{"protocol":2.* is no reply to hello: protocol: the protocol's version 1 is wanted$/,
  ],
  ["a device of two lines", "lines", /is no reply to hello: device: not one line of text$/],
  ["lines of its own on stdout", "chatty", /^map: its program said Welcome to libtable!, which is no reply$/],
  ["a line that does not end", "endless line", /^map: its program said x+…, which is no reply$/],
])("a program with %s is no program of a table", async (_, fault, says) => {
  const starting = started(fault);
  await expect(starting).rejects.toThrow(says);
  await expect(starting).rejects.toBeInstanceOf(UsageError);
});

test("a program that does not answer is given up after the time for it", async () => {
  await expect(started("silent", {}, 300)).rejects.toThrow(/^map: its program does not answer within 0\.3 s$/);
});

test.each([
  ["that is not there", ["./nonsuch"], /^map cannot be started: spawn \.\/nonsuch ENOENT$/],
  ["that ends at once", ["sh", "-c", "echo bad luck >&2; exit 5"], /^map: its program ended with code 5: bad luck$/],
])("a program %s is a wrong manifest", async (_, command, says) => {
  const starting = started("", { command });
  await expect(starting).rejects.toThrow(says);
  await expect(starting).rejects.toBeInstanceOf(UsageError);
});

test.each([
  ["ends in the middle", "exit", /^map: its program ended with code 3: cannot go on$/],
  ["is killed", "killed", /^map: its program ended with SIGSEGV$/],
  [
    "says a negative time",
    "negative",
    /^map: \{"ns":-5,"answers":3\} is no reply to find: ns: a time above 0 is wanted$/,
  ],
  ["says no time", "no time", /is no reply to find: ns: a time above 0 is wanted$/],
  ["says a text for a time", "text for a time", /is no reply to find: ns: /],
  ["writes too few answers", "short", /is no reply to find: answers: 3 are wanted$/],
  ["cuts an array short", "truncated", /^an array of 12 bytes has 4 after its program used it$/],
  ["replies twice", "twice", /^map: (its program said )?\{"ns":1\},? (which )?is no reply/],
])("a program that %s is lost, in one line", async (_, fault, says) => {
  const program = await started(fault);
  const failure = await asked(program).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(ProgramLost);
  expect((failure as Error).message).toMatch(says);
  await vi.waitFor(() => expect(running(`program.mjs ${fault}`)).toEqual([]), { timeout: PATIENCE_MS });
});

test("a failed operation is an error, and the program goes on", async () => {
  const program = await started("error");
  await expect(asked(program)).rejects.toThrow(/^map: a kernel failed$/);
  expect(program.alive).toBe(true);
});

test("what a program cannot do does not fit", async () => {
  await expect(started("unfit")).rejects.toThrow(new DoesNotFit("map: there is no such device"));
  await expect(asked(await started("no room"))).rejects.toThrow(new DoesNotFit("map: out of memory"));
});

test("a program that does not end with its input is killed", async () => {
  const program = await started("endless");
  expect(running("program.mjs endless")).toHaveLength(1);
  program.end();
  await vi.waitFor(() => expect(running("program.mjs endless")).toEqual([]), { timeout: PATIENCE_MS });
});

test("whatever a program does, it does not outlive the process that started it", async () => {
  const folder = temporaryFolder();
  const script = join(folder, "parent.mjs");
  const hangs = join(folder, "hangs");
  const { command } = manifestOf(folder, "hanging");
  const manifest = JSON.stringify(manifestOf(folder, "hanging", { command: [...command, hangs] }));
  // Its end is not of its own making: nothing of it runs then.
  writeFileSync(
    script,
    `const { Program } = await import("${BUILT}/program.js");
     const { SharedArray } = await import("${BUILT}/shared-array.js");
     import { existsSync, writeFileSync } from "node:fs";
     setInterval(() => existsSync(${JSON.stringify(hangs)}) && process.kill(process.pid, "SIGKILL"), 20);
     // An array that is being made.
     writeFileSync(\`${SHARED}/hashbench-\${process.pid}-9\`, "");
     const program = await Program.start(${manifest});
     const array = await SharedArray.scratch(program, 1);
     program.operate("find", { arrays: { keys: array, answers: array }, n: 1 }, {});`,
  );
  const { signal, pid } = spawnSync(process.execPath, [script], { timeout: 100_000 });
  expect(signal).toBe("SIGKILL");
  await vi.waitFor(() => expect(running("program.mjs hanging")).toEqual([]), { timeout: PATIENCE_MS });
  await vi.waitFor(() => expect(sharedBy(pid)).toEqual([]), { timeout: PATIENCE_MS });
});
