/** The layer above a driver that is not there, and its build. On a real driver: buffer-memory.gpu.test.ts. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import { compiles } from "./testing.js";

const source = join(packageRoot, "bench", "device", "buffer-memory");
const script = join(packageRoot, "scripts", "buffer-memory.mjs");
const folder = mkdtempSync(join(tmpdir(), "hashbench-buffer-memory-"));
const program = join(folder, "buffer_memory_test");
const text = readFileSync(join(source, "buffer_memory_test.c"), "utf8");
const cases = [...text.matchAll(/^ {4}\{"([^"]+)", \w+\},$/gm)].map(([, name = ""]) => name);
const environments: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  "another threshold is of the environment": { HASHBENCH_LARGE_PAGES_FROM: String(32 * 2 ** 20) },
  "a failure that the environment asks for takes the plain one": { HASHBENCH_LARGE_PAGES_FAIL: "1" },
};

const withCompiler = test.skipIf(!compiles);

beforeAll(() => {
  if (!compiles) return;
  const words = ["-std=c11", "-O1", "-pthread", "-o", program, join(source, "buffer_memory_test.c")];
  expect(spawnSync("cc", words, { encoding: "utf8" })).toMatchObject({ stderr: "", status: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs one case; gives the lines of the layer's log. */
function run(name: string, env: NodeJS.ProcessEnv = {}): string[] {
  const log = join(folder, "log");
  rmSync(log, { force: true });
  const ended = spawnSync(program, [name], {
    encoding: "utf8",
    env: { ...env, HASHBENCH_LARGE_PAGES_LOG: log },
    timeout: 60_000,
  });
  expect(ended).toMatchObject({ stderr: "", status: 0 });
  return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
}

test("the cases are read", () => {
  expect(cases.length).toBeGreaterThan(15);
  expect(Object.keys(environments).filter((name) => !cases.includes(name))).toEqual([]);
});

withCompiler.each(cases)("%s", (name) => {
  run(name, environments[name]);
});

const BYTES = 64 * 2 ** 20;

withCompiler("the log has a line for each large allocation, with why it is plain", () => {
  expect(run("the threshold is 16 MiB")).toEqual([`dedicated ${16 * 2 ** 20}`]);
  const name = "flags and a priority stay, an allocation with any other structure is left as it is";
  expect(run(name)).toEqual([
    `dedicated ${BYTES}`,
    `plain ${BYTES} structure 1000072002`,
    `plain ${BYTES} structure 1000127001`,
  ]);
  expect(run("where a dedicated allocation fails, the plain one is tried, and its result is the result")).toEqual([
    `plain ${BYTES} dedicated failed: -2`,
    `failed ${BYTES} dedicated failed: -2`,
  ]);
  expect(run("a device with Vulkan 1.0 is left alone")).toEqual([`plain ${BYTES} Vulkan 1.0`]);
  expect(run("a thread does not get the buffer of another")).toEqual([
    `plain ${BYTES} no buffer of this size and memory type was asked for`,
    `dedicated ${BYTES}`,
  ]);
});

/** Builds a copy of the layer with these compilers; gives what was built and what was said. */
function build(path: string, edit = ""): { readonly built: string[]; readonly said: string } {
  const root = mkdtempSync(join(folder, "package-"));
  const copy = join(root, "bench", "device", "buffer-memory");
  cpSync(source, copy, { recursive: true });
  if (edit) writeFileSync(join(copy, "vulkan.h"), edit);
  const { status, stderr } = spawnSync(process.execPath, [script, root], { encoding: "utf8", env: { PATH: path } });
  expect(status).toBe(0);
  const target = join(root, "dist", "bench", "device", "buffer-memory");
  return { built: existsSync(target) ? readdirSync(target).sort() : [], said: stderr };
}

const LINE = "hashbench: built without the layer for buffer memory (bench/device/buffer-memory): ";

withCompiler("the build makes the library, of which the loader is told one symbol, and its manifest", () => {
  expect(build(process.env.PATH ?? "")).toEqual({
    built: ["buffer_memory.json", "libhashbench_buffer_memory.so"],
    said: "",
  });
  const built = join(packageRoot, "dist", "bench", "device", "buffer-memory");
  const library = readFileSync(join(built, "libhashbench_buffer_memory.so"), "latin1");
  const manifest = JSON.parse(readFileSync(join(built, "buffer_memory.json"), "utf8"));
  expect(manifest.layer).toMatchObject({
    name: "VK_LAYER_HASHBENCH_buffer_memory",
    library_path: "./libhashbench_buffer_memory.so",
  });
  expect(library).toContain("\0vkNegotiateLoaderLayerInterfaceVersion\0");
  expect(library).not.toContain("\0own_function\0");
});

test.runIf(process.platform === "linux")("without a C compiler the build says so in a line, and is no error", () => {
  expect(build(folder)).toEqual({ built: [], said: `${LINE}there is no C compiler (cc, gcc, clang)\n` });
});

withCompiler("what a compiler refuses is such a line too", () => {
  const { built, said } = build(process.env.PATH ?? "", "#error no such thing\n");
  expect(built).toEqual([]);
  expect(said.split("\n")).toEqual([expect.stringMatching(/vulkan\.h:1:2: error: #error no such thing$/), ""]);
  expect(said.startsWith(LINE)).toBe(true);
});
