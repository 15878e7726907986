/** `hashbench artifact`: for evaluators, what answers which claims, how long it takes, from which inputs, and which verdicts to expect. */
import { createHash } from "node:crypto";
import type { Command } from "@commander-js/extra-typings";
import { columnsOf } from "../../reports/report/columns.js";
import { columnFacts } from "../../reports/report/environment.js";
import { readHosts } from "../../reports/report/hosts.js";
import { type Block, paragraph, printMarkdown, table } from "../base/document.js";
import { count, whole } from "../base/format.js";
import { claims } from "../experiments/index.js";
import { scorecard } from "../experiments/scorecard.js";
import { loadPlugins } from "../plugins/plugins.js";
import { rowsOfExperiment } from "../results/by-experiment.js";
import { groupBy } from "../results/group.js";
import type { ResultRow } from "../results/record.js";
import { readJudgedRows } from "./judged-rows.js";
import { PLUGIN } from "./options.js";

export function add(program: Command): void {
  program
    .command("artifact")
    .argument("<results>", "results folder: the one that comes with an artifact, or the evaluator's own")
    .option(...PLUGIN)
    .addHelpText("after", "\nExample: hashbench artifact results/nvidia-h100")
    .action(async (folder, { plugin }) => {
      await loadPlugins(plugin);
      process.stdout.write(printMarkdown(await artifactBlocks(folder)));
    });
}

/** Digits of a hash that a person compares. */
const HASH_DIGITS = 12;

/** By device: hardware and software, and a line for each experiment with claims that was measured. */
export async function artifactBlocks(folder: string): Promise<Block[]> {
  const hosts = readHosts(folder);
  return columnsOf(await readJudgedRows(folder)).flatMap((column) => {
    const { label, rows } = column;
    const facts = columnFacts(column, hosts).filter(([, value]) => value !== "");
    const byExperiment = [...groupBy(scorecard(claims, rows), ({ claim }) => claim.experiment)];
    const measured = byExperiment.flatMap(([id, scores]) => {
      const run = scores.flatMap((score) => score.rows)[0]?.run;
      return run === undefined ? [] : [{ id, scores, took: secondsOf(hosts.get(run), id) }];
    });
    const lines = measured.map(({ id, scores, took }) => {
      const verdicts = groupBy(scores, ({ verdict }) => verdict);
      const expected = [...verdicts].map(([verdict, of]) => `${of.length} ${verdict}`).join(", ");
      return [id, whole(scores.length), expected, took > 0 ? whole(took) : "", hashOf(rowsOfExperiment(rows, id))];
    });
    const minutes = Math.ceil(measured.reduce((sum, { took }) => sum + took, 0) / 60);
    return [
      table(["hardware and software", ""], facts),
      paragraph(`${count(lines.length, "experiment")} with claims, ${count(minutes, "minute")} in all:`),
      table(["experiment", "claims", `verdicts on ${label}`, "seconds", "inputs"], lines),
    ];
  });
}

/** Of the workers, compilation included; 0 where another experiment measured the same cells. */
function secondsOf(host: object | undefined, experiment: string): number {
  const { seconds } = (host ?? {}) as { seconds?: { experiments?: Record<string, Record<string, number>> } };
  const phases = Object.values(seconds?.experiments?.[experiment] ?? {});
  return Math.ceil(phases.reduce((sum, phase) => sum + phase, 0));
}

function hashOf(rows: readonly ResultRow[]): string {
  const hashes = [...new Set(rows.map((row) => row.data_hash))].filter((hash) => hash !== "").sort();
  if (hashes.length === 0) return "";
  return createHash("sha256").update(hashes.join("\n")).digest("hex").slice(0, HASH_DIGITS);
}
