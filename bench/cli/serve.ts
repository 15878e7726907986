import { once } from "node:events";
import { cpSync, existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { checkOutFolder, makeFolder, writeOut, writing } from "../../datasets/files/paths.js";
import { UsageError } from "../../kernels/device/errors.js";
import { claims, experiments } from "../experiments/index.js";
import { scorecard } from "../experiments/scorecard.js";
import { HOST, serve } from "../page/server.js";
import {
  type Beside,
  DOCS_FOLDER,
  moduleOf,
  PAGE_FOLDER,
  pluginFiles,
  publishedFiles,
  publishedFolders,
  RESULTS,
  type SiteFiles,
} from "../page/site.js";
import { loadedPlugins, loadPlugins } from "../plugins/plugins.js";
import { readJudgedRows } from "./judged-rows.js";
import { PLUGIN } from "./options.js";
import { integer, path } from "./parsers.js";
import { stepsOn } from "./status-line.js";

export function add(program: Command): void {
  program
    .command("serve")
    .option("--port <n>", "where it listens on 127.0.0.1; 0: any free port", integer("--port", 0, 65535), 8600)
    .option(
      "--export <folder>",
      "write the page there instead, with the published results, their report, and the documentation that `npm run docs` makes",
      path("--export"),
    )
    .option(...PLUGIN)
    .option("--json", "print the page's address, or its file, as one JSON object")
    .addHelpText("after", "\nExample: hashbench serve --export build/site")
    .action(async ({ port, export: out, plugin, json }) => {
      await loadPlugins(plugin);
      const say = (page: string) => console.log(json ? JSON.stringify({ page }) : page);
      if (!existsSync(join(PAGE_FOLDER, "main.js"))) throw new UsageError("the page is not built: npm run build");
      if (out !== undefined) return say(await exportSite(out));
      const server = await serve({ folder: PAGE_FOLDER, made: madeFiles({ report: "", docs: "" }) }, port);
      say(`http://${HOST}:${(server.address() as AddressInfo).port}/`);
      console.error("Ctrl-C ends it");
      await once(server, "close");
    });
}

/** What is not on disk as the page fetches it: published rows, and plug-ins. */
function madeFiles(beside: Beside, results?: string): SiteFiles {
  const plugins = loadedPlugins();
  const all = plugins.length > 0 ? { ...beside, plugins: plugins.map(moduleOf) } : beside;
  return new Map([...publishedFiles(experiments, all, results), ...pluginFiles(plugins)]);
}

/**
 * Writes all that a web host needs: the page, the rows of published devices, the report of all of them, and the documentation of the
 * package's modules where it was made. The page's file.
 */
export async function exportSite(out: string, { results = RESULTS, docs = DOCS_FOLDER } = {}): Promise<string> {
  const what = `--export ${out}`;
  checkOutFolder(out, what);
  makeFolder(out, what);
  writing(what, () => cpSync(PAGE_FOLDER, out, { recursive: true }));
  const documented = existsSync(join(docs, "index.html"));
  if (documented) writing(what, () => cpSync(docs, join(out, "docs"), { recursive: true }));
  else console.error("without the documentation of the package's modules, which `npm run docs` makes");
  const folders = publishedFolders(results);
  const beside = {
    report: folders.length > 0 ? "report/report.html" : "",
    docs: documented ? "docs/index.html" : "",
  };
  for (const [name, text] of madeFiles(beside, results)) writeOut(join(out, name), text(), what);
  if (beside.report !== "") {
    const { writeReport } = await import("../../reports/report/report.js");
    const from = folders.map((folder) => join(results, folder));
    const sources = { readRows: readJudgedRows, experiments, claims, scorecard };
    const { step, ended } = stepsOn(process.stderr);
    await writeReport({ from, out: join(out, "report"), formats: ["html"], step }, sources).finally(ended);
  }
  return join(out, "index.html");
}
