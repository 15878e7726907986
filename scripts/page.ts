/**
 * Builds the page: bundles bench/page/client for browsers into dist/page, with the texts of all kernels and the files that the
 * report's page has too. Throws where a module imports what only Node has.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { packageRoot, version } from "../bench/base/paths.js";
import { kernelTextsIn } from "../bench/device/sources.js";
import { claimTexts } from "../bench/experiments/claim-texts.js";
import { modulesIn } from "../bench/experiments/discover.js";
import { PAGE_FOLDER, pageHtml } from "../bench/page/site.js";
import { gitCommit } from "../bench/results/environment.js";
import { FONT_FILES } from "../reports/figures/face.js";
import { pageCss } from "../reports/report/theme.js";

const CLIENT = "bench/page/client";
/** Modules at the edge, and what a browser has in their place: all that the page's modules know of the machine. */
export const EDGES: Readonly<Record<string, string>> = {
  "bench/base/shown.ts": `${CLIENT}/edge/shown.ts`,
  "bench/results/reference-files.ts": `${CLIENT}/edge/reference-files.ts`,
  "datasets/ahead.ts": `${CLIENT}/edge/ahead.ts`,
  "datasets/blocks/threads.ts": `${CLIENT}/edge/threads.ts`,
  "datasets/files/table.ts": `${CLIENT}/edge/table.ts`,
  "reports/figures/face.ts": `${CLIENT}/edge/face.ts`,
};
/** Find experiments and claims in their folders, which a bundle does not have. */
const DISCOVER = "bench/experiments/discover.ts";
const CLAIMS = "bench/experiments/claim-texts.ts";

/** Zod tries whether texts may become code, which the page's policy reports, unless it is told not to before it is loaded. */
const NO_CODE = "globalThis.__zod_globalConfig = { jitless: true };";

/** A module's path from the package's root. */
const named = (id: string): string => relative(packageRoot, id).split(sep).join("/");

const edges: Plugin = {
  name: "edges",
  resolveId: {
    order: "pre",
    async handler(source, importer, options) {
      if (source.startsWith("hashbench:")) return source;
      if (source.startsWith("node:"))
        throw new Error(`${named(importer ?? "")} imports ${source}, which no browser has`);
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const edge = found && EDGES[named(found.id)];
      return edge ? join(packageRoot, edge) : found;
    },
  },
  load(id) {
    if (id === "hashbench:kernels") return `export const kernels = ${JSON.stringify(kernelTexts())};`;
    if (id === "hashbench:about")
      return `export const version = ${JSON.stringify(version)}, commit = ${JSON.stringify(gitCommit())};`;
    if (named(id) === CLAIMS) return `export const claimTexts = () => ${JSON.stringify(claimTexts())};`;
    return named(id) === DISCOVER ? discovered() : null;
  },
};

function kernelTexts(): Record<string, string> {
  const all = ["kernels", "bench", "datasets"].flatMap((folder) => kernelTextsIn(packageRoot, folder));
  const own = all.filter(([file]) => !file.includes("/e2e/")).sort(([a], [b]) => (a < b ? -1 : 1));
  // Lines of comments stay as empty ones: errors name lines.
  return Object.fromEntries(own.map(([file, text]) => [file, text.replaceAll(/^[ \t]*\/\/.*$/gm, "")]));
}

/** The module that exports what discover.ts finds, in the same order. */
function discovered(): string {
  const files = modulesIn(join(packageRoot, "bench", "experiments"));
  const imports = files.map((file, i) => `import * as m${i} from ${JSON.stringify(file)};`);
  const all = files.map((_, i) => `m${i}`).join(", ");
  return `${imports.join("\n")}\nexport const exported = async () => [${all}].flatMap((one) => Object.values(one));`;
}

const ENTRIES = { main: join(packageRoot, CLIENT, "main.ts"), worker: join(packageRoot, CLIENT, "worker.ts") };

/** The scripts of the page, or of other entries. Throws an Error where a module imports what only Node has. */
export async function bundlePage(input: Readonly<Record<string, string>> = ENTRIES): Promise<OutputChunk[]> {
  const bundle = await rolldown({
    input,
    platform: "browser",
    plugins: [edges],
    resolve: {
      extensionAlias: { ".js": [".ts", ".js"] },
      alias: { "csv-parse/sync": "csv-parse/browser/esm/sync", "csv-stringify/sync": "csv-stringify/browser/esm/sync" },
    },
    // On a busy machine plug-ins take long, of which it would warn.
    checks: { bundlerTimings: false },
    onLog(level, log) {
      if (level === "warn") throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    banner: NO_CODE,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  await bundle.close();
  return output.filter((one) => one.type === "chunk");
}

/** Writes the page into dist/page, in place of what is there. */
async function buildPage(): Promise<void> {
  const chunks = await bundlePage();
  rmSync(PAGE_FOLDER, { recursive: true, force: true });
  mkdirSync(PAGE_FOLDER, { recursive: true });
  for (const { fileName, code } of chunks) writeFileSync(join(PAGE_FOLDER, fileName), code);
  const asset = (...path: string[]) => readFileSync(join(packageRoot, ...path), "utf8");
  const faces = FONT_FILES.map((file) => {
    const font = basename(file).replace(/ttf$/, "woff2");
    cpSync(file.replace(/ttf$/, "woff2"), join(PAGE_FOLDER, font));
    return `@font-face{font-family:Arimo;font-weight:${file.includes("Bold") ? 700 : 400};src:url(${font}) format("woff2")}`;
  });
  const styles = [...faces, pageCss(), asset(CLIENT, "page.css")];
  writeFileSync(join(PAGE_FOLDER, "page.css"), styles.join("\n"));
  writeFileSync(join(PAGE_FOLDER, "theme.js"), asset("reports", "report", "client", "theme.js"));
  writeFileSync(join(PAGE_FOLDER, "index.html"), pageHtml());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildPage();
