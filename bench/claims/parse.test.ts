import { expect, test } from "vitest";
import { parseClaims } from "./parse.js";
import { stated } from "./testing.js";

test("a file has claims, what the paper concludes, and names for sets of cells", () => {
  const { about, conclusions, claims } = parseClaims(
    `# A comment
measured on Tesla V100S

about
    It proposes
    a table.

concludes in 7.2, faster: gph/fig10:one, gph/fig10:two
    we are
    faster

ours = gph'paper'.time[n>=2^20]

gph/fig10:one  geomean cuckoo.time / ours ~ 2.41x where positive_ratio=1
    GPH is faster,
    and that is that.
    because: It is
    not.
    measured: It is measured.
gph/fig10:two*  max ours <= 3 ms
    It takes three.
    not compared: Another clock.
    setting: paper 3 GB,
    here 4
    of: gph/fig10:one
`,
    "a.claims",
  );
  expect(about).toBe("It proposes a table.");
  expect(conclusions).toEqual([
    { section: "7.2", short: "faster", claims: ["gph/fig10:one", "gph/fig10:two"], quote: "we are faster" },
  ]);
  const where = { positive_ratio: 1 };
  expect(claims).toEqual([
    {
      id: "gph/fig10:one",
      at: "a.claims:14",
      experiment: "gph/fig10",
      device: "Tesla V100S",
      text: "GPH is faster, and that is that.",
      because: "It is not.",
      measured: "It is measured.",
      paper: "2.41×",
      check: {
        kind: "number",
        of: { table: "cuckoo", metric: "time", where },
        over: { table: "gph", variant: "paper", metric: "time", where: { n: { from: 2 ** 20 }, ...where } },
        mean: "geomean",
        expect: { from: 2.41, to: 2.41 },
        unit: "×",
      },
    },
    {
      id: "gph/fig10:two",
      at: "a.claims:20",
      experiment: "gph/fig10",
      origin: "hashbench",
      device: "Tesla V100S",
      text: "It takes three.",
      incomparable: "Another clock.",
      setting: "paper 3 GB, here 4",
      of: "gph/fig10:one",
      paper: "at most 3 ms",
      check: {
        kind: "device",
        of: { table: "gph", variant: "paper", metric: "time", where: { n: { from: 2 ** 20 } } },
        mean: "max",
        expect: { to: 3e6 },
        unit: "ns",
        waits: "copy bandwidth",
      },
    },
  ]);
});

test.each([
  [
    "median gph[n=first] ~ 65 %",
    { of: { table: "gph", where: { n: "first" } }, expect: { from: 0.65, to: 0.65 }, unit: "%" },
    "65 %",
  ],
  [
    "every a|b''[x=1|2, y=0.1..0.2] >= 2",
    { of: { table: ["a", "b"], variant: "", where: { x: [1, 2], y: { from: 0.1, to: 0.2 } } } },
    "at least 2",
  ],
  ["max a@b/c|d/e ~ 1x", { of: { table: "a", experiment: ["b/c", "d/e"] } }, "1×"],
  ["mean a > b", { of: { table: "a" }, over: { table: "b" }, expect: { above: 1 } }, "faster"],
  ["mean a.probes > b.probes", { expect: { above: 1 } }, "more"],
  ["max a / b * 0.5 ~ 0.4..0.6", { times: 0.5, expect: { from: 0.4, to: 0.6 }, unit: "" }, "0.4 to 0.6"],
  ["min a / b slightly < 1", { expect: { slightly: "less" } }, "slightly less"],
  [
    "max a ~ 3 G op/s waiting for random reads",
    { kind: "device", expect: { from: 3000, to: 3000 }, waits: "random reads" },
    "3 G op/s",
  ],
  [
    "harmean a > b > c",
    { kind: "order", of: [{ table: "a" }, { table: "b" }, { table: "c" }], mean: "harmean" },
    "this order of 3",
  ],
  ["a / b rises along n", { kind: "course", over: { table: "b" }, along: "n", how: "rises" }, "rises"],
  ["a peaks along n at 2^4..2^6", { how: "peaks", at: { from: 16, to: 64 } }, "peaks at 16 to 64"],
  [
    "a / b crosses 1 from below along n at 8",
    { how: "crosses", begins: "below", at: { from: 8, to: 8 } },
    "crosses 1 from below at 8",
  ],
  [
    "a / b crosses 1 from above along n fitted",
    { how: "crosses", begins: "above", fitted: true },
    "crosses 1 from above",
  ],
  ["correlation * of time with n <= -0.99", { kind: "correlation", of: {}, y: "time", x: "n" }, "linear"],
  ["correlation * of time with n >= 0.9", { y: "time", x: "n" }, "r at least 0.9"],
  ["mean a / b ~ 1x", { over: { table: "b" }, expect: { from: 1, to: 1 } }, "alike"],
  ["every a / b >= 2x", { expect: { from: 2 } }, "much faster"],
] as const)("a check is read: %s", (line, check, paper) => {
  expect(stated(line)).toMatchObject({ check, paper });
});

test("what the paper says in a word of its own stands in place of what is checked", () => {
  const claim = stated("mean a / b ~ 1x", "Tesla V100S", "    paper: efficient\n    setting: The criterion is ours.");
  expect(claim).toMatchObject({ text: "It is so.", paper: "efficient", setting: "The criterion is ours." });
});

test.each([
  ["measured on Tesla V99", "a.claims:1: no paper has a Tesla V99"],
  ["gph/fig10:x max a ~ 1 ms", "a.claims:1: measured on which device?"],
  ["    a sentence", "a.claims:1: this line goes on with nothing"],
  ["what is this", "a.claims:1: no line of a file of claims: what is this"],
  ["measured on Tesla V100S\ngph/fig10:x most a ~ 1x", "a.claims:2: no mean: most, but mean, geomean"],
  ["measured on Tesla V100S\ngph/fig10:x max a ~ 1 furlong", "no number: ~ 1 furlong"],
  ["measured on Tesla V100S\ngph/fig10:x max a ~ one", "one is not a number"],
  ["measured on Tesla V100S\ngph/fig10:x max a >= 1..2", ">= asks for one number, not for 1..2"],
  ["measured on Tesla V100S\ngph/fig10:x max a[n~3] ~ 1x", "no condition: n~3"],
  ["measured on Tesla V100S\ngph/fig10:x max a b ~ 1x", "no set of cells: a b"],
  ["measured on Tesla V100S\ngph/fig10:x a stay along n", "no mean: a"],
  ["measured on Tesla V100S\ngph/fig10:x a peaks along n", "peaks along n at which place?"],
  ["measured on Tesla V100S\ngph/fig10:x max a ~ 1 ms waiting for rain", "no resource: rain, but copy bandwidth"],
  ["measured on Tesla V100S\ngph/fig10:x every a ~ 1 ms", "ms of a device is of a mean of cells"],
  [
    "measured on Tesla V100S\ngph/fig10:x max a ~ 1x\ngph/fig10:x max a ~ 1x",
    "a.claims:3: gph/fig10:x stands here twice",
  ],
  [
    "measured on Tesla V100S\ngph/fig10:x every a ~ 1x\n    A.\n    of: gph/fig10:y",
    "a.claims:4: of: gph/fig10:y is not the first claim of a sentence above",
  ],
  [
    "measured on Tesla V100S\ngph/fig10:x every a ~ 1x\n    A.\n    of: gph/fig10:x",
    "a.claims:4: of: gph/fig10:x is not the first claim of a sentence above",
  ],
])("a line that cannot be read is told with its place: %j", (text, message) => {
  expect(() => parseClaims(text, "a.claims")).toThrow(message);
});
