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
import { PAGE_FOLDER, publishedFiles, publishedFolders } from "../page/site.js";
import { packageRoot } from "../paths.js";
import { readResults } from "../results/read.js";
import { integer, path } from "./options.js";

export function addServe(program: Command): void {
  program
    .command("serve")
    .description(
      "a page that measures in a browser, by the same code; for this machine alone, or as files for a web host",
    )
    .option("--port <n>", "where it listens on 127.0.0.1; 0: any port that is free", integer("--port", 0, 65535), 8600)
    .option(
      "--export <folder>",
      "write the page's files there instead, with the published results and their report",
      path("--export"),
    )
    .option("--json", "JSON on stdout: the page's address, or its file")
    .addHelpText("after", "\nExample: hashbench serve --export build/site")
    .action(async ({ port, export: out, json }) => {
      const say = (page: string) => console.log(json ? JSON.stringify({ page }) : page);
      if (!existsSync(join(PAGE_FOLDER, "main.js"))) throw new UsageError("the page is not built: npm run build");
      if (out !== undefined) return say(await exportSite(out));
      const server = await serve({ folder: PAGE_FOLDER, made: publishedFiles(experiments, "") }, port);
      say(`http://${HOST}:${(server.address() as AddressInfo).port}/`);
      console.error("Ctrl-C ends it");
      await once(server, "close");
    });
}

/** Writes all that a web host needs: the page, the rows of published devices, the report of all of them. The page's file. */
async function exportSite(out: string): Promise<string> {
  const what = `--export ${out}`;
  checkOutFolder(out, what);
  makeFolder(out, what);
  writing(what, () => cpSync(PAGE_FOLDER, out, { recursive: true }));
  const folders = publishedFolders();
  const report = folders.length > 0 ? "report/report.html" : "";
  for (const [name, text] of publishedFiles(experiments, report)) writeOut(join(out, name), text(), what);
  if (report !== "") {
    const { writeReport } = await import("../../reports/report/report.js");
    const from = folders.map((folder) => join(packageRoot, "results", folder));
    const sources = { readRows: readResults, experiments, claims, scorecard };
    await writeReport({ from, out: join(out, "report"), formats: ["html"] }, sources);
  }
  return join(out, "index.html");
}
