/** The package as npm packs it, installed in another folder: types for a program, and what a bundler makes of one table. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";
import { tableNames } from "./index.js";

/** Bytes of a bundle of one table, minified. */
const MOST_BYTES = 60_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hashbench-package-"));
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const listing = execFileSync("npm", packing, { cwd: packageRoot, encoding: "utf8" });
  const [{ filename }] = JSON.parse(listing) as [{ filename: string }];
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@webgpu"), { recursive: true });
  execFileSync("tar", ["xf", join(folder, filename), "-C", modules]);
  execFileSync("mv", [join(modules, "package"), join(modules, "hashbench")]);
  for (const name of ["@webgpu/types", "zod"])
    symlinkSync(join(packageRoot, "node_modules", name), join(modules, name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import { createTable, EMPTY, readOutcome, UsageError, type DeviceFunctions, type TableOptions } from "hashbench/tables";
import { DELETED, OUTCOME_BYTES, quotient, readOutcome as read, UsageError as Wrong } from "hashbench/tables/quotient";

export async function use(device: GPUDevice, keys: GPUBuffer, values: GPUBuffer, results: GPUBuffer): Promise<number> {
  const options: TableOptions = { capacity: 1000, loadFactor: 0.8, keys: "u32" };
  const table = await createTable(device, "quotient", options);
  const { stored, refused } = await table.insert({ keys, values, n: 1000 });
  const encoder = device.createCommandEncoder();
  table.encodeErase(encoder, { keys, n: 10 }, { buffer: results });
  const { erased }: { erased: number } = readOutcome(new Uint32Array(8));
  const other = await quotient.create(device, options);
  await other.find({ keys, results, n: 1, first: 3 });
  if (read(new Uint32Array(OUTCOME_BYTES / 4)).failed) throw new Wrong("failed");
  await (await createTable(device, "slab-hash", { capacity: DELETED, label: "visited" })).flush();
  await (await createTable(device, "crystal", options)).rehash();
  await table.upsert({ keys, values, n: 1, rule: "add" });
  const { size } = await table.export({ keys, values, n: 1 });
  const { code, layout }: DeviceFunctions = table.device({ functions: ["find_or_insert"] });
  device.createShaderModule({ label: layout.label + size, code });
  const cuckoo = await createTable(device, "cuckoo", options);
  cuckoo.encodeInsert(encoder, { keys, values, n: 1 }, { buffer: results });
  // @ts-expect-error no key can be erased, recorded or not
  cuckoo.encodeErase(encoder, { keys, n: 1 });
  // @ts-expect-error it has no rows
  await cuckoo.upsert({ keys, values, n: 1, rule: "add" });
  // @ts-expect-error no key can be erased
  await cuckoo.erase({ keys, n: 1 });
  // @ts-expect-error no such table
  await createTable(device, "quotent", options).catch((error: UsageError) => error.message);
  return stored + refused + erased + EMPTY;
}
`;

test.each([
  { moduleResolution: "Bundler", lib: ["ES2022", "DOM"], types: [] },
  { moduleResolution: "NodeNext", lib: ["ES2022"], types: ["@webgpu/types"] },
  { moduleResolution: "NodeNext", lib: ["ES2022"], types: [] },
])("a TypeScript program has types: %o", ({ moduleResolution, lib, types }) => {
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const compilerOptions = {
    target: "ES2022",
    lib,
    module: moduleResolution === "Bundler" ? "ESNext" : "NodeNext",
    moduleResolution,
    strict: true,
    noEmit: true,
    types,
    // What is in the package of WebGPU's types is in the DOM's, too.
    skipLibCheck: types.length > 0,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  const compiler = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
});

test.each(["hashbench", "hashbench/results", "hashbench/run"])("the types of %s need no others", (entry) => {
  writeFileSync(join(folder, "entry.ts"), `export * from "${entry}";`);
  const options = ["--lib", "ES2023", "--types", "", "--module", "NodeNext", "--strict", "--noEmit", "--ignoreConfig"];
  const compiler = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
  const command = [compiler, ...options, "entry.ts"];
  const { stdout } = spawnSync(process.execPath, command, { cwd: folder, encoding: "utf8" });
  expect(stdout).toBe("");
});

/** Files of a bundle by whether the program loads them at once, and all their modules. */
async function bundle(program: string, { oneFile = false } = {}) {
  const input = join(folder, "bundled.js");
  writeFileSync(input, program);
  const made = await rolldown({ input, cwd: folder, platform: "browser" });
  const { output } = await made.generate({ format: "esm", minify: true, codeSplitting: !oneFile });
  const chunks = output.filter((one) => one.type === "chunk");
  const first = new Set<string>();
  const visit = (name: string): void => {
    if (first.has(name)) return;
    first.add(name);
    for (const other of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) visit(other);
  };
  for (const { isEntry, fileName } of chunks) if (isEntry) visit(fileName);
  const atOnce = chunks.filter(({ fileName }) => first.has(fileName));
  const modules = atOnce.flatMap((chunk) =>
    Object.keys(chunk.modules).map((name) => name.split("/dist/").at(-1) ?? ""),
  );
  return { bytes: atOnce.reduce((sum, { code }) => sum + Buffer.byteLength(code), 0), modules };
}

/** The folder of each table's kernels where it is not its name, and bytes of a bundle that is larger than most. */
const FOLDERS: Readonly<Record<string, string>> = {
  crystal: "double-hashing",
  "linear-probing": "double-hashing",
  warpdrive: "warpcore",
};
const LARGER: Readonly<Record<string, number>> = {
  bucketed: 61_000,
  quotient: 69_000,
  stash: 67_000,
  gph: 79_000,
  "slab-hash": 89_000,
  dycuckoo: 94_000,
};

test.each(tableNames)("a bundle of %s alone is small, and has no other table", async (name) => {
  expect(existsSync(join(folder, "node_modules", "hashbench", "dist", "kernels", "library", "index.js"))).toBe(true);
  const { bytes, modules } = await bundle(`export * from "hashbench/tables/${name}";`);
  expect(bytes).toBeLessThan(LARGER[name] ?? MOST_BYTES);
  expect(bytes).toBeGreaterThan(MOST_BYTES / 4);
  const tables = modules.filter((module) => /^kernels\/[\w-]+\/find\.wgsl\.js$/.test(module));
  expect(tables).toEqual([`kernels/${FOLDERS[name] ?? name}/find.wgsl.js`]);
  expect(modules.filter((module) => module.startsWith("bench/"))).toEqual([]);
});

test("a constant of the library costs its bytes, in a bundle of one file too", async () => {
  for (const entry of ["", ...tableNames.map((name) => `/${name}`)]) {
    const { bytes } = await bundle(`export { EMPTY } from "hashbench/tables${entry}";`, { oneFile: true });
    expect(bytes, entry).toBeLessThan(200);
  }
  // Esbuild keeps every table for a call that is not annotated.
  const index = readFileSync(join(packageRoot, "dist", "kernels", "library", "index.js"), "utf8");
  expect(index.match(/^export const \w+ = (?!\/\* @__PURE__ \*\/)[\w.]+\(/gm)).toBeNull();
});

test("createTable loads a table when it is asked for one", async () => {
  const { bytes, modules } = await bundle('export { createTable } from "hashbench/tables";');
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(modules.filter((module) => module.endsWith("find.wgsl.js"))).toEqual([]);
});
