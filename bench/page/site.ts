/** The page as files, and the published results beside it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { type Experiment, HELD_FIELD, metricPanels } from "../base/experiment.js";
import { packageRoot, version } from "../base/paths.js";
import { withIntervals } from "../measure/intervals.js";
import type { LoadedPlugin } from "../plugins/plugins.js";
import { csvText, header } from "../results/csv.js";
import { RUN_FILE } from "../results/names.js";
import { resultFiles, rowsIn, samplesBeside } from "../results/read.js";
import { kernelsFile } from "./plugin-files.js";
import { POLICY } from "./policy.js";

/** Where `npm run build` puts the page. */
export const PAGE_FOLDER = join(packageRoot, "dist", "page");
/** The results that come with hashbench's repository; a package has none. */
export const RESULTS = join(packageRoot, "results");
/** Where `npm run docs` writes the documentation of the package's modules; a package has none. */
export const DOCS_FOLDER = join(packageRoot, "build", "docs");

/** The text of index.html, which the page's scripts fill. From a checkout alone. */
export function pageHtml(): string {
  const text = readFileSync(join(packageRoot, "bench", "page", "client", "index.html"), "utf8");
  return text.replace("POLICY", POLICY).replace("VERSION", version);
}

/** Addresses of pages beside this one; "" for one that is not there. */
export interface Beside {
  /** The report of all published devices. */
  readonly report: string;
  /** The documentation of the package's modules. */
  readonly docs: string;
  /** Modules of plug-ins. */
  readonly plugins?: readonly string[];
}

/** Folders of published results: a device each. */
export function publishedFolders(results = RESULTS): string[] {
  if (!existsSync(results)) return [];
  const names = readdirSync(results).sort();
  return names.filter((name) => existsSync(join(results, name, RUN_FILE)));
}

/** By their path beside the page, such as `published/nvidia-h200/gph/fig10.csv`; a text is made when it is asked for. */
export type SiteFiles = ReadonlyMap<string, () => string>;

/**
 * What the page fetches of published results: an index, and of each device and experiment the rows that figures draw.
 */
export function publishedFiles(experiments: readonly Experiment[], beside: Beside, results = RESULTS): SiteFiles {
  const folders = publishedFolders(results).map((folder) => {
    const path = join(results, folder);
    return { folder, files: resultFiles(path).map((file) => ({ file, id: idOf(path, file) })) };
  });
  const devices = Object.fromEntries(folders.map(({ folder, files }) => [folder, files.map(({ id }) => id)]));
  const texts = folders.flatMap(({ folder, files }) =>
    files.map(({ file, id }) => [`published/${folder}/${id}.csv`, () => drawnRows(file, id, experiments)] as const),
  );
  return new Map([["published/index.json", () => JSON.stringify({ devices, ...beside })] as const, ...texts]);
}

function idOf(folder: string, file: string): string {
  return relative(folder, file)
    .split(sep)
    .join("/")
    .replace(/\.csv$/, "");
}

/** The files of plug-ins: the modules and kernels of each one's folder and those below it. */
export function pluginFiles(plugins: readonly LoadedPlugin[]): SiteFiles {
  return new Map(
    plugins.flatMap(({ file, folder, kernels }) => {
      const root = dirname(file);
      const modules = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
        (name) => /\.m?js$/.test(name) && !/(^|[\\/])node_modules[\\/]/.test(name),
      );
      const texts = modules.map(
        (name) => [`${folder}/${name.split(sep).join("/")}`, () => readFileSync(join(root, name), "utf8")] as const,
      );
      return [[kernelsFile(folder), () => JSON.stringify(kernels)] as const, ...texts];
    }),
  );
}

/** The module of a plug-in beside the page. */
export function moduleOf({ file, folder }: LoadedPlugin): string {
  return `${folder}/${basename(file)}`;
}

/** The rows of the metrics that some figure draws of the experiment, with intervals. */
function drawnRows(file: string, id: string, experiments: readonly Experiment[]): string {
  const drawing = experiments.filter((one) => (one.from ?? [one.id]).includes(id));
  const fields = [HELD_FIELD, ...drawing.map(({ figure }) => figure.x.field)].flatMap((field) => field.split("+"));
  const metrics = new Set([
    "limit_mops",
    ...drawing.flatMap(({ figure }) => metricPanels(figure).map(({ metric }) => metric)),
    ...fields.filter((field) => field.startsWith("metric.")).map((field) => field.slice("metric.".length)),
  ]);
  const rows = withIntervals(rowsIn(file), samplesBeside(file));
  return header() + csvText(rows.filter(({ metric, status }) => status !== "ok" || metrics.has(metric)));
}
