import { join, resolve } from "node:path";
import type { Command } from "commander";
import { FORMATS, type Format } from "../../reports/formats.js";
import { findExperiments } from "../experiments/find.js";
import { experiments } from "../experiments/index.js";
import { loadPlugins } from "../plugins.js";
import { readResults } from "../results/read.js";
import { list, oneOf, PLUGIN, path } from "./options.js";

export function addPlot(program: Command): void {
  program
    .command("plot")
    .description("draw the figures of a results folder")
    .argument("<results>", "results folder (or one CSV file of it)")
    .option("--ids <list>", "only these experiments", list("--ids"))
    .option("--formats <list>", `of ${FORMATS.join(", ")}`, formats)
    .option("--out <folder>", "where the figures go (default: figures in the results folder)", path("--out"))
    .option(...PLUGIN)
    .option("--json", "JSON on stdout")
    .addHelpText("after", "\nExample: hashbench plot results/nvidia-h200 --formats svg,png")
    .action(
      async (
        from: string,
        flags: { ids?: string[]; formats?: Format[]; out?: string; json?: boolean; plugin: string[] },
      ) => {
        await loadPlugins(flags.plugin);
        if (flags.ids) findExperiments(flags.ids);
        // Of a group of experiments those that have rows are enough.
        const ids = flags.ids?.includes("all") ? undefined : flags.ids?.map((id) => id.replace(/\/$/, ""));
        const out = resolve(flags.out ?? (from.endsWith(".csv") ? "figures" : join(from, "figures")));
        const request = { from, out, formats: flags.formats ?? [...FORMATS], ...(ids ? { ids } : {}) };
        const { plotFolder } = await import("../../reports/plot.js");
        const files = await plotFolder(request, readResults, experiments);
        if (flags.json) console.log(JSON.stringify(files, null, 1));
        else for (const { file } of files) console.log(file);
      },
    );
}

function formats(text: string): Format[] {
  return list("--formats")(text).map(oneOf("--formats", FORMATS));
}
