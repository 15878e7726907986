/** Texts for readers: READMEs, studies and comments. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../bench/base/paths.js";
import { documents, filesOf, isTest, textOf } from "./testing.js";

const commented = filesOf(".ts", ".wgsl", ".wesl", ".mjs", ".hpp", ".cpp", ".cu", ".cuh", ".c").filter(
  (file) => !isTest(file),
);

const named = filesOf(".ts", ".wgsl", ".mjs", ".css");

/** Headings, as GitHub names them in addresses. */
const anchorsOf = (text: string) => {
  const headings = [...text.toLowerCase().matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((one) => one.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-"));
};

/** Relative links of a document that lead nowhere, and paths and names of files that are not there. */
function nowhere(document: string, text: string): string[] {
  const there = (path: string) => existsSync(join(packageRoot, path));
  const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, path = "", anchor]) => {
    const target = path === "" ? document : join(dirname(document), path);
    const known = there(target) && (!anchor || anchorsOf(textOf(target)).includes(anchor));
    return known ? [] : [`${path}${anchor ? `#${anchor}` : ""}`];
  });
  // A file is named by its path, or by the end of it below the document's own folder. What the build writes is named after its source.
  const [top = ""] = document.split("/");
  const below = named.filter((file) => top === "results" || file.startsWith(`${top}/`));
  const names = [
    ...text.matchAll(/`([\w./-]+\.(?:ts|wgsl|mjs|css)|(?:bench|kernels|datasets|reports|scripts|results)\/[\w./-]+)`/g),
  ];
  const files = names.flatMap(([, name = ""]) => {
    const source = name.replace(/\.wgsl\.js$/, ".wgsl");
    return there(source) || below.some((file) => file.endsWith(`/${source}`)) ? [] : [name];
  });
  return [...links, ...files];
}

test("links and paths of READMEs and studies lead to what is there", () => {
  expect(documents).toEqual(
    expect.arrayContaining(["results/studies/sampling.md", "bench/device/buffer-memory/REPRODUCE.md"]),
  );
  const planted =
    "[a](gone.ts) [b](../README.md#gone) [c](../README.md#bench-the-harness) [d](https://a.b/c.ts) `gone.ts` `bench/gone`";
  expect(nowhere("bench/claims/README.md", planted)).toEqual(["gone.ts", "../README.md#gone", "gone.ts", "bench/gone"]);
  const found = documents.flatMap((file) => nowhere(file, textOf(file)).map((one) => `${file}: ${one}`));
  const linked = commented.flatMap((file) => {
    const comments = textOf(file).match(/\/\*\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
    const links = comments.flatMap((one) => one.match(/\]\([^)\s]*\)/g) ?? []);
    return nowhere(file, links.join(" ")).map((one) => `${file}: ${one}`);
  });
  expect([...found, ...linked]).toEqual([]);
});

/** Sentences of the comments, without code between backquotes. */
function sentencesOf(text: string): string[] {
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+|\s\/\/.*/gm) ?? [];
  return comments.flatMap((comment) => {
    const words = comment.replace(/^\s*(?:\/\*+|\*\/|\*|\/\/+)|\*\/$/gm, "").replace(/`[^`]*`/g, "code");
    return words.replace(/\s+/g, " ").split(/(?<=[.;:])\s+(?=["(A-Z0-9])/);
  });
}

const NUMBER = String.raw`\d[\d.,]* ?(?:ns|µs|ms|s|%|[GM]/s|GB/s|times (?:as|its|the|longer))(?![\w/])`;
const DEVICE = /\b(?:[AHV]100S?|H200|K40c|P100|GTX|Tesla|lavapipe|llvmpipe|SwiftShader|Xeon|EPYC)\b/;
const COMPARED = new RegExp(`${NUMBER} (?:slower|faster|longer|shorter)`);
const PAST = new RegExp(`\\b(?:took|lost|gained|measured|saved|lay)\\b.*${NUMBER}`);
/** Whether the sentence says what was measured: a number with a unit beside a device, a comparison or a verb of the past. */
const isMeasurement = (sentence: string) =>
  (DEVICE.test(sentence) && new RegExp(NUMBER).test(sentence)) || COMPARED.test(sentence) || PAST.test(sentence);

test("no figure of a measurement stands in a comment: it stands in results/studies", () => {
  for (const planted of [
    "/** It takes 4.4 s on an H200. */",
    "// Without it inserts are 20 to 30 % slower.",
    "/* 9 cells took 2.1 ms less. */",
  ])
    expect(sentencesOf(`\n${planted}\n`).some(isMeasurement), planted).toBe(true);
  for (const right of ["/** `12.3 s`, as it took. */", "/** At most 5 % of the lanes. An H200 has 132 of them. */"])
    expect(sentencesOf(`\n${right}\n`).some(isMeasurement), right).toBe(false);
  const found = commented.flatMap((file) =>
    sentencesOf(textOf(file))
      .filter(isMeasurement)
      .map((one) => `${file}: ${one}`),
  );
  expect(found).toEqual([]);
});

/** Paragraphs, items of lists and cells of tables of a README, or of the doc comments of a file, without code. */
function paragraphsOf(file: string, text: string): string[] {
  const prose = file.endsWith(".md")
    ? [text.replace(/^```[\s\S]*?^```/gm, "").replaceAll("|", "\n\n")]
    : (text.match(/\/\*\*[\s\S]*?\*\//g) ?? []).map((one) => one.replace(/^\s*(?:\/\*\*|\*\/|\*) ?|\*\/$/gm, ""));
  return prose.flatMap((one) =>
    one
      .replace(/^ {4}.*$/gm, "")
      .replace(/`[^`]*`/g, "code")
      .split(/\n\s*\n|\n(?=\s*(?:[-*#@]|\d+\.) ?)/),
  );
}

const sentencesIn = (file: string, text: string) =>
  paragraphsOf(file, text).flatMap((one) => one.replace(/\s+/g, " ").split(/(?<=[.?!][)*"]*) /));
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;
const tooLong = (file: string, text: string) => sentencesIn(file, text).filter((one) => wordsOf(one) > 35);

test("no sentence of a README or of a doc comment has more than 35 words", () => {
  const long = `It is ${"so very ".repeat(17)}long.`;
  expect(tooLong("a.ts", `/** Short. ${long} */`)).toEqual([long]);
  expect(tooLong("README.md", `| a | ${long} |`)).toHaveLength(1);
  expect(tooLong("README.md", `${long.slice(0, 90)}. ${long.slice(0, 90)}.\n\n    ${long}`)).toEqual([]);
  const found = [...commented, ...filesOf("README.md")]
    .filter((file) => /\.ts$|README\.md$/.test(file))
    .flatMap((file) => tooLong(file, textOf(file)).map((one) => `${file}: ${one}`));
  expect(found).toEqual([]);
});

/** What scripts/numbers.test.ts makes from rows. */
const CHECKED = /<!-- numbers:[\s\S]*?<!-- \/numbers -->|<!-- = .*?<!-- \/ -->/g;

/** README's text without what is made from rows, blocks of code and the addresses of links. */
const readAtFirst = (text: string) =>
  text
    .replace(CHECKED, "")
    .replace(/^```[\s\S]*?^```|^ {4}.*$/gm, "")
    .replace(/\]\([^)]*\)/g, "]");

test("README is read in five minutes: at most 1,100 words, and 25 per sentence in the mean", () => {
  const meanOf = (text: string) => {
    const sentences = sentencesIn("README.md", text.replace(/^\|.*$/gm, "")).filter((one) => /[.?!][)*"]*$/.test(one));
    return sentences.reduce((sum, one) => sum + wordsOf(one), 0) / sentences.length;
  };
  const readme = readAtFirst(textOf("README.md"));
  expect(wordsOf(readme)).toBeLessThanOrEqual(1100);
  expect(meanOf(readme)).toBeLessThanOrEqual(25);
  expect(tooLong("README.md", readme)).toEqual([]);
  expect(wordsOf(readAtFirst("[Two words](a/b c) are.\n\n    code\n\n```js\ncode\n```\n"))).toBe(3);
  expect(meanOf("# Title\n\nOne two three four.\nFive six.\n\n| seven | eight. |\n")).toBe(3);
});
const WITH_UNIT = new RegExp(`(?<!\\w)${NUMBER}`);
const RATE = /\d ?[GM](?: [a-z]+)?\/s/;

/** Sentences of a README that say what was measured, and with `all` any number with such a unit. */
function measuredIn(file: string, text: string, all: boolean): string[] {
  const sentences = paragraphsOf(file, text.replace(CHECKED, "")).flatMap((one) => one.split(/(?<=[.?!;:][)*"]*)\s+/));
  return sentences.filter((one) => isMeasurement(one) || RATE.test(one) || (all && WITH_UNIT.test(one)));
}

/** Causes of claims that hold a quotient or a rate, which new rows would change. */
function causesIn(text: string): string[] {
  const causes = text.match(/^ {4}(?:because|measured): (?:.*\n)(?: {4}(?!\w+: ).*\n)*/gm) ?? [];
  return causes.filter((one) => RATE.test(one) || isMeasurement(one) || /\d\s+times|\d×|\btenths\b/.test(one));
}

test("a README, or a claim's cause, has no figure of a measurement but those made from rows: others stand in results/studies", () => {
  const readmes = documents.filter((file) => file.endsWith("README.md") && !/^(?:results|reports)\//.test(file));
  expect(readmes).toContain("kernels/cuckoo/README.md");
  const found = readmes.flatMap((file) => {
    const all = file === "README.md" || file.startsWith("kernels/");
    return measuredIn(file, textOf(file), all).map((one) => `${file}: ${one}`);
  });
  expect(found).toEqual([]);
  for (const file of filesOf(".claims")) expect(causesIn(textOf(file)), file).toEqual([]);
  expect(
    causesIn("a/b:c x\n    It is so.\n    because: It takes 1.7\n    times the probes.\n    of: a/b:d\n"),
  ).toHaveLength(1);
  for (const planted of ["It has 39 G/s.", "It finds 3 G keys/s.", "- an H200\n  takes 5 ms", "| a | 3.5 M op/s |"])
    expect(measuredIn("README.md", planted, false), planted).toHaveLength(1);
  const numbers = "It is 5 % faster. <!-- = a b/c: max d >= 0 -->5 ms<!-- / -->\n\n    It takes 3 ms.\n";
  expect(measuredIn("README.md", numbers, true)).toHaveLength(1);
});

test("a study says in its head on which devices and of which commits it is", () => {
  const head =
    /^(?:Nothing here is measured|Past measurements on .*, commits? .*\b[0-9a-f]{7}\b.*: their rows are not kept or will be replaced)/;
  const studies = documents.filter((file) => /^results\/studies\/|\/REPRODUCE\.md$/.test(file));
  expect(studies.length).toBeGreaterThan(12);
  expect(studies.filter((file) => !head.test(textOf(file).split("\n\n")[1] ?? ""))).toEqual([]);
});
