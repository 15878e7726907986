/** The packages as npm packs them, installed in another folder: types for a program, and what bundlers make of one table. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import ts from "typescript-5.9";
import { afterAll, beforeAll, expect, test } from "vitest";
import { link, type WeslBundle } from "wesl/core";
import { packageRoot } from "../../bench/base/paths.js";
import { withLayer } from "../../bench/device/buffer-memory/testing.js";
import { tableNames } from "./index.js";

/** Bytes of a program of most tables, minified. */
const MOST_BYTES = 45_000;
/** Bytes of a program of a query. */
const QUERIES = { "group-by": 73_000, distinct: 76_500, join: 67_000 };

const TABLES = "webgpu-hash-table";
let folder: string;
/** What npm packs of the package in a folder, in the folder of the programs. */
function install(from: string, name: string): void {
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const listing = execFileSync("npm", packing, { cwd: from, encoding: "utf8" });
  const [{ filename }] = JSON.parse(listing) as [{ filename: string }];
  const target = join(folder, "node_modules", name);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["xf", join(folder, filename), "--strip-components", "1", "-C", target]);
}
const packed = (name: string) =>
  readdirSync(join(folder, "node_modules", name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(folder, "node_modules", name), join(entry.parentPath, entry.name)))
    .sort();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hashbench-package-"));
  install(packageRoot, "hashbench");
  install(import.meta.dirname, TABLES);
  mkdirSync(join(folder, "node_modules", "@webgpu"));
  for (const name of ["@webgpu/types", "zod"])
    symlinkSync(join(packageRoot, "node_modules", name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
import { createTable, EMPTY, readOutcome, UsageError, type DeviceFunctions, type TableOptions } from "webgpu-hash-table";
import { distinct, type DistinctOutput, recordDistinct } from "webgpu-hash-table/distinct";
import { type Aggregate, groupBy, readGroups, recordGroupBy } from "webgpu-hash-table/group-by";
import { join, type JoinKind, recordJoin } from "webgpu-hash-table/join";
import { DELETED, OUTCOME_BYTES, quotient, readOutcome as read, UsageError as Wrong } from "webgpu-hash-table/quotient";
import { operations } from "webgpu-hash-table/quotient-operations";
import { recording } from "webgpu-hash-table/recording";
import { warm } from "webgpu-hash-table/warm";
import cuckooFind, { weslBundle } from "webgpu-hash-table/wesl/cuckoo";

// Of WESL's linker.
interface LinkParams {
  weslSrc: Record<string, string>;
  libs?: { name: string; edition: string; modules: Record<string, string> }[];
  conditions?: Record<string, boolean>;
}

export async function use(device: GPUDevice, keys: GPUBuffer, values: GPUBuffer, results: GPUBuffer): Promise<number> {
  const options: TableOptions = { capacity: 1000, loadFactor: 0.8, keys: "u32", onFull: "grow" };
  const table = await createTable(device, "quotient", options);
  const { stored, refused } = await table.insert({ keys, values, n: 1000 });
  const encoder = device.createCommandEncoder();
  table.encodeErase(encoder, { keys, n: 10 }, { buffer: results });
  const { erased }: { erased: number } = readOutcome(new Uint32Array(8));
  const other = await quotient.with(recording).create(device, options);
  await other.find({ keys, results, n: 1, first: 3 });
  await (await quotient.with(operations).create(device, options)).upsert({ keys, values, n: 1, rule: "add" });
  // @ts-expect-error it takes operations of another module
  await other.upsert({ keys, values, n: 1, rule: "add" });
  await warm(quotient.with(operations), device, options, ["find"]);
  other.encodeFind(encoder, { keys, results, n: { buffer: values, most: 10 } });
  other[Symbol.dispose]();
  if (read(new Uint32Array(OUTCOME_BYTES / 4)).failed) throw new Wrong("failed");
  await (await createTable(device, "slab-hash", { capacity: DELETED, label: "visited" })).flush();
  await table.insert({ keys, values, n: 1, wins: "last" });
  await (await createTable(device, "crystal", options)).rehash({ capacity: 2000 });
  const { list }: { list?: GPUBuffer } =
    (await (await createTable(device, "slab-hash", options)).findAll?.({ keys, results, n: 1 })) ?? {};
  list?.destroy();
  await table.upsert({ keys, values, n: 1, rule: "add" });
  const { size } = await table.export({ keys, values, n: 1 });
  const { code, layout, wesl }: DeviceFunctions = table.device({ functions: ["find_or_insert"] });
  device.createShaderModule({ label: layout.label + size, code });
  const linking: LinkParams = { weslSrc: {}, libs: [weslBundle], conditions: wesl.conditions };
  const [aggregates, kind]: [Aggregate[], JoinKind] = [["sum64"], "left"];
  const query = { keys, columns: [values], n: 1, aggregates, output: (groups: number) => ({ keys, answers: values }) };
  const { groups }: { groups: number } = await groupBy(device, query);
  const sums = await recordGroupBy(device, { aggregates, columns: 1, n: 1, groups });
  sums.encode(encoder, { keys, columns: [values], n: 1, output: { keys, answers: values } }, { buffer: results });
  if (readGroups(new Uint32Array(8)).failed) sums.destroy();
  await join(device, { kind, build: { keys, n: 1 }, probe: { keys, n: 1 }, output: () => undefined });
  (await recordJoin(device, { kind, most: { build: 1, probe: 1, results: 1 } }))[Symbol.dispose]();
  const output: DistinctOutput = { marks: keys, rows: values };
  await distinct(device, { keys, n: 1, output: (distinct: number) => (distinct > groups ? undefined : output) });
  (await recordDistinct(device, { n: 1, distinct: groups })).encode(encoder, { keys, n: 1, output });
  // @ts-expect-error no such aggregate
  await groupBy(device, { ...query, aggregates: ["avg"] });
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
  return stored + refused + erased + EMPTY + Object.keys(linking).length;
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

test("a TypeScript 5.9 program has types, too, from WebGPU's package and with the declarations checked", () => {
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  const shared: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    types: ["@webgpu/types"],
    strict: true,
    noEmit: true,
    // Of the compiler's own declarations, which would take most of the time.
    skipDefaultLibCheck: true,
  };
  const libraries = new Map<string, ts.SourceFile | undefined>();
  for (const [module, moduleResolution] of [
    [ts.ModuleKind.Node16, ts.ModuleResolutionKind.Node16],
    [ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
  ] as const) {
    const options = { ...shared, lib: ["lib.es2022.d.ts"], module, moduleResolution };
    const host = ts.createCompilerHost(options);
    host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
    const { getSourceFile } = host;
    host.getSourceFile = (name, ...how) => {
      if (!/\/lib\.[\w.]+\.d\.ts$/.test(name)) return getSourceFile(name, ...how);
      if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...how));
      return libraries.get(name);
    };
    const program = ts.createProgram([join(folder, "program.ts")], options, host);
    const said = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      return `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    expect(said).toEqual([]);
  }
});

test("the types of each entry need no others", () => {
  const entries = ["hashbench", "hashbench/results", "hashbench/run", "hashbench/tables", "hashbench/tables/quotient"];
  // One compilation: most of its time is for what they share.
  const files = entries.map((entry, i) => {
    writeFileSync(join(folder, `entry${i}.ts`), `export * from "${entry}";`);
    return `entry${i}.ts`;
  });
  const options = ["--lib", "ES2023", "--types", "", "--module", "NodeNext", "--strict", "--noEmit", "--ignoreConfig"];
  const compiler = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, ...options, ...files], { cwd: folder, encoding: "utf8" });
  expect(stdout).toBe("");
});

test("the package of the tables needs no other, and hashbench's has it", () => {
  const manifest = readFileSync(join(folder, "node_modules", TABLES, "package.json"), "utf8");
  expect(Object.keys(JSON.parse(manifest) as object).filter((name) => /dependencies|scripts/i.test(name))).toEqual([]);
  expect(packed(TABLES).filter((path) => !/^(dist\/(kernels|datasets)\/|examples\/)/.test(path))).toEqual([
    "README.md",
    "dist/LICENSE",
    "package.json",
  ]);
  const within = packed("hashbench").filter((path) => path.includes("library/"));
  expect(within.filter((path) => path.endsWith(".js"))).toEqual(
    packed(TABLES).flatMap((path) => (/library\/.*\.js$/.test(path) ? [`node_modules/${TABLES}/${path}`] : [])),
  );
});

withLayer("hashbench's has the library of buffer memory and its manifest", () => {
  const own = packed("hashbench").filter((path) => path.includes("device/buffer-memory/"));
  expect(own).toEqual(
    ["buffer_memory.json", "libhashbench_buffer_memory.so"].map((name) => `dist/bench/device/buffer-memory/${name}`),
  );
});

test("WESL's linker takes the bundle that a path of the package names", async () => {
  const path = createRequire(join(folder, "program.js")).resolve(`${TABLES}/wesl/double_hashing`);
  const { default: bundle } = (await import(/* @vite-ignore */ path)) as { default: WeslBundle };
  const weslSrc = { main: "import webgpu_hash_table::wesl::double_hashing::find; fn of_mine() { _ = find(1u); }" };
  const conditions = { GROUP_1: true, ONLY_FIND: true };
  const { dest } = await link({ weslSrc, rootModuleName: "main", libs: [bundle], conditions });
  expect(dest).toMatch(/@group\(1\) @binding\(0\) var<storage, read> table/);
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

/** Bytes of a program as esbuild writes it into one file. */
async function esbuilt(contents: string): Promise<number> {
  const settings = { bundle: true, minify: true, format: "esm", write: false, logLevel: "silent" } as const;
  const { outputFiles } = await build({ stdin: { contents, resolveDir: folder }, ...settings });
  return outputFiles[0]!.contents.length;
}

/** The folder of each table's kernels where it is not its name, and bytes of a program that is not as most are. */
const FOLDERS: Readonly<Record<string, string>> = {
  crystal: "double-hashing",
  "linear-probing": "double-hashing",
  warpdrive: "warpcore",
};
const OTHERS: Readonly<Record<string, number>> = {
  gph: 53_000,
  "slab-hash": 58_000,
  dycuckoo: 59_000,
};

test.each(tableNames)("a program of %s alone is small, and has no other table", async (name) => {
  const program = `export * from "webgpu-hash-table/${name}";`;
  const bytes = await esbuilt(program);
  expect(bytes).toBeLessThan(OTHERS[name] ?? MOST_BYTES);
  expect(bytes).toBeGreaterThan(MOST_BYTES / 2);
  const { modules } = await bundle(program);
  const tables = modules.filter((module) => /^kernels\/[\w-]+\/find\.wgsl\.js$/.test(module));
  expect(tables).toEqual([`kernels/${FOLDERS[name] ?? name}/find.wgsl.js`]);
  expect(modules.filter((module) => module.startsWith("bench/"))).toEqual([]);
});

test.each([
  ["recording", 5000],
  ["quotient-operations", 26_800],
  ["warm", 2000],
])("what a program of a table adds is small: %s", async (name, bytes) => {
  const table = 'export * from "webgpu-hash-table/quotient";';
  const more = (await esbuilt(`${table} export * from "webgpu-hash-table/${name}";`)) - (await esbuilt(table));
  expect(more).toBeLessThan(bytes);
  expect(more).toBeGreaterThan(bytes / 2);
});

test.each(Object.entries(QUERIES))("a program of %s alone is small, and has no table", async (name, most) => {
  const program = `export * from "webgpu-hash-table/${name}";`;
  expect(await esbuilt(program)).toBeLessThan(most);
  const { modules } = await bundle(program);
  expect(modules.filter((module) => /\/(find|insert)\.wgsl\.js$|library\/(table|promises)\.js$/.test(module))).toEqual(
    [],
  );
});

test("a constant of the library costs its bytes, in a bundle of one file too", async () => {
  for (const entry of ["", ...[...tableNames, ...Object.keys(QUERIES)].map((name) => `/${name}`)]) {
    const program = `export { EMPTY } from "webgpu-hash-table${entry}";`;
    expect((await bundle(program, { oneFile: true })).bytes, entry).toBeLessThan(200);
    expect(await esbuilt(program), entry).toBeLessThan(200);
  }
});

test("createTable loads a table when it is asked for one", async () => {
  const { bytes, modules } = await bundle('export { createTable } from "webgpu-hash-table";');
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(modules.filter((module) => module.endsWith("find.wgsl.js"))).toEqual([]);
});
