/** Data sets, counters, experiments and claims of plug-ins: what is wrong with one is one line on stderr, exit code 2. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDataset } from "../../datasets/index.js";
import { packageRoot } from "../base/paths.js";
import { isPapers } from "../claims/claim.js";
import { groups } from "../claims/papers.js";
import { claims, experiments } from "../experiments/index.js";
import { loadPlugins } from "../plugins/plugins.js";
import { expectRefused, noteOutput, testFolder } from "./testing.js";

const { file } = testFolder();
noteOutput();
let modules = 0;

test("kernels/README shows the plug-in that the tests run", () => {
  const read = (...path: string[]) => readFileSync(join(packageRoot, ...path), "utf8");
  const [, code = "none"] = /```js\n(.*?)```/s.exec(read("kernels", "README.md")) ?? [];
  expect(read("bench", "cli", "e2e", "fixtures", "outside", "outside.mjs")).toContain(code);
});

/** A module whose experiment is this but for some members. Node keeps modules by their path. */
function moduleWith(text: string): string {
  modules += 1;
  return file(
    `exports${modules}.mjs`,
    `const experiment = { id: "mine/odd${modules}", title: "t", setting: "s", series: [{ table: "cuckoo" }],
      axes: { n: [1024], op: ["find"], dataset: ["random"], loadFactor: [0.5] },
      figure: { kind: "line", metric: "mops", x: { field: "load_factor", title: "x" }, y: { title: "y" } } };
    const data = { name: "odd${modules}", description: "d", keys: ({ n }) => new Uint32Array(n) };
    ${text}`,
  );
}

const ofExperiment = (members: string) => `export const experiments = [{ ...experiment, ${members} }];`;
const ofClaim = (line: string) => `export const experiments = [experiment];
  export const claims = "\\n" + experiment.id + ":${line}\\n    More.\\n";`;
const ofData = (members: string) => `export const datasets = [{ ...data, ${members} }];`;

test.each([
  ["no group", ofExperiment('id: "odd"'), /experiment odd: id: a group and a name are wanted, such as mine\/skew/],
  ["a paper's group", ofExperiment('id: "gph/odd"'), /gph is a paper; give the experiment another group/],
  ["an id of ours", ofExperiment('id: "tables/load-factor"'), /there is an experiment tables\/load-factor already/],
  ["a misspelt member", ofExperiment('seting: ""'), /Unrecognized key: "seting"/],
  ["a table that is none", ofExperiment('series: [{ table: "odd" }]'), /no (table|series) odd|series odd/],
  [
    "an operation that its table has not",
    ofExperiment("axes: { ...experiment.axes, op: ['frob'] }"),
    /no operation "frob"/,
  ],
  ["a data set that is none", ofExperiment("axes: { ...experiment.axes, dataset: ['odd'] }"), /no data set odd/],
  ["a parameter that is none", ofExperiment("axes: { ...experiment.axes, params: { odd: [1] } }"), /odd/],
  ["a load factor of 2", ofExperiment("axes: { ...experiment.axes, loadFactor: [2] }"), /load factor 2 is not above 0/],
  ["a metric that is none", ofExperiment('figure: { ...experiment.figure, metric: "odd" }'), /there is no metric odd/],
  [
    "a figure of a field that is none",
    ofExperiment('figure: { ...experiment.figure, x: { field: "params.odd", title: "x" } }'),
    /its figure draws params\.odd, which its cells have not/,
  ],
  ["two of one id", "export const experiments = [experiment, experiment];", /it has two experiments mine\/odd/],
  [
    "claims that are no text",
    "export const claims = [];",
    /: claims: a text in the format of bench\/claims\/README\.md/,
  ],
  ["a text without a claim", 'export const claims = "# None\\n";', /exports no "claims"/],
  [
    "a claim of no experiment",
    'export const claims = "mine/none:x max cuckoo >= 1";',
    /claims:1: no experiment mine\/none/,
  ],
  ["a claim of a metric that is none", ofClaim("x max cuckoo.odd >= 1"), /claims:2: no metric odd/],
  [
    "a claim of a table that is none",
    ofClaim("x max cucko >= 1"),
    /claims:2: no table in .*: cucko, did you mean cuckoo/,
  ],
  ["a claim that is no line of the format", ofClaim("x cuckoo is better"), /claims:2: no mean: cuckoo, but mean,/],
  ["a claim of a device's number", ofClaim("x max cuckoo ~ 3 ms"), /claims:2: measured on which device\?/],
  [
    "a claim of a paper's device",
    ofClaim("x max cuckoo >= 1\\nmeasured on GTX 480\\nmine/none:y max cuckoo >= 1"),
    /no paper states them/,
  ],
  [
    "two claims of one id",
    'export const claims = "mine/x:x max cuckoo >= 1\\nmine/x:x max cuckoo >= 1";',
    /claims:2: mine\/x:x stands here twice/,
  ],
  [
    "a counter of our name",
    'export const counters = [{ name: "probes", meaning: "m" }];',
    /there is a metric probes already/,
  ],
  ["a counter that says nothing", 'export const counters = [{ name: "odd" }];', /counter odd: meaning is undefined/],
  [
    "a counter whose gate is none",
    'export const counters = [{ name: "odd", meaning: "m", gate: {} }];',
    /gate is \{\}; \{ worse/,
  ],
  [
    "five counters",
    'export const counters = [1, 2, 3, 4, 5].map((i) => ({ name: "odd" + i, meaning: "m" }));',
    /exports 5 counters; 4 are the most/,
  ],
  ["a data set of our name", ofData('name: "random"'), /there is a data set random already/],
  ["a data set without keys", ofData("keys: 5"), /keys is 5; a function is wanted/],
  ["a data set whose name is none", ofData('name: "a,b"'), /name is 'a,b'; lower-case letters/],
  // By a command without workers: one of `run` is another process, and its refusal of the same would pass for this one's.
])("%s is refused", (_, text, says) => expectRefused(["list", "tables", "--plugin", moduleWith(text)], says));

test("what a plug-in exports is known afterwards: an experiment in a group of its own, its claim, its data set", async () => {
  const path = moduleWith(`export const experiments = async () => [experiment];
    export const claims = () => experiment.id + ":more  median cuckoo >= 1\\n    More.";
    export const datasets = [{ ...data, keys: function* ({ n }) { yield new Uint32Array(3).fill(7); yield new Uint32Array(n).fill(9); } }];`);
  const id = `mine/odd${modules}`;
  await loadPlugins([path]);
  expect(experiments.at(-1)?.id).toBe(id);
  expect(claims.at(-1)?.experiment).toBe(id);
  expect(claims.at(-1)).not.toSatisfy(isPapers);
  expect(groups.at(-1)).toEqual({ id: "mine", name: "mine" });
  const source = await openDataset(`odd${modules}`, { n: 5, seed: 1 });
  const keys: number[] = [];
  for await (const chunk of source.chunks()) keys.push(...chunk);
  expect(keys).toEqual([7, 7, 7, 9, 9]);
  expect(source.unique()).toBe(2);
  expect([...(await source.absent(100))].filter((key) => key === 7 || key === 9)).toEqual([]);
});

test.each([
  ["too few keys", "new Uint32Array(n - 1)", /has 4 keys, 5 are wanted/],
  [
    "a key that marks slots",
    "new Uint32Array(n).fill(0xfffffffe)",
    /its key 1 is 4294967294; the two largest u32 mark slots/,
  ],
  ["keys in a plain list", "[1, 2, 3, 4, 5]", /its keys are not in arrays of type Uint32Array/],
])("a data set with %s says so when it is read", async (_, keys, says) => {
  const path = moduleWith(ofData(`keys: ({ n }) => ${keys}`));
  await loadPlugins([path]);
  const source = await openDataset(`odd${modules}`, { n: 5, seed: 1 });
  await expect(async () => {
    for await (const _ of source.chunks());
  }).rejects.toThrow(says);
});
