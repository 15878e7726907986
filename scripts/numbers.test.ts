/**
 * Numbers of measurement in texts, made from the rows of results/. After new rows this command writes them anew:
 *
 *     npx vitest run --project unit scripts/numbers.test.ts -u
 *
 * Between `<!-- numbers: BLOCK -->` and `<!-- /numbers -->` stands one of the blocks below. Between `<!-- = DEVICE EXPERIMENT: CHECK -->` and
 * `<!-- / -->` stands what the check of a claim (bench/claims/README.md) finds in the rows of results/DEVICE.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { median } from "simple-statistics";
import { expect, test } from "vitest";
import { list, printMarkdown, table } from "../bench/base/document.js";
import { decimals, formatNumber, significant, whole } from "../bench/base/format.js";
import { packageRoot } from "../bench/base/paths.js";
import { papers } from "../bench/claims/papers.js";
import { parseClaims } from "../bench/claims/parse.js";
import { type Verdict, verdictOnAll } from "../bench/claims/score.js";
import { artifactBlocks } from "../bench/cli/artifact.js";
import { readJudgedRows } from "../bench/cli/judged-rows.js";
import { claims, experiments, headlines } from "../bench/experiments/index.js";
import { scorecard } from "../bench/experiments/scorecard.js";
import { loadFactor } from "../bench/experiments/tables/load-factor.js";
import { rowsOfExperiment } from "../bench/results/by-experiment.js";
import { groupBy } from "../bench/results/group.js";
import { rowKey } from "../bench/results/key.js";
import { newestByCell, sharedNewestRuns } from "../bench/results/newest.js";
import { environmentsOf } from "../bench/results/read.js";
import type { ResultRow } from "../bench/results/record.js";
import { keptRows } from "../bench/results/testing.js";
import { readVerified } from "../bench/results/verified.js";
import { seriesName } from "../reports/figures/rows.js";
import { choiceCells, choices } from "../reports/report/jobs.js";
import { documents, textOf } from "./testing.js";

const PAIRS = 1e8;
const folders = readdirSync(join(packageRoot, "results"));
const newest = async (device: string) => sharedNewestRuns(await keptRows(device));
const ofPairs = (rows: readonly ResultRow[], id: string) =>
  rowsOfExperiment(rows, id).filter(({ n, api, status }) => n === PAIRS && api === "webgpu" && status === "ok");

/** Rates of all GPU tables of one size, at load factor 0.8 or the fullest below it. */
async function rates(device: string): Promise<string> {
  const rows = ofPairs(await newest(device), loadFactor.id).filter(({ load_factor }) => (load_factor ?? 0) < 0.801);
  const rate = (own: readonly ResultRow[], metric: string, op: string, present: number | null) => {
    const found = own.filter((row) => row.metric === metric && row.op === op && row.positive_ratio === present);
    return found[0]?.value == null ? "" : decimals(found[0].value / 1000, 1);
  };
  const cells = (own: readonly ResultRow[], metric: string) => [
    rate(own, metric, "insert", null),
    ...[1, 0.5, 0].map((present) => rate(own, metric, "find", present)),
  ];
  const fullest = (own: readonly ResultRow[]) => Math.max(...own.map((row) => row.load_factor ?? 0));
  const series = [...groupBy(rows, (row) => seriesName(loadFactor, row))].map(([name, all]) => {
    const own = all.filter(({ load_factor }) => load_factor === fullest(all));
    const at = formatNumber(fullest(all), 1);
    return { own, cells: [at === "0.8" ? name : `${name}, at load factor ${at}`, ...cells(own, "mops")] };
  });
  const byFind = series.toSorted((a, b) => Number(b.cells[2]) - Number(a.cells[2]));
  const limit = byFind[0] ? cells(byFind[0].own, "limit_mops") : [];
  const head = [`${device}, 100 M pairs, load factor 0.8, G op/s`, "insert", "find, all keys present", "half", "none"];
  const lines = [...byFind.map((one) => one.cells), ["limit: random CAS; random reads of 32 bytes", ...limit]];
  const runs = [...new Set(rows.map(({ run, commit }) => `run ${run} of commit ${commit}`))];
  expect(runs).toHaveLength(1);
  return `${printMarkdown([table(head, lines)])}\nRows: \`${loadFactor.id}\`, ${runs[0]}.\n`;
}

/** The jobs of a first look; the report has all. */
const BRIEF =
  /^(?:Lookups, half|Lookups in|Insertions|A build|Long use|A table that grows|Group-by of|Distinct|Ids|Upsert|Join)/;

/** The table to take for a job, as the report has it. */
async function jobs(device: string): Promise<string> {
  const brief = choices(experiments, await newest(device)).filter(({ job }) => BRIEF.test(job));
  const lines = brief.map((choice) => {
    const [take = "", rate = "", , bytes = ""] = choiceCells(choice);
    return [`${choice.job} (${choice.setting})`, take, rate.replace(/ \(.*/, ""), bytes];
  });
  return printMarkdown([table([`job, on ${device}`, "take", "rate", "bytes per pair"], lines)]);
}

/** The papers, and which of their main conclusions hold, as the report's first screen has them. */
async function conclusions(device: string): Promise<string> {
  const rows = await readJudgedRows(join(packageRoot, "results", device));
  const scores = groupBy(scorecard(claims, rows), ({ claim }) => claim.id);
  const lines = headlines.map(({ paper, conclusions: all }) => {
    const named = (...verdicts: readonly Verdict[]) => {
      const of = all.filter((one) => verdicts.includes(verdictOnAll(one.claims.flatMap((id) => scores.get(id) ?? []))));
      return of.map(({ short }) => short);
    };
    const outcome = [
      ["Holds", named("reproduced", "holds, small")],
      ["In part or undecided", named("in part", "undecided")],
      ["Does not hold", named("not reproduced", "no difference")],
    ] as const;
    const told = outcome.flatMap(([what, names]) => (names.length > 0 ? `${what}: ${names.join("; ")}.` : []));
    const { authors, title, venue } = papers.find(({ id }) => id === paper) ?? { authors: "", title: "", venue: "" };
    return `- ${authors}, *${title}*, ${venue} ([claims and figures](reports/${paper}.md)). ${told.join(" ")}\n`;
  });
  return lines.join("");
}

/** A row as results/README.md explains it. */
async function row(device: string): Promise<string> {
  const all = ofPairs(await newest(device), "gph/fig10").filter(({ metric }) => metric === "mops");
  const one = all.find((own) => own.table === "bucketed" && own.dataset === "random" && own.positive_ratio === 1);
  if (!one) throw new Error(`${device} has no such row`);
  const shown = (columns: readonly (keyof ResultRow)[]) =>
    columns.map((name) => {
      const value = typeof one[name] === "number" && name !== "load_factor" ? Math.round(one[name]) : one[name];
      return name === "unit" ? `${name}="${value}"` : `${name}=${value}`;
    });
  const cell = shown(["experiment", "table", "op", "dataset", "n", "load_factor", "positive_ratio"]);
  const found = shown(["metric", "value", "lo", "hi", "unit", "samples", "repetitions", "stopped", "status"]);
  return `\n    ${cell.join(" ")}\n    ${found.join(" ")}\n`;
}

/** What a reader of the rows of some runs has to know, or of what was verified of a commit; it is printed while one of these is kept. */
const NOTES: readonly { readonly of: readonly string[]; readonly text: string }[] = [
  {
    of: ["20261126T155306Z"],
    text: "The host was a slow one where the CPU counts: for JavaScript's tables and for tables in host memory (stadium/fig14b, fig16 to fig19).",
  },
  {
    of: ["20261126T043727Z"],
    text:
      "Measured before samples waited until freed memory was cleared, and before chunks of one insertion were stages of one run (stadium/fig13, thresholds). " +
      "Three samples of a single pass of 10 ms were not enough then, and the slab hash went down one list at a time (dycuckoo/fig11 to fig13).",
  },
  {
    of: ["20261126T110916Z"],
    text: "One ordered batch of DyCuckoo's at load factor 0.95 refused a pair. The slab hash by 32 lanes is slower on short lists than before and after this commit.",
  },
  {
    of: ["20261126T155306Z", "20261126T160859Z", "20261126T164440Z", "20261126T043727Z", "20261126T110916Z"],
    text: "WarpCore's insertion, GPH's finds with routing: before, stash's finds of absent keys and those of the CUDA libraries have limits of other accesses than now.",
  },
  {
    of: ["dbb22a68e925"],
    text: "Two variants of cuckoo-set and cuckoo-compacting are left out: they did not heed largePrime.",
  },
];
const printed = (head: readonly string[], lines: readonly string[][]) => {
  const known = new Set(lines.flat());
  const notes = NOTES.map(({ of, text }) => ({ kept: of.filter((name) => known.has(name)), text }));
  const shown = notes.flatMap(({ kept, text }) => (kept.length > 0 ? [`${kept.join(", ")}: ${text}`] : []));
  return printMarkdown([table(head, lines), ...(shown.length > 0 ? [list(shown)] : [])]);
};

/** The runs whose rows are kept. */
async function runs(): Promise<string> {
  const of = async (folder: string) => {
    const seconds = ({ all }: { all?: number } = {}) => (all === undefined ? "" : whole(Math.round(all)));
    const environments = environmentsOf(join(packageRoot, "results", folder));
    const byRun = groupBy(await keptRows(folder), ({ run }) => run);
    return [...byRun].map(([run, rows]) => {
      const ids = [...new Set(rows.map(({ experiment }) => experiment))];
      const cells = [...newestByCell(rows).values()];
      const withStatus = (...statuses: string[]) => cells.filter(([first]) => statuses.includes(first?.status ?? ""));
      const postponed = withStatus("postponed").length;
      const failed = cells.length - postponed - withStatus("ok", "skipped").length;
      const libraries = new Set(rows.filter(({ api }) => api === "cuda").map(({ system }) => system.library));
      const { seconds: known, unfinished } = (environments.get(run) ?? {}) as Record<string, { all?: number }>;
      const named = byRun.size === 1 ? "all" : ids.toSorted().join(", ");
      const took = `${seconds(known)}${unfinished ? ", cut off" : ""}`;
      const { commit = "" } = rows[0] ?? {};
      const counts = [cells.length, failed, postponed, libraries.size].map(whole);
      return [folder, run, commit, named, ...counts, took];
    });
  };
  const withRows = folders.filter((name) => existsSync(join(packageRoot, "results", name, "run.json")));
  const lines = (await Promise.all(withRows.map(of))).flat();
  const counted = ["cells", "failed", "not reached in time", "CUDA libraries"];
  const head = ["folder", "run", "commit", "experiments", ...counted, "whole run, s"];
  return printed(head, lines);
}

/** What verified.json of each folder says, by commit. */
function verified(): string {
  const lines = folders.flatMap((folder) => {
    const known = existsSync(join(packageRoot, "results", folder, "verified.json"));
    const all = known ? (readVerified(join(packageRoot, "results", folder))?.variants ?? []) : [];
    return [...groupBy(all, ({ commit }) => commit)].map(([commit, variants]) => {
      const sum = (name: "ok" | "failed" | "operations") => variants.reduce((total, one) => total + one[name], 0);
      const counts = [variants.length, sum("ok"), sum("failed")].map(whole);
      return [folder, commit, ...counts, significant(sum("operations"), 2)];
    });
  });
  return printed(["folder", "commit", "variants", "cases ok", "failed", "operations compared"], lines);
}

/** What a browser costs on one GPU: the rates of tables by Chromium over those by Dawn in Node. */
async function browser(): Promise<string> {
  const rates = async (by: string) => {
    const rows = rowsOfExperiment(await keptRows(`implementations/${by}`), "tables/implementations");
    return rows.filter(({ metric, value }) => metric === "mops" && value !== null);
  };
  const node = new Map((await rates("dawn")).map((row) => [rowKey(row), row.value ?? 0]));
  const shares = (await rates("chromium")).map((row) => (row.value ?? 0) / (node.get(rowKey(row)) ?? Number.NaN));
  const [middle, least] = [median(shares), Math.min(...shares)].map((share) => decimals(share, 2));
  return `On one H200, Chromium has ${middle} of Node's rates in the median of ${shares.length} finds and insertions, and ${least} in the lowest.\n`;
}

const BLOCKS: Readonly<Record<string, (device: string) => string | Promise<string>>> = {
  browser,
  artifact: async (device) => printMarkdown(await artifactBlocks(join(packageRoot, "results", device))),
  rates,
  conclusions,
  jobs,
  row,
  runs,
  verified,
};

/** What the check finds, with its unit. */
async function found(device: string, experiment: string, check: string): Promise<string> {
  const { claims } = parseClaims(`${experiment}:text* ${check}\n    It stands in a text.`, `${device} ${experiment}`);
  const [score] = scorecard(claims, await keptRows(device));
  if (!score || score.ours === "") throw new Error(`${device} ${experiment}: ${check}: ${score?.reason}`);
  return score.ours;
}

const PARTS =
  /(<!-- numbers: (\w+) ?(\S*) -->\n)[\s\S]*?(<!-- \/numbers -->)|(<!-- = (\S+) (\S+): (.*?) -->).*?(<!-- \/ -->)/g;

/** The text with its numbers as the rows have them. */
async function written(text: string): Promise<string> {
  const parts = [...text.matchAll(PARTS)].map(
    async ([, open, block = "", of = "", close, begin, device = "", experiment = "", check = "", end]) => {
      if (begin) return `${begin}${await found(device, experiment, check)}${end}`;
      const make = BLOCKS[block];
      if (!make) throw new Error(`no block ${block}, but ${Object.keys(BLOCKS).join(", ")}`);
      return `${open}${await make(of)}${close}`;
    },
  );
  const made = await Promise.all(parts);
  return text.replace(PARTS, () => made.shift() ?? "");
}

const marked = [...documents, "bench/page/client/index.html"].filter((file) =>
  /<!-- (?:=|\/|numbers)/.test(textOf(file)),
);

test.each(marked)("the numbers of %s are those of the kept rows", async (file) => {
  // A marker that begins a line would make the line HTML.
  expect(textOf(file).replace(PARTS, "")).not.toMatch(/<!-- (?:=|\/|numbers)/);
  expect(textOf(file)).not.toMatch(/^\s*<!-- =/m);
  await expect(await written(textOf(file))).toMatchFileSnapshot(join(packageRoot, file));
});

test("a number that is not the rows' is found, and a check without rows is an error", async () => {
  const share = "<!-- = nvidia-h200 gph/fig10: max bucketed.limit_share >= 0 % where dataset=random -->";
  const right = await written(`It is ${share}1 %<!-- / -->.`);
  expect(right).toMatch(/^It is <!-- = .* -->\d[\d.]* %<!-- \/ -->\.$/);
  expect(right).not.toContain(">1 %<");
  expect(await written(right)).toBe(right);
  await expect(written(`${share.replace("random", "normal")}1<!-- / -->`)).rejects.toThrow("no cell");
  await expect(written("<!-- numbers: rate -->\n<!-- /numbers -->")).rejects.toThrow("no block rate");
});
