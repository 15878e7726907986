import { join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { UsageError } from "../../kernels/device/errors.js";
import { FORMATS } from "../../reports/figures/formats.js";
import { PLOTTED } from "../../reports/figures/overlay.js";
import { findExperiments } from "../experiments/find.js";
import { experiments } from "../experiments/index.js";
import { loadPlugins } from "../plugins/plugins.js";
import { readJudgedRows } from "./judged-rows.js";
import { JSON_FLAG, OUT_FLAG, PLUGIN, QUIET } from "./options.js";
import { distinct, list, oneOf, path, someOf } from "./parsers.js";
import { stepsOn } from "./status-line.js";

export function add(program: Command): void {
  program
    .command("plot")
    .argument("<results...>", "results folders (or CSV files of them)")
    .option("--overlay", "draw several folders in one plot: devices, or commits of one")
    .option(
      "--as <quantity>",
      "what figures of rates show: rates, shares (of each device's limit), best (shares of the best of several folders)",
      oneOf("--as", PLOTTED),
      "rates",
    )
    .option("--ids <list>", "only these experiments", list("--ids"))
    .option("--formats <list>", `some of ${FORMATS.join(", ")} (default: all)`, someOf("--formats", FORMATS))
    .option(OUT_FLAG, "where the figures go (default: figures in the results folder)", path("--out"))
    .option(...PLUGIN)
    .option(...QUIET)
    .option(...JSON_FLAG)
    .addHelpText(
      "after",
      "\nExample: hashbench plot results/nvidia-h200 --formats svg,png\n         hashbench plot before after --overlay --as shares",
    )
    .action(async (from, flags) => {
      const several = from.length > 1;
      if (several !== (flags.overlay === true))
        throw new UsageError(
          several
            ? `${from.length} folders: --overlay draws them in one plot; without it, plot each alone`
            : "--overlay draws several folders in one plot; there is one",
        );
      if (flags.as === "best" && !several)
        throw new UsageError("--as best compares several folders: add --overlay and these");
      const [first = ""] = from;
      await loadPlugins(flags.plugin);
      if (flags.ids) findExperiments(flags.ids);
      // Of a group of experiments those that have rows are enough.
      const ids = flags.ids?.includes("all") ? undefined : flags.ids?.map((id) => id.replace(/\/$/, ""));
      const name = several ? "overlay" : "figures";
      const out = resolve(flags.out ?? (first.endsWith(".csv") ? name : join(first, name)));
      const request = {
        from: distinct(from),
        quantity: flags.as,
        out,
        formats: flags.formats ?? [...FORMATS],
        ...(ids ? { ids } : {}),
      };
      const { plotFolders } = await import("../../reports/report/plot.js");
      const { step, ended } = stepsOn(process.stderr, flags.quiet);
      const files = await plotFolders({ ...request, step }, readJudgedRows, experiments).finally(ended);
      if (flags.json) console.log(JSON.stringify(files, null, 1));
      else for (const { file } of files) console.log(file);
    });
}
