/** The structure that bench/README.md describes, held against the imports. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../bench/base/paths.js";
import { program } from "../bench/cli/program.js";
import { files, filesOf, isTest, textOf } from "./testing.js";

/** What each file imports, types too: paths from the root, or names of packages. */
const imports = new Map(
  files.map((file) => {
    const text = readFileSync(join(packageRoot, file), "utf8");
    const names = [...text.matchAll(/^(?:import|export)\b[^;]*?from "([^"]+)"|^import "([^"]+)"/gm)];
    const targets = names.map(([, from, bare]) => from ?? bare ?? "");
    return [file, targets.map((name) => (name.startsWith(".") ? resolved(file, name) : name))] as const;
  }),
);

function resolved(file: string, name: string): string {
  return join(dirname(file), name).split(sep).join("/").replace(/\.js$/, ".ts");
}

/** A circle of the graph, as a path that ends where it begins; null if there is none. */
function circleOf(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return null;
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const found = visit(next);
      if (found) return found;
    }
    path.pop();
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const found = visit(node);
    if (found) return found;
  }
  return null;
}

/** Started by a person; nothing imports them. */
const PROGRAMS: readonly string[] = [
  "datasets/benchmark.ts",
  "scripts/library-speed.ts",
  "scripts/library-operations.ts",
  "scripts/library-calls.ts",
  "scripts/rows-speed.ts",
];

/** A folder below one of FOLDERS, or a file beside these folders. */
const roomOf = (file: string) => file.split("/").slice(0, 2).join("/");

/** Rooms that each kernel imports from: `package::kernels::common::hash::mix32` is of kernels/common. */
const kernelImports = new Map(
  filesOf(".wgsl", ".wesl").map((file) => {
    const text = readFileSync(join(packageRoot, file), "utf8");
    const names = [...text.matchAll(/^\s*(?:@if\([^)]*\)\s*)?import\s+package::(\w+)::(\w+)/gm)];
    return [file, names.map(([, top, room]) => `${top}/${room}`.replaceAll("_", "-"))] as const;
  }),
);

/** Kernels of a partitioned build are linked with the place and the insertion of the table that they build, one of these. */
const BUILDS = "kernels/partitioned";
const BUILT: readonly string[] = ["kernels/bucketed", "kernels/quotient"];

/** The same graph, of rooms, kernels too. */
function rooms(): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  const add = (file: string, others: readonly string[]): void => {
    const own = roomOf(file);
    graph.set(own, [...(graph.get(own) ?? []), ...others.filter((other) => other !== own)]);
  };
  for (const [file, targets] of imports) add(file, targets.filter((target) => imports.has(target)).map(roomOf));
  for (const [file, others] of kernelImports) add(file, others);
  return graph;
}

test("the imports are read", () => {
  expect(imports.get("kernels/index.ts")).toContain("kernels/cuckoo/cuckoo.ts");
  expect(circleOf(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]]))).toEqual(["b", "c", "b"]); // biome-ignore format: short
});

test("what only tests use is not compiled for the package", async () => {
  const config = JSON.parse(readFileSync(join(packageRoot, "tsconfig.build.json"), "utf8")) as { exclude: string[] };
  // The page's own code is bundled (scripts/page.ts), and what was built is there.
  const [elsewhere, packed] = ["bench/page/client", "kernels/library/dist"];
  expect(config.exclude).toEqual(["**/*.test.ts", "**/testing.ts", "**/fake.ts", elsewhere, packed]);
  const compiled = files.map((file) => readFileSync(join(packageRoot, file), "utf8")).join("\n");
  // Experiments and cases are found by their folders; the others are imported, or started as processes.
  const byFolder = /^(bench\/experiments|bench\/verify\/cases|scripts)\//;
  // A command is found by its name.
  const commands = (await program()).commands.map((one) => `bench/cli/${one.name()}.ts`);
  const found = files.filter((file) => !byFolder.test(file) && !PROGRAMS.includes(file) && !commands.includes(file));
  const named = (name: string) => compiled.includes(`/${name}.js"`) || compiled.includes(`"${name}.js"`);
  expect(found.filter((file) => !named(basename(file, ".ts")))).toEqual([]);
});

test("no files import one another in a circle", () => {
  expect(circleOf(imports)).toBeNull();
});

test("no folders import one another in a circle, kernels too, but for builds and what they build", () => {
  const graph = rooms();
  expect(graph.size).toBeGreaterThan(20);
  expect(kernelImports.get("kernels/cuckoo/insert.wgsl")).toContain("kernels/common");
  const all = graph.get(BUILDS) ?? [];
  expect(BUILT.filter((table) => !all.includes(table) || !graph.get(table)?.includes(BUILDS))).toEqual([]);
  graph.set(
    BUILDS,
    all.filter((room) => !BUILT.includes(room)),
  );
  expect(circleOf(graph)).toBeNull();
});

test("bench/README.md has a line for every folder and every file beside them", () => {
  const readme = readFileSync(join(packageRoot, "bench", "README.md"), "utf8");
  const named = [...readme.matchAll(/^\| \[?`([a-z0-9-]+(?:\/|\.ts))`/gm)].map(([, name]) => name);
  const there = readdirSync(join(packageRoot, "bench"), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return [`${entry.name}/`];
    return entry.name.endsWith(".ts") && !isTest(entry.name) ? [entry.name] : [];
  });
  expect(named.sort()).toEqual(there.sort());
});

test("tables know the seam below them, and nothing of the harness, of Node or of Dawn", () => {
  for (const [file, targets] of imports) {
    if (!file.startsWith("kernels/")) continue;
    for (const target of targets) expect(target, file).toMatch(/^(kernels|datasets)\//);
  }
});

test("what implements the seam runs wherever WebGPU is: only the edge opens devices and files", () => {
  const edge = ["bench/device/dawn.ts", "bench/device/sources.ts"];
  for (const [file, targets] of imports) {
    if (!file.startsWith("bench/device/") || file.startsWith("bench/device/adapter/") || edge.includes(file)) continue;
    for (const target of targets) expect(target, file).not.toMatch(/^node:|^webgpu$/);
  }
});

/** Files of experiments, and what they share in their folders. */
const EXPERIMENTS = /^bench\/experiments\/[^/]+\//;
/** The one place of functions that they may call. */
const HELPERS = ["helpers", "originals", "hybrid"].map((name) => `bench/experiments/${name}.ts`);
const helpers = HELPERS.flatMap((file) => {
  const [, names = ""] = /^export \{([^}]*)\};/m.exec(textOf(file)) ?? [];
  const declared = [...textOf(file).matchAll(/^export (?:function|const) (\w+)/gm)].map(([, name]) => name);
  return [...names.split(",").map((name) => name.trim()), ...declared];
});

/** What in the file is not a plain value, a call of a helper or a spread of either. */
function beyondValues(text: string): string[] {
  // Without comments and texts; what is inserted into a text stays.
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/`[^`]*`/g, (one) => `[${[...one.matchAll(/\$\{([^}]*)\}/g)].map(([, inserted]) => inserted).join()}]`);
  const calls = [...code.matchAll(/\b(\w+(?:\.\w+)*)\(/g)].flatMap(([, name]) => (helpers.includes(name) ? [] : name));
  const words = code.match(/=>|\b(?:function|for|while|do|class|new|if|switch|yield|await)\b/g) ?? [];
  const spreads = code.match(/\.\.\.(?![A-Za-z]).{0,20}/g) ?? [];
  return [...calls.map((name) => `${name}(…)`), ...words, ...spreads];
}

test("experiments are plain values: no function, no loop, spreads of constants", () => {
  const declared = files.filter((file) => EXPERIMENTS.test(file));
  expect(declared.length).toBeGreaterThan(40);
  expect(declared.flatMap((file) => beyondValues(textOf(file)).map((odd) => `${file}: ${odd}`))).toEqual([]);
  const planted = [
    "const x = [1].map(String);",
    "const f = (a) => a;",
    "const y = [...[1, 2]];",
    "for (;;) {}",
    "`$" + "{odd(1)}`",
  ];
  for (const odd of planted) expect(beyondValues(odd), odd).not.toEqual([]);
  expect(beyondValues('const x = { ...shared, n: powers(1, 2), label: "f(x) => {}" }; // for (;;)')).toEqual([]);
});

test("an experiment's and a claim's id is a literal, which is declared once", () => {
  const ids = files
    .filter((file) => EXPERIMENTS.test(file))
    .flatMap((file) => textOf(file).match(/^ {2}id: .*/gm) ?? []);
  expect(ids.filter((line) => !/^ {2}id: "[\w./-]+",$/.test(line))).toEqual([]);
  const claims = filesOf(".claims").flatMap((file) => [...textOf(file).matchAll(/^([a-z]+\/[^\s:]+:[^\s*]+)\*?\s/gm)]);
  const all = [...ids, ...claims.map(([, id]) => id)];
  expect(claims.length).toBeGreaterThan(400);
  expect(all.filter((id, i) => all.indexOf(id) !== i)).toEqual([]);
});

/** The value of a constant of a kernel file, which may be a product of others, there or in files that it imports. */
function wgslConstant(file: string, name: string): number {
  const text = readFileSync(join(packageRoot, file), "utf8");
  const value = new RegExp(`(?:const|override) ${name}(?:: \\w+)? = ([^;]+);`).exec(text)?.[1];
  if (value !== undefined) {
    const factors = value.split("*").map((factor) => factor.trim().replace(/u$/, ""));
    return factors.reduce((product, one) => product * (/^\d/.test(one) ? Number(one) : wgslConstant(file, one)), 1);
  }
  const imported = [...text.matchAll(/import package::([\w:]+)::(?:\{([^}]*)\}|(\w+));/g)].find(([, , several, one]) =>
    (several ?? one ?? "").split(/,\s*/).includes(name),
  );
  if (!imported?.[1]) throw new Error(`${file} has no constant ${name}`);
  return wgslConstant(`${imported[1].replaceAll("::", "/").replaceAll("_", "-")}.wgsl`, name);
}

test("constants that host and kernels share, which the comment above the host's says, are equal", () => {
  const shared = files.flatMap((file) => {
    const text = readFileSync(join(packageRoot, file), "utf8");
    const found = text.matchAll(/([A-Z_]+) of ([\w/-]+\/[\w-]+\.wgsl)[^/]*\*\/\n(?:export )?const (\w+) = ([\w.]+);/g);
    return [...found].map(([, theirs = "", kernel = "", own, value]) => ({
      constant: `${file}: ${own}`,
      host: Number(value),
      kernel: wgslConstant(kernel, theirs),
    }));
  });
  expect(shared.length).toBeGreaterThan(12);
  for (const { constant, host, kernel } of shared) expect(host, constant).toBe(kernel);
});

test("numbers are written as text in one place", () => {
  const writes = (file: string) =>
    /\.to(Fixed|Precision|LocaleString)\b|Intl\.NumberFormat/.test(readFileSync(join(packageRoot, file), "utf8"));
  expect(files.filter(writes)).toEqual(["bench/base/format.ts"]);
});

/** Optional members of an interface, at most: more of them are capabilities, each with a name. */
const MOST_OPTIONAL = 6;
/** Interfaces that may have more, as a person writes literals of them, in which what is left out is as usual. */
const LITERALS: readonly string[] = [
  // The flags of `run`, by their names.
  "bench/run/index.ts: ExperimentOptions",
  // All that makes a kernel, in one call.
  "kernels/device/gpu.ts: KernelSource",
];

test("no interface has more than six optional members", () => {
  const found = files.flatMap((file) => {
    const text = readFileSync(join(packageRoot, file), "utf8");
    return [...text.matchAll(/^(?:export )?interface (\w+)[^\n]*\{\n(.*?)^\}/gms)].map(([, name, members = ""]) => ({
      name: `${file}: ${name}`,
      optional: [...members.matchAll(/^ {2}(?:readonly )?\w+\?[:(<]/gm)].length,
    }));
  });
  expect(found.find(({ name }) => name === "kernels/table.ts: GpuTable")?.optional).toBe(MOST_OPTIONAL);
  const many = found.filter(({ optional }) => optional > MOST_OPTIONAL).map(({ name }) => name);
  expect(many.sort()).toEqual([...LITERALS].sort());
});
