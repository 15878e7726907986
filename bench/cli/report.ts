import { join, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { REPORT_FORMATS } from "../../reports/figures/formats.js";
import { count } from "../base/format.js";
import type { Verdict } from "../claims/score.js";
import { findExperiments } from "../experiments/find.js";
import { claims, experiments, headlines } from "../experiments/index.js";
import { scorecard } from "../experiments/scorecard.js";
import { loadPlugins } from "../plugins/plugins.js";
import { readJudgedRows } from "./judged-rows.js";
import { OUT_FLAG, PLUGIN, QUIET } from "./options.js";
import { distinct, list, path, someOf } from "./parsers.js";
import { fitted, stepsOn } from "./status-line.js";

export function add(program: Command): void {
  program
    .command("report")
    .argument("<results...>", "results folders (or CSV files of them); several devices stand side by side")
    .option("--ids <list>", "only these experiments, and the claims on them", list("--ids"))
    .option(
      "--formats <list>",
      `some of ${REPORT_FORMATS.join(", ")} (which has figures as SVG)`,
      someOf("--formats", REPORT_FORMATS),
      ["html" as const],
    )
    .option(OUT_FLAG, "where the report goes (default: report in the first results folder)", path("--out"))
    .option(...PLUGIN)
    .option(...QUIET)
    .option("--json", "print the files, and verdicts by device, as one JSON object")
    .addHelpText("after", "\nExample: hashbench report results/nvidia-h200 --out build/report")
    .action(async (from, flags) => {
      await loadPlugins(flags.plugin);
      const [first = ""] = from;
      const out = resolve(flags.out ?? (first.endsWith(".csv") ? "report" : join(first, "report")));
      const ids = flags.ids && new Set(findExperiments(flags.ids).map(({ id }) => id));
      const sources = {
        readRows: readJudgedRows,
        experiments: experiments.filter((e) => !ids || ids.has(e.id)),
        claims: claims.filter((c) => !ids || ids.has(c.experiment)),
        headlines,
        scorecard,
      };
      const { writeReport } = await import("../../reports/report/report.js");
      const { step, ended } = stepsOn(process.stderr, flags.quiet);
      const options = { from: distinct(from), out, formats: flags.formats, step };
      const report = await writeReport(options, sources).finally(ended);
      if (flags.json) return console.log(JSON.stringify(report, null, 1));
      const say = (line: string) => console.error(fitted(line, process.stderr));
      for (const file of report.files) console.log(file);
      for (const { label, verdicts, ours, disagreements } of report.devices) {
        const own = inWords(ours);
        say(`${label}: ${inWords(verdicts)}${own && `; of our own: ${own}`}`);
        if (disagreements > 0)
          say(`${label}: differing between figures: ${count(disagreements, "time")}, see the report`);
      }
      const { length } = report.differing;
      if (length > 0) say(`the devices differ on ${count(length, "claim")}, see the report`);
    });
}

function inWords(verdicts: Readonly<Record<Verdict, number>>): string {
  const counts = Object.entries(verdicts).filter(([, count]) => count > 0);
  return counts.map(([verdict, count]) => `${count} ${verdict}`).join(", ");
}
