/** What a path may name instead of the file or folder that a command wants: one line, exit code 2, and nothing is changed. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { cell, result, runInfo } from "../results/testing.js";
import { openResults } from "../results/write.js";
import { main } from "./program.js";
import { expectRefused, noteOutput, testFolder } from "./testing.js";

const { folder, file } = testFolder();
const at = (...names: string[]): string => join(folder, ...names);
const odd = {
  nothing: "",
  blank: " ",
  file: file("file", "x\n"),
  "below a file": at("file", "x"),
  pipe: at("pipe"),
  "link to a pipe": at("to-pipe"),
  "link to nothing": at("dangling"),
  "link to itself": at("loop"),
  device: "/dev/null",
  "/proc takes no files": "/proc/x",
  "endless file": "/proc/kmsg",
  "long name": at("x".repeat(300)),
} as const;
type Odd = keyof typeof odd;

const results = at("results");
const store = at("store");

beforeAll(async () => {
  execFileSync("mkfifo", [at("pipe")]);
  symlinkSync(at("pipe"), at("to-pipe"));
  symlinkSync("nowhere", at("dangling"));
  symlinkSync("loop", at("loop"));
  const { device, driver, toggles } = runInfo;
  const writer = await openResults(results, { device, driver, toggles }, { resume: false, force: false });
  await writer.append(cell({ n: 1 }), result({ samples: [1, 2, 3] }), runInfo);
  await writer.close();
  mkdirSync(store);
  await main(["history", "add", results, "--store", store]);
});
noteOutput();

/** What a line says of each, wherever it is named. */
const SAYS: Readonly<Record<Odd, RegExp>> = {
  nothing: /""|name is empty/,
  blank: /" "|name is empty|: no such/,
  file: /is a file, not a folder/,
  "below a file": /is a file, not a folder|no such folder or file|does not exist/,
  pipe: /is a pipe/,
  "link to a pipe": /is a pipe/,
  "link to nothing": /is a link to nowhere, which does not exist/,
  "link to itself": /its links lead in a circle/,
  device: /is a device/,
  "/proc takes no files": /cannot be written: \/proc takes no files|no such folder or file|does not exist/,
  "endless file": /is a file, not a folder|exists; give --force|is empty|: empty|cannot be written|no results folder/,
  "long name": /a name in it is too long/,
};

function kinds(...without: readonly Odd[]): [Odd, string][] {
  const all = (Object.entries(odd) as [Odd, string][]).filter(([kind]) => !without.includes(kind));
  return all.filter(([, path]) => existsSync("/proc/kmsg") || !path.startsWith("/proc"));
}

const outFolders: Readonly<Record<string, (path: string) => string[]>> = {
  "run --out": (path) => ["run", "gph/fig10", "--device", "nonsuch", "--out", path],
  "plot --out": (path) => ["plot", results, "--out", path],
  "report --out": (path) => ["report", results, "--out", path],
  "merge --out": (path) => ["merge", results, "--out", path],
  "merge --force --out": (path) => ["merge", results, "--force", "--out", path],
  "baseline save --store": (path) => ["baseline", "save", results, "--store", path],
  "history add --store": (path) => ["history", "add", results, "--store", path],
};

test.each(Object.entries(outFolders).flatMap(([name, args]) => kinds().map((one) => ({ name, args, one }))))(
  "$name $one.0",
  ({ args, one: [kind, path] }) => expectRefused(args(path), SAYS[kind]),
);

const outFiles: Readonly<Record<string, (path: string) => string[]>> = {
  "compare --out": (path) => ["compare", results, results, "--out", path],
  "history page --out": (path) => ["history", "page", "--store", store, "--out", path],
  "data --out": (path) => ["data", "random", "--n", "5", "--out", path],
};

test.each(Object.entries(outFiles).flatMap(([name, args]) => kinds("file").map((one) => ({ name, args, one }))))(
  "$name $one.0",
  ({ args, one: [kind, path] }) => expectRefused(args(path), SAYS[kind]),
);

test.each(Object.entries(outFiles))("%s is a folder, ends like one, or lies in none", async (_, args) => {
  await expectRefused(args(folder), /is a folder, not a file/);
});

test.each(Object.entries(outFiles))("%s lies in a folder that does not exist", async (_, args) => {
  await expectRefused(args(at("no", "x")), /--out .*x cannot be written: the folder .*no does not exist/);
});

const inputs: Readonly<Record<string, (path: string) => string[]>> = {
  plot: (path) => ["plot", path, "--out", at("out")],
  report: (path) => ["report", results, path, "--out", at("out")],
  "compare, before": (path) => ["compare", path, results],
  "compare, after": (path) => ["compare", results, path],
  merge: (path) => ["merge", path, "--out", at("out")],
  "baseline save": (path) => ["baseline", "save", path, "--store", at("out")],
  "history add": (path) => ["history", "add", path, "--store", at("out")],
};

test.each(Object.entries(inputs).flatMap(([name, args]) => kinds("file").map((one) => ({ name, args, one }))))(
  "$name of $one.0",
  async ({ args, one: [kind, path] }) => {
    await expectRefused(args(path), SAYS[kind]);
    expect(existsSync(at("out"))).toBe(false);
  },
);

const files: Readonly<Record<string, (path: string) => string[]>> = {
  "data file:": (path) => ["data", `file:${path}?columns=a`],
  "run --datasets file:": (path) => ["run", "gph/fig10", "--device", "nonsuch", "--datasets", `file:${path}?columns=a`],
  "verify --plugin": (path) => ["verify", "--device", "nonsuch", "--plugin", path],
};

test.each(
  Object.entries(files).flatMap(([name, args]) =>
    kinds("file", "nothing", "blank").map((one) => ({ name, args, one })),
  ),
)("$name $one.0", ({ args, one: [kind, path] }) => expectRefused(args(path), SAYS[kind]));

test.each(["list", "show main"])("baseline %s, and history list, of a --store that is a file", async (command) => {
  await expectRefused(
    ["baseline", ...command.split(" "), "--store", odd.file],
    /--store .*file is a file, not a folder/,
  );
});

test("history list of a --store that is a file", async () => {
  await expectRefused(["history", "list", "--store", odd.file], /--store .*file is a file, not a folder/);
});

test("a file where run, with figures, needs a folder is found before anything is measured", async () => {
  mkdirSync(at("half"));
  file("half/figures", "");
  await expectRefused(["run", "gph/fig10", "--device", "nonsuch", "--out", at("half")], /half\/figures is a file/);
  await expectRefused(
    ["run", "gph/fig10", "--device", "nonsuch", "--no-plots", "--out", at("half")],
    /--device nonsuch: no such adapter/,
  );
});

test.each([
  ["compare", () => ["compare", results, results, "--out", at("results", "run.json")]],
  ["compare", () => ["compare", results, results, "--out", at("results", `${cell().experiment}.csv`)]],
  [
    "history page",
    () => [
      "history",
      "page",
      "--store",
      store,
      "--out",
      join(store, readdirSync(store)[0] ?? "", `${cell().experiment}.csv`),
    ],
  ],
])("%s does not write over results", async (_, args) => {
  const path = args().at(-1) ?? "";
  const before = readFileSync(path, "utf8");
  await expectRefused(args(), /--out .* holds results; give the name of another file/);
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("data does not write over the file that it reads", async () => {
  const path = file("keys.csv", "a\n1\n");
  await expectRefused(["data", `file:${path}?columns=a`, "--out", path], /--out .* is the file that is read/);
  expect(readFileSync(path, "utf8")).toBe("a\n1\n");
});

test("data writes through a link, which stays one", async () => {
  const path = file("target.csv", "old\n");
  symlinkSync("target.csv", at("link.csv"));
  expect(await main(["data", "random", "--n", "2", "--out", at("link.csv"), "--force"])).toBe(0);
  expect(readFileSync(path, "utf8")).toMatch(/^key,value\n/);
});

test("of many columns the line names the first", async () => {
  const wide = file("wide.csv", `${Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",")}\n`);
  await expectRefused(
    ["data", `file:${wide}?columns=zz`],
    /has no column "zz"\. It has: c0, c1, (c\d+, ){18}… \(100000 columns\) \(read by /,
  );
  await expectRefused(["plot", wide], /wide\.csv:1: column run is missing, unknown column "c0": not a result file\?$/);
});

test("a column that is there twice is no key", async () => {
  const twice = file("twice.csv", "a,b,a\n1,2,3\n");
  await expectRefused(["data", `file:${twice}?columns=a`], /twice\.csv has several columns "a"/);
});

test("a file without line ends is not read to its end", async () => {
  const long = file("long.csv", "a".repeat(3 << 20));
  await expectRefused(["data", `file:${long}?columns=a`], /long\.csv is malformed: Max Record Size/);
  await expectRefused(["plot", long], /long\.csv:1: broken CSV: Max Record Size/);
});

test("of a very long message the beginning and the end are shown, and no control character", async () => {
  await expectRefused(
    ["run", `x\u001b[31m${"y".repeat(5000)}`],
    /^hashbench: no experiment x \[31my{300,500} … y*.{0,60}\(hashbench list/,
  );
});
