import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { stringify } from "csv-stringify/sync";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Claim } from "../../bench/claims/claim.js";
import { asMeasured } from "../../bench/claims/evaluate.js";
import type { Headlines } from "../../bench/claims/headlines.js";
import type { Score } from "../../bench/claims/score.js";
import { stated } from "../../bench/claims/testing.js";
import { parseRows } from "../../bench/results/csv.js";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { UsageError } from "../../kernels/device/errors.js";
import { experiment, failedRow, threeRows } from "../figures/testing.js";
import { columnsOf } from "./columns.js";
import { readHosts } from "./hosts.js";
import { lineRanges, rawData } from "./raw-data.js";
import { writeReport } from "./report.js";
import { causes, evidenceOf } from "./scorecard.js";
import { standInsOf } from "./stand-ins.js";
import { unpacked } from "./testing.js";

const claim: Claim = {
  ...stated("geomean gph / cuckoo ~ 1.33x"),
  id: "gph/test:faster",
  experiment: "gph/test",
  text: "GPH is <faster> | than cuckoo.",
};
const missing: Claim = { ...claim, id: "gph/none:x", experiment: "gph/none" };

/** Of a claim that is not reproduced on the device `Other`. */
const DIFFERS = "gph/test:differs";

/** Reproduced where there are rows of the claim's experiment; not so where it is said why, nor DIFFERS on the device `Other`. */
function scorecard(claims: readonly Claim[], rows: readonly ResultRow[]): Score[] {
  return claims.map((c) => {
    const own = rows.filter((r) => r.experiment === c.experiment);
    const score = { claim: c, ours: "1.5×", interval: "1.4 to 1.6", scaled: "", reason: "Because.", rows: own };
    if (own.length === 0) return { ...score, verdict: "not run" };
    const differs = c.because !== undefined || (c.id === DIFFERS && own.some(({ device }) => device === "Other"));
    if (!differs) return { ...score, verdict: "reproduced" };
    return { ...score, verdict: "not reproduced", outcome: { says: "differs", agreeing: 0, differing: 1, all: 1 } };
  });
}

test("a claim that one device has a stand-in for, and another one measured, is a timed one", () => {
  const predicted = stated("geomean gph.counted_mops / cuckoo.counted_mops ~ 2x");
  const evidence = (...of: readonly Claim[]) => evidenceOf({ claim: predicted, scores: scorecard(of, []) });
  expect(evidence(predicted)).toBe("Predicted, or by a stand-in");
  expect(evidence(predicted, asMeasured(predicted))).toBe("Timed");
});

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hashbench-report-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Writes a report of the rows and returns the files' names and contents. */
async function report(
  rows: readonly ResultRow[],
  more: readonly Claim[] = [],
  headlines: readonly Headlines[] = [],
  experiments = [experiment(), experiment({ id: "gph/absent" })],
) {
  const out = join(folder, "out");
  const sources = {
    experiments,
    claims: [claim, missing, ...more],
    headlines,
    scorecard,
  };
  const written = await writeReport(
    { from: [folder], out, formats: ["html", "markdown"] },
    { ...sources, readRows: async () => rows },
  );
  const read = async (name: string): Promise<string> => unpacked(await readFile(join(out, name), "utf8"));
  return { ...written, names: written.files.map((f) => f.slice(out.length + 1)), read };
}

describe("a report", () => {
  test("opens with the papers' conclusions that its claims answer, in their words and once in the page's table", async () => {
    const of = { paper: "gph", about: "About it." } as const;
    const quote = { quote: "GPH is faster", section: "7.2", short: "faster than cuckoo" };
    const conclusions = [
      { ...quote, claims: [claim.id] as const },
      { quote: "Nothing answers this", section: "8", short: "nothing", claims: ["gph/fig0:x"] as const },
    ];
    const { read } = await report(threeRows(), [], [{ ...of, conclusions }]);
    const page = await read("report.html");
    expect(page).toContain("<q>GPH is faster</q> <small>section 7.2</small>");
    expect(page).not.toContain("Nothing answers this");
    expect(await read("report.md")).toContain("| [GPH](gph.md) | faster than cuckoo |  |  |  |");
    expect(page.indexOf('id="conclusions"')).toBeLessThan(page.indexOf('id="scorecard"'));
    expect(await read("gph.md")).toMatch(
      /\| “GPH is faster” \(7\.2\) \| GPH is .* \| 1\.33× \| \*\*1\.5×\*\* 1\.4 to 1\.6 \| reproduced \|/,
    );
  });

  test("says in conclusions and claims which data stand in for the paper's", async () => {
    const conclusions = [{ quote: "GPH is faster", section: "7.2", short: "faster", claims: [claim.id] as const }];
    const rows = threeRows().map((one) => ({ ...one, dataset: "reddit" }));
    const { read } = await report(rows, [], [{ paper: "gph", about: "About it.", conclusions }]);
    const page = await read("report.html");
    expect(page.match(/<small class="data">stand-in data: reddit<\/small>/g)).toHaveLength(2);
    expect(await read("gph.md")).toContain("(stand-in data: reddit)");
    const real = await report(threeRows(), [], [{ paper: "gph", about: "About it.", conclusions }]);
    expect(await real.read("report.html")).not.toContain("stand-in data:");
  });

  test("has a paper's figures by their numbers, tables after them and those without a number last", async () => {
    const names: Record<string, string> = { "gph/table2": "Table 2", "gph/fig10": "Fig. 10", "gph/fig9": "Fig. 9" };
    const ids = ["gph/other", ...Object.keys(names)];
    const rows = ids.flatMap((id) => threeRows({ experiment: id }));
    const { read } = await report(
      rows,
      [],
      [],
      ids.map((id) => experiment({ id, title: id, source: { figure: names[id] ?? "" } })),
    );
    const headings = (await read("gph.md")).match(/^### gph.*/gm);
    expect(headings).toEqual(["### gph/fig9", "### gph/fig10", "### gph/table2", "### gph/other"]);
    const places = headings?.map((heading) => heading.slice(4)) ?? [];
    const articles = [...(await read("report.html")).matchAll(/<article[^>]* data-experiment="([^"]+)"/g)];
    expect(articles.map(([, id]) => id)).toEqual(places);
  });

  test("is a page, a Markdown file and the figures", async () => {
    const { names, devices } = await report(threeRows());
    expect(names).toEqual(["report.html", "report.md", "gph.md", "gph/test.svg"]);
    expect(devices[0]?.verdicts).toMatchObject({ reproduced: 1, "not run": 1 });
  });

  test("has ports over their originals, and names the README of one that is slower", async () => {
    const compared = experiment(
      { series: [{ table: "cuckoo" }], from: [row().experiment] },
      { against: { table: { cuckoo: "original" }, as: "ratio" } },
    );
    const rows = [
      row({ table: "cuckoo" }),
      row({ table: "original", api: "cuda", system: { device: row().device }, value: 1e6 }),
    ];
    const { read } = await report(rows, [], [], [experiment(), compared]);
    for (const name of ["report.html", "report.md"]) {
      const text = await read(name);
      expect(text).toContain("Ports over their originals");
      expect(text).toContain("kernels/cuckoo/README.md");
    }
    expect(await (await report(threeRows())).read("report.md")).not.toContain("Ports over");
  });

  test("draws the model's picture where the model says the time of a cell", async () => {
    const pattern = (table: string) =>
      row({ bench: "limit", experiment: "device/limits", table, params: { tableMiB: 1 }, metric: "mops", value: 1e4 });
    const counts = { mops: 1e4, dispatches: 1, warp_steps: 0.1, transactions: 1, requests_in_1024: 1 };
    const cell = Object.entries(counts).map(([metric, value]) => row({ table: "cuckoo", metric, value }));
    const { names, read } = await report([...["read4", "lookup4", "read128x32", "launch"].map(pattern), ...cell]);
    expect(names).toContain("model.svg");
    expect(await read("report.md")).toContain("(model.svg)");
    expect(await read("model.svg")).toContain("modelled against measured");
  });

  test("says of a figure the commits of its own rows, in the page and in the pictures", async () => {
    const others = threeRows({ experiment: "gph/other", commit: "cccc" });
    const { read } = await report([...threeRows({ commit: "aaaa" }), ...others]);
    expect(await read("gph/test.svg")).toContain("commit aaaa;");
    expect(await read("gph/test.svg")).not.toContain("; cccc");
    const caption = /<p>gph\/test; driver.*?<\/p>/s.exec(await read("report.html"))?.[0];
    expect(caption).toContain("commit aaaa;");
    expect(caption).not.toContain("; cccc");
  });

  test("has a line for every claim, also one whose experiment does not exist", async () => {
    const { read } = await report(threeRows());
    const page = await read("report.html");
    expect(page.match(/<tr class="claim"/g)).toHaveLength(2);
    expect(page).toContain("GPH is &#60;faster&#62; | than cuckoo.");
    expect(await read("gph.md")).toContain("GPH is &lt;faster> \\| than cuckoo.");
  });

  test("counts our claims apart from the papers', in the page, in Markdown and for machines", async () => {
    const { read, devices } = await report(threeRows(), [{ ...claim, id: "gph/test:ours", origin: "hashbench" }]);
    expect(devices).toMatchObject([
      { verdicts: { reproduced: 1, "not run": 1 }, ours: { reproduced: 1, "not run": 0 } },
    ]);
    const page = await read("report.html");
    expect(page).toContain("2 statements of 1 paper in 2 numbers, and 1 claim of ours.");
    expect(page).toContain("<strong>2</strong> reproduced");
    expect(page).toContain('data-claim="gph/test:ours" data-paper="ours"');
    const markdown = await read("report.md");
    expect(markdown).toContain("2 statements of 1 paper in 2 numbers, and 1 claim of ours.");
    expect(markdown).toMatch(
      /On Test device:\n\n.*\n.*\n\| GPH, SIGMOD 2025 \| 2 \| 2 \| 1 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 1 \|/,
    );
    expect(await read("ours.md")).toContain("| 1.33× (ours) |");
  });

  test("tells once why a claim does not hold", async () => {
    const rows = [...threeRows(), ...threeRows({ device: "Other" })];
    const { read } = await report(rows, [{ ...claim, id: "gph/test:caused", because: "It is the load." }]);
    const page = await read("report.html");
    expect(page.match(/<strong>Why not:<\/strong> It is the load\./g)).toHaveLength(1);
    expect(await read("gph.md")).toContain("Because. Why not: It is the load.");
  });

  test("tells causes by device, where they differ", () => {
    const told = (...texts: readonly string[]) =>
      causes(
        texts.flatMap((because) => scorecard([{ ...claim, because }], threeRows({ experiment: claim.experiment }))),
        texts.map((_, i) => ({ label: `D${i}` })),
      );
    expect(told("A.", "A.", "")).toBe("A.");
    expect(told("A.", "B.", "A.")).toBe("D0, D2: A. D1: B.");
  });

  test("has several devices side by side, each with its figures in a folder", async () => {
    const { names, read } = await report([...threeRows(), ...threeRows({ device: "Other" })]);
    expect(names.slice(3)).toEqual(["test-device/gph/test.svg", "other/gph/test.svg"]);
    const page = await read("report.html");
    expect(page).toContain('<div class="plots" data-count="2">');
    expect(page).toContain('data-together="rates"');
    expect(await read("gph.md")).toContain("(other/gph/test.svg)");
  });

  test("lists the claims on which devices differ, and filters them", async () => {
    const other = { ...claim, id: DIFFERS, text: "It differs." };
    const { read, differing } = await report([...threeRows(), ...threeRows({ device: "Other" })], [other]);
    expect(differing).toEqual([DIFFERS]);
    const [, list = ""] = (await read("report.md")).split("### Claims on which the devices differ");
    expect(list.trim().split("\n")[2]).toMatch(/^\| It differs\. \|.*\| reproduced \|.*\| not reproduced \|$/);
    expect(list).not.toContain(" cell");
    const uneven = await report([...threeRows(), ...threeRows({ device: "Other" }).slice(1)], [other]);
    expect(await uneven.read("report.md")).toMatch(
      /It differs\. .*of 3 cells \| reproduced .*of 2 cells \| not reproduced/,
    );
    const page = await read("report.html");
    expect(page).toContain('data-verdicts="reproduced|not reproduced"');
    expect(page).toContain("<strong>1</strong> devices differ");
    const alone = await report(threeRows(), [other]);
    expect(await alone.read("report.md")).not.toContain("devices differ");
    expect(await alone.read("report.html")).not.toContain('data-verdict="devices differ"');
  });

  test("has names from rows as text, not as markup", async () => {
    const { read } = await report(threeRows({ device: "[GPU](https://x) <b>*2*</b>\n# 3" }));
    const name = "\\[GPU\\](https://x) &lt;b>\\*2\\*&lt;/b> # 3";
    const markdown = await read("report.md");
    expect(markdown.split("\n", 1)).toEqual([`# Five GPU hash-table papers on ${name}`]);
    expect(await read("gph.md")).toContain(`![A test on ${name}](gph/test.svg)`);
    expect(markdown).toContain(`| Device | ${name} |`);
    expect(markdown).not.toMatch(/<b>|\[GPU\]\(/);
  });

  test("names times of one configuration on which two figures do not agree, on the device where they do not", async () => {
    const time = (experiment: string, value: number, device: string) =>
      row({ experiment, device, metric: "time", unit: "ns", value: 1000 * value, lo: 990 * value, hi: 1010 * value });
    const agreeing = [time("gph/test", 100, "Other"), time("gph/two", 101, "Other")];
    const apart = [time("gph/test", 100, "Here"), time("gph/two", 200, "Here")];
    const { read, devices } = await report([...apart, ...agreeing]);
    expect(devices.map(({ disagreements }) => disagreements)).toEqual([1, 0]);
    const line = "time | 100 µs, gph/test, run run | 200 µs, gph/two, run run | 2×";
    expect(await read("report.md")).toContain(line);
    const page = await read("report.html");
    expect(page).toContain("Times that disagree on Here");
    expect(page).not.toContain("Times that disagree on Other");
    expect(page).toContain("200 µs, gph/two, run run");
  });

  test("says nothing of disagreements where there are none", async () => {
    const { read } = await report(threeRows());
    expect(await read("report.html")).not.toContain("disagree");
    expect(await read("report.md")).not.toContain("disagree");
  });

  test("says which experiments have no rows, and why cells have no number", async () => {
    const { read } = await report([...threeRows(), failedRow({ positive_ratio: 0.25 })]);
    const page = await read("report.html");
    expect(page).toContain("<code>gph/absent</code>");
    expect(page).toContain("1 cell without a number: 1 × timeout, no answer in 60 s (GPH).");
  });

  test("packs what a figure draws on all devices together", async () => {
    await report([...threeRows(), ...threeRows({ device: "Other" })]);
    const page = await readFile(join(folder, "out", "report.html"), "utf8");
    const [article = ""] = /<article class="figure".*?<\/article>/s.exec(page) ?? [];
    const packed = [...article.matchAll(/json\+gzip">(.*?)<\/script>/g)].map(([, text = ""]) => text);
    expect(packed).toHaveLength(1);
    const text = gunzipSync(Buffer.from(packed[0] ?? "", "base64")).toString();
    // Two devices and both together, and the devices on two scales.
    expect(article.match(/class="device"/g)).toHaveLength(3);
    expect(text.match(/"specs"/g)).toHaveLength(3);
  });

  test("says to how many digits its rows are rounded", async () => {
    const { read } = await report(threeRows({ value: 1234.5678 }));
    const page = await read("report.html");
    expect(page).toContain("measured numbers have 5 digits");
    expect(page).toMatch(/^1234\.6$/m);
  });

  test("is the same for the same rows", async () => {
    const first = await (await report(threeRows())).read("report.html");
    expect(await (await report(threeRows())).read("report.html")).toBe(first);
  });

  test("needs nothing from outside", async () => {
    const page = await (await report(threeRows())).read("report.html");
    // Names, which are never opened: of XML, and in vega-lite of its schema and in a message.
    const names = /^https?:\/\/(www\.w3\.org\/|vega\.github\.io\/schema\/|github\.com\/vega\/vega-lite\/issues\/)/;
    const addresses = page.match(/https?:\/\/[^\s"'`)<>]*/g) ?? [];
    expect(addresses.filter((a) => !names.test(a))).toEqual([]);
    expect(page).not.toMatch(/<(?:link|script[^>]* src|img|iframe)\b/i);
  });
});

describe("devices", () => {
  const labels = (...rows: ResultRow[]): string[] => columnsOf(rows).map((c) => c.label);

  test("are told apart by what differs where their names are the same", () => {
    expect(labels(row(), row({ device: "B" }))).toEqual(["Test device", "B"]);
    expect(labels(row(), row({ driver: "2.0" }))).toEqual(["Test device, 1.0", "Test device, 2.0"]);
    expect(labels(row({ toggles: "+a" }), row({ toggles: "+a +b" }))).toEqual([
      "Test device, no other toggles",
      "Test device, +b",
    ]);
  });

  test("have different folders, whatever their names", () => {
    expect(columnsOf([row({ device: "A B" }), row({ device: "a-b" }), row({ device: "" })]).map((c) => c.slug)).toEqual(
      ["a-b", "a-b-2", "unnamed-device"],
    );
  });
});

/** As the page reads a column: `~3` are three fields like the one above, `~~` begins one that begins with `~`. */
function dittoed(texts: string): string[] {
  const fields: string[] = [];
  for (const text of texts.split("\n")) {
    const above = fields.at(-1) ?? "";
    if (/^~\d/.test(text)) fields.push(...Array.from({ length: Number(text.slice(1)) }, () => above));
    else fields.push(text.startsWith("~") ? text.slice(1) : text);
  }
  return fields;
}

describe("raw data", () => {
  test("are the rows as a result file, each on the line that is told", () => {
    const odd = { seed: 7, params: { a: 'x,"y"' }, variant: "~", value: 2 / 3 };
    const rows = [row(), row({ reason: 'a "reason", quoted' }), row(odd), row({ variant: "~", value: 2 / 3 })];
    const raw = rawData(rows);
    const columns = Object.entries(raw.columns()).map(([name, texts]) => [name, ...dittoed(texts)]);
    const lines = (columns[0] ?? []).map((_, i) => columns.map((fields) => fields[i]));
    const said = rows.map((one) => ({ ...one, value: one.value === 2 / 3 ? 0.66667 : one.value }));
    expect(parseRows(stringify(lines), "x.csv")).toEqual(said);
    expect(raw.columns().bench).toBe("table\n~3");
    expect(raw.columns().variant).toBe("\n~1\n~~\n~1");
    expect(rows.map(raw.line)).toEqual([2, 3, 4, 5]);
    expect(raw.line(row({ seed: 8 }))).toBe(0);
  });

  test("lines are named as ranges", () => {
    expect(lineRanges([4, 2, 3, 9, 11, 10, 20])).toBe("2–4, 9–11, 20");
  });
});

describe("environment.json", () => {
  test("is read from every run of a folder, and may be missing", async () => {
    expect(readHosts(folder).size).toBe(0);
    await mkdir(join(folder, "a"));
    await writeFile(join(folder, "a", "environment.json"), JSON.stringify({ run1: { cpu: "X", more: 1 } }));
    expect(readHosts(folder).get("run1")?.cpu).toBe("X");
  });

  test("that is broken is the user's mistake, in one line", async () => {
    await writeFile(join(folder, "environment.json"), "{");
    expect(() => readHosts(folder)).toThrow(new UsageError(`${join(folder, "environment.json")}: not JSON`));
    await writeFile(join(folder, "environment.json"), '{"run1": {"cores": "many"}}');
    expect(() => readHosts(folder)).toThrow(/environment\.json: run1\.cores: /);
  });
});

test("stand-ins are named where they occur", () => {
  expect(standInsOf([row()])).toEqual([]);
  expect(standInsOf([row({ metric: "transactions" })]).map((s) => s.name)).toEqual(["transactions"]);
  expect(standInsOf([row({ table: "megakv" })]).map((s) => s.text)).toEqual([
    expect.stringMatching(/^Stands in for MegaKV's own kernels: DyCuckoo's/),
  ]);
  expect(standInsOf([row({ dataset: "com" }), row({ dataset: "normal" })]).map((s) => s.text)).toEqual([
    expect.stringMatching(/10,000,000 pairs of 4,583,941 keys.* Stands in for customers of Alibaba/),
  ]);
});
