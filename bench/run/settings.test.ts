import { expect, test } from "vitest";
import { tableType } from "../../kernels/index.js";
import type { Experiment } from "../base/experiment.js";
import { expand } from "../experiments/expand.js";
import { checkSettings, fan, setting, settingsFor, withFan, withSettings } from "./settings.js";

const experiment: Experiment = {
  id: "mine",
  title: "",
  setting: "",
  series: [
    { table: "stash", label: "8", params: { ticket: 8 } },
    { table: "stash", label: "4", params: { ticket: 4 } },
    { table: "stash-hybrid" },
    { table: "cuckoo" },
    { table: "js-map", bench: "cpu" },
  ],
  axes: { n: [2000], op: ["insert"], dataset: ["random"], loadFactor: [0.5], params: { keyBytes: [4, 8] } },
  figure: { kind: "line", x: { field: "n", title: "" }, metric: "mops", y: { title: "" } },
};
const given = (...texts: string[]) =>
  texts.reduce((before, text) => setting(text, before), [] as ReturnType<typeof setting>);
const seriesOf = (...texts: string[]) => withSettings([experiment], given(...texts))[0]?.series ?? [];

test("every series whose table has the parameter gets it, the others stay", () => {
  const params = seriesOf("passed=true").map((series) => [series.table, series.params]);
  expect(params).toEqual([
    ["stash", { ticket: 8, passed: true }],
    ["stash", { ticket: 4, passed: true }],
    ["stash-hybrid", { passed: true }],
    ["cuckoo", undefined],
    ["js-map", undefined],
  ]);
});

test("a series that sets it to another value is left out, so that its label stays true", () => {
  expect(seriesOf("ticket=4").map(({ table, label }) => label ?? table)).toEqual([
    "4",
    "stash-hybrid, ticket 4",
    "cuckoo",
    "js-map",
  ]);
});

test("it is in place of an axis", () => {
  const stash = { ...experiment, series: experiment.series.slice(0, 1) };
  const [one] = withSettings([stash], given("keyBytes=16"));
  if (!one) throw new Error("no experiment");
  const cells = expand(one, { scale: 1, quick: false, seed: 1 });
  expect(cells.map(({ params }) => params)).toEqual([{ ticket: 8, keyBytes: 16 }]);
});

test.each([
  [["tickt=4"], /--param tickt=4: no table of these has a parameter tickt; did you mean ticket\?/],
  [["ticket=3"], /--param ticket=3: stash takes 1, 2, 4, 8/],
  [["board=0"], /--param board=0: stash takes true, false/],
  [["ticket"], /--param ticket: name=value is wanted, such as ticket=4/],
  [["ticket=4", "ticket=8"], /ticket is given twice/],
])("%j is refused", (texts, message) => {
  expect(() => seriesOf(...texts)).toThrow(message);
});

test("an experiment all of whose series set it otherwise is refused", () => {
  const fixed = { ...experiment, series: experiment.series.slice(0, 2) };
  expect(() => withSettings([fixed], given("ticket=2"))).toThrow("--param: mine has no series with ticket=2");
});

test("only the tables that are measured have to know it", () => {
  expect(() => withSettings([experiment], given("ticket=4"), ["cuckoo"])).toThrow(
    "; it has functions, earlyExit, largePrime, hash, workgroup",
  );
});

test("a table takes its own of the settings", () => {
  const settings = given("functions=3", "ticket=4");
  checkSettings([tableType("stash"), tableType("cuckoo")], settings);
  expect(settingsFor(tableType("cuckoo"), settings)).toEqual({ functions: 3 });
});

test("each value of a parameter is a series, in place of those that leave it open", () => {
  const [fanned] = withFan([experiment], { name: "ticket", texts: ["2", "4"] });
  expect(fanned?.series.map(({ table, label, params }) => [label ?? table, params])).toEqual([
    ["8", { ticket: 8 }],
    ["4", { ticket: 4 }],
    ["stash-hybrid, ticket 2", { ticket: 2 }],
    ["stash-hybrid, ticket 4", { ticket: 4 }],
    ["cuckoo", undefined],
    ["js-map", undefined],
  ]);
});

test.each([
  ["ticket=4,,8", /--series ticket=4,,8: name=value,value is wanted/],
  ["ticket=4,4", /each value once/],
  ["ticket", /name=value,value is wanted/],
])("--series %s is refused", (text, message) => {
  expect(() => fan(text, [])).toThrow(message);
});

test("a series of a parameter that no table has, or of a value that it does not take, is refused", () => {
  expect(() => withFan([experiment], { name: "tickt", texts: ["4"] })).toThrow(
    "--series tickt=4: no table of these has a parameter tickt; did you mean ticket?",
  );
  expect(() => withFan([experiment], { name: "ticket", texts: ["4", "3"] })).toThrow(
    "--series ticket=3: stash-hybrid takes",
  );
});
