/** Bad command lines that need no adapter, in this process: one line on stderr, exit code 2, and what would be right. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { csvText, header } from "../results/csv.js";
import { COLUMNS } from "../results/record.js";
import { rowsOf } from "../results/rows.js";
import { cell, metric, result, runInfo } from "../results/testing.js";
import { main } from "./program.js";
import { expectRefused, noteOutput, stderr, stdout, testFolder } from "./testing.js";

const { folder, file } = testFolder();

const csv = file("keys.csv", "a,b\n1,2\n3,x\n");
const empty = file("empty.csv", "");
const headerOnly = file("header.csv", "a,b\n");
const broken = file("broken.parquet", "PAR1");
const noRows = file("norows.csv", `${COLUMNS.join(",")}\n`);
const truncated = file("truncated.csv", `${COLUMNS.join(",")}\n20260102T030405Z,2026-01-02\n`);
const foreign = file("foreign.csv", "key,value\n1,2\n");
const [row] = rowsOf(cell(), result({ metrics: [metric("mops", 1)] }), runInfo, new Date(0));
const badNumber = file("number.csv", header() + csvText(row ? [{ ...row, n: "x" as unknown as number }] : []));
const huge = file("huge.csv", header() + csvText(row ? [{ ...row, value: 1e308 }] : []));
const unclosed = file("unclosed.csv", `${COLUMNS.join(",")}\n"abc\n`);

const sweep = ["run", "tables/load-factor"];
/** The command line, and what its one line has to contain. */
const bad: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  // Commands and options that are not there.
  [["foo"], /unknown command 'foo'.*--help/],
  [["rum"], /unknown command 'rum' \(did you mean run\?\)/],
  [["--bogus"], /unknown option '--bogus'.*--help/],
  [["run", "--forse"], /did you mean --force\?/],
  [["run", "--n"], /'-n, --n <pairs>' argument missing/],
  [["plot"], /missing required argument 'results'/],
  [["device", "x"], /too many arguments/],
  [["list", "nonsense"], /experiments, tables, datasets, devices/],
  [["verify", "--webgpu", "webkit"], /--webgpu webkit: one of dawn, wgpu, chromium, firefox is wanted/],
  [["run", "--webgpu", "wgpu", "--toggles", "skip_validation"], /--toggles are Dawn's, and --webgpu wgpu has none/],
  // Sizes.
  [["run", "--n", "-1"], /--n -1: a whole number from 1 to 4294967294/],
  [["run", "--n", "1.5"], /--n 1.5: a whole number/],
  [["run", "--n", "abc"], /--n abc: a whole number/],
  [["run", "--n", ""], /--n : a whole number/],
  [["run", "--n", "2^33"], /--n 2\^33: a whole number/],
  [["run", "--scale", "0"], /--scale 0: a number above 0/],
  [["run", "--scale", "NaN"], /--scale NaN: a number above 0/],
  [[...sweep, "--scale", "100"], /n = \d+ is beyond the 4294967294 keys/],
  [["run", "--quick", "--n", "5"], /--quick, --scale and --n exclude one another/],
  [["run", "--seed", "-1"], /--seed -1: a whole number from 0 to 4294967295/],
  [["run", "--seed", "2^32"], /--seed 2\^32: a whole number from 0 to 4294967295/],
  // Load factors.
  [[...sweep, "--load-factor", "1.5"], /--load-factor 1.5: a number above 0 to 1/],
  [[...sweep, "--load-factor", "0"], /--load-factor 0: a number above 0 to 1/],
  [[...sweep, "--load-factor", "0.5,"], /an item of the list is empty/],
  [[...sweep, "--tables", "cuckoo", "--load-factor", "0.99"], /cuckoo takes at most 0\.9/],
  [
    [...sweep, "--tables", "gph,cuckoo", "--load-factor", "0.5,0.99"],
    /--load-factor 0\.99: cuckoo takes at most 0\.971, and no other table more/,
  ],
  // Parameters.
  [[...sweep, "--param", "tickt=4"], /no table of these has a parameter tickt; did you mean ticket\?/],
  [[...sweep, "--param", "ticket=3"], /--param ticket=3: stash takes 1, 2, 4, 8/],
  [[...sweep, "--param", "ticket=1", "--param", "access=true"], /ticket is 1; access needs 2 bits or more/],
  [[...sweep, "--tables", "cuckoo", "--param", "functions=2", "--load-factor", "0.6"], /cuckoo takes at most 0.476/],
  [["verify", "cuckoo", "--param", "ticket=4"], /no table of these has a parameter ticket/],
  [["verify", "stash", "--param", "ticket=5"], /--param ticket=5: stash takes 1, 2, 4, 8/],
  [["verify", "cuckoo", "--case", "no such"], /--case no such: no case has such a name/],
  [["verify", "cuckoo", "--case", "largest", "--out", "/nonsuch"], /--case and --out: a record is of all cases/],
  // What is tuned.
  [["tune"], /missing required argument 'table'/],
  [["tune", "cucko"], /no table cucko; did you mean cuckoo\?/],
  [["tune", "js-map"], /js-map is a CPU table/],
  [["tune", "cuckoo-set"], /cuckoo-set answers with members; tune measures tables that answer with values/],
  [["tune", "double-hashing"], /double-hashing has nothing to vary.*give several --load-factor/],
  [["tune", "radix-sort", "--load-factor", "0.5"], /radix-sort has exactly one slot a pair/],
  [["tune", "cuckoo", "--vary", "function"], /cuckoo has no such parameter; did you mean functions\?/],
  [["tune", "cuckoo", "--vary", "functions", "--param", "functions=3"], /--vary functions: --param sets it to 3/],
  [["tune", "cuckoo", "--param", "functions=9"], /--param functions=9: cuckoo takes 2, 3, 4, 5/],
  [["tune", "cuckoo", "--load-factor", "0.99"], /--load-factor 0.99: cuckoo takes at most 0\.971/],
  [["tune", "cuckoo", "--load-factor", "0"], /--load-factor 0: a number above 0 to 1/],
  [["tune", "cuckoo", "--objective", "speed"], /--objective speed: one of find, insert, bytes is wanted/],
  [["tune", "cuckoo", "--at-least", "5"], /--at-least is of --objective bytes/],
  [["tune", "cuckoo", "--objective", "insert", "--positive-ratio", "1"], /--positive-ratio is of retrievals/],
  [["tune", "cuckoo", "--positive-ratio", "2"], /--positive-ratio 2: a number from 0 to 1/],
  [["tune", "cuckoo", "--budget", "5"], /--budget 5: a time such as 90s/],
  [["tune", "cuckoo", "--datasets", "nonsense"], /unknown data set "nonsense"/],
  [["tune", "cuckoo", "--force"], /--force needs --out/],
  [["tune", "cuckoo", "--out", csv], /is a file, not a folder/],
  // Names.
  [["run", "gph/fig19"], /no experiment gph\/fig19; did you mean gph\/fig1\d\?/],
  [["run", ""], /no experiment/],
  [["run", "--tables", "cucko"], /no table cucko; did you mean cuckoo\?/],
  [
    ["run", "device/limits", "--tables", "cuckoo"],
    /device\/limits has no cell for --tables cuckoo \(it measures read4/,
  ],
  [
    [...sweep, "--tables", "cuckoo-set"],
    /tables\/load-factor has no cell for --tables cuckoo-set .*cuckoo-set takes no load factor/,
  ],
  [
    ["run", "cuckoo/fig4.4-insert", "--tables", "bucketed"],
    /it measures cuckoo, .*; bucketed joins it at load factors that you give, such as --load-factor 0\.8\)/,
  ],
  [
    ["run", "cuckoo/fig4.4-insert", "--tables", "cuckoo,bucketed"],
    /no cell for --tables bucketed: bucketed joins it at load factors/,
  ],
  [["new-table", "Mine"], /Mine: a table's name is lower-case letters, digits and dashes/],
  [["new-table", "cuckoo"], /there is a table cuckoo already/],
  [["new-table", "mine", "--title", "a\nb"], /--title: 1 to 60 letters/],
  [["verify", "cucko"], /no table cucko; did you mean cuckoo\?/],
  [
    ["run", "cuckoo/fig4.4-insert", "--tables", "quotient"],
    /; quotient joins it at load factors that you give, such as --load-factor 0\.8\)$/,
  ],
  [["run", "stadium/fig14a", "--tables", "quotient"], /; of quotient it could time none of mixed\)$/],
  [["run", "slab/fig4c", "--tables", "quotient"], /; another table joins only where the bench is table and there are/],
  [["run", "stadium/table1", "--tables", "js-map"], /stadium\/table1 has no cell for --tables js-map/],
  [["verify", "js-map"], /js-map is a CPU table/],
  [["verify", "copy"], /copy is an access pattern; GPU tables are wanted/],
  [["plot", folder, "--ids", "gph/fig19"], /did you mean gph\/fig1\d\?/],
  // How a run goes.
  [["run", "--shard", "5/4"], /--shard 5\/4: i\/k with 1 ≤ i ≤ k is wanted, such as 2\/4/],
  [["run", "--shard", "0/4"], /--shard 0\/4: i\/k/],
  [["run", "--shard", "1"], /--shard 1: i\/k/],
  [["run", "--shard", "auto"], /--shard auto: no task of a scheduler: SLURM_ARRAY_TASK_ID/],
  [["run", "--resume"], /--resume needs --out/],
  [["run", "--dry-run", "--resume"], /--resume needs --out/],
  [["run", "--dry-run", "--force", "--out", folder], /--dry-run replaces nothing: leave out --force/],
  [["run", "--dry-run", "--profile"], /--dry-run and --profile exclude one another/],
  [["run", "gph/fig99", "--dry-run"], /gph\/fig99/],
  [["run", "--resume", "--force", "--out", folder], /--resume and --force exclude one another/],
  [["run", "--timeout", "0"], /--timeout 0: a number above 0/],
  [["run", "--max-noise", "2"], /--max-noise 2: a number above 0 to 1/],
  [["run", "--memory", "0"], /--memory 0: a number above 0/],
  [["run", "--toggles", "a,,b"], /an item of the list is empty/],
  [["run", "--toggles", "++x"], /a toggle's name is wanted, such as disable_workgroup_init/],
  [["verify", "--webgpu", "chromium"], /^hashbench: --webgpu chromium measures; verify takes dawn or wgpu$/],
  [["run", "--headed"], /^hashbench: --headed shows a browser's window: give --webgpu chromium or firefox$/],
  [
    ["run", "--webgpu", "chromium", "--native", "x"],
    /measures tables of the package: leave out --plugin and --native$/,
  ],
  [["run", "--toggles", "foo"], /--toggles foo: Dawn has no such toggle \(that of webgpu [\d.]+\)$/],
  [
    ["run", "--toggles=dump_shaders,-disable_robustnes"],
    /--toggles disable_robustnes: Dawn has no such toggle .*; did you mean disable_robustness\?/,
  ],
  [["run", "--tables", "b+tree"], /no table b\+tree \(hashbench list tables\)/],
  [[...sweep, "--param", "qqq=4"], /no table of these has a parameter qqq; it has /],
  [["run", "--toggles=skip validation"], /a toggle's name is wanted/],
  // Data sets.
  [
    ["run", "--datasets", "file:x\u001b[2J.csv?columns=a"],
    /--datasets file:x \[2J\.csv\?columns=a: it has a control character/,
  ],
  [
    ["tune", "cuckoo", "--datasets", "file:x\n.csv?columns=a"],
    /--datasets file:x \.csv\?columns=a: it has a control character/,
  ],
  [["run", "--datasets", "randon"], /unknown data set "randon", did you mean random\?/],
  [["run", "--datasets", "zipf:x"], /"x" is not a number >= 0; write for example zipf:1.1/],
  [["run", "--datasets", `file:${folder}/none.csv?columns=a`], /none\.csv does not exist/],
  [["run", "--datasets", `file:${csv}`], /no columns named.*write file:<path>\?columns=a,b/],
  [["run", "--datasets", `file:${csv}?columns=a,c`], /has no column "c"/],
  [["run", "--datasets", `file:${csv}?columns=c`], /has no column "c".*It has: a, b/],
  [["run", "--datasets", `file:${csv}?colums=a`], /unknown option "colums", did you mean columns\?/],
  [["run", "--datasets", `file:${empty}?columns=a`], /empty\.csv is empty/],
  [["run", "--datasets", `file:${broken}?columns=a`], /broken\.parquet is truncated or no Parquet file/],
  [["data", "lineitm", "--n", "5"], /unknown data set "lineitm", did you mean lineitem\?/],
  [["data", "lineitem"], /lineitem: --n or --sf is wanted/],
  [["data", "random"], /random: --n is wanted/],
  [["data", "lineitem", "--sf", "0"], /--sf 0: a number above 0/],
  [["data", "random", "--n", "5", "--sf", "1"], /random has no scale factor; give n/],
  [["data", "lineitem", "--sf", "0.01", "--columns", "orderky"], /no column "orderky", did you mean orderkey\?/],
  [["data", "random", "--n", "5", "--format", "xml"], /--format xml: one of csv, tbl, parquet, bin is wanted/],
  [
    ["data", `file:${csv}?columns=b&as=u32`, "--out", join(folder, "out.csv")],
    /row 2: column "b" is "x", not an integer; leave out as=u32/,
  ],
  [["data", `file:${csv}?columns=a`, "--n", "9", "--out", join(folder, "out.csv")], /has 2 rows, 9 are wanted/],
  [["data", "random", "--n", "5", "--out", csv], /--out .*keys\.csv exists; give --force to replace it/],
  [
    ["data", "random", "--n", "5", "--out", join(folder, "keys.cvs")],
    /keys\.cvs: its ending is not one of \.csv, \.tbl, \.parquet, \.bin; --format says it too/,
  ],
  [["data", "random", "--n", "5", "--out", join(folder, "keys")], /its ending is not one of/],
  [["data", `file:${headerOnly}?columns=a`], /header\.csv has no rows/],
  // Results to draw.
  [["plot", join(folder, "none")], /none: no such folder or file/],
  [["plot", noRows], /no results in .*norows\.csv \(no row\)/],
  [["plot", empty], /empty\.csv: empty; its first line should be run,/],
  [["plot", truncated], /truncated\.csv:2: 2 fields where the header has \d+/],
  [["plot", foreign], /foreign\.csv:1: column run is missing/],
  [["report", huge], /huge\.csv:2: column value is "1e\+308": neither 0 nor from 1e-100 to 1e\+100/],
  [["plot", badNumber], /number\.csv:2: column n is "x", not a number/],
  [["plot", unclosed], /unclosed\.csv:2: broken CSV/],
  [["plot", noRows, "--formats", "gif"], /--formats gif: one of svg, png, html is wanted/],
];

noteOutput();

test.each(bad.map(([args, says]) => ({ args, says, name: args.join(" ").replaceAll(`${folder}/`, "") })))(
  "hashbench $name",
  ({ args, says }) => expectRefused(args, says),
);

test.each(["run", "list", "device", "verify", "data", "plot"])("%s --help shows an example", async (command) => {
  expect(await main([command, "--help"])).toBe(0);
  const text = stdout.join("\n");
  expect(text).toMatch(new RegExp(`^Examples?: hashbench ${command} `, "m"));
  expect(stderr).toEqual([]);
});

test.each(["experiments", "tables", "datasets"])(
  "list %s --json is a list of what has an id and a title",
  async (kind) => {
    expect(await main(["list", kind, "--json"])).toBe(0);
    const rows = JSON.parse(stdout.join("\n")) as { id: string; title: string }[];
    expect(rows.length).toBeGreaterThan(2);
    for (const { id, title } of rows)
      expect([id, title]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  },
);

test("data --json says on stderr what was written", async () => {
  expect(await main(["data", "random", "--n", "5", "--out", join(folder, "five.csv"), "--json"])).toBe(0);
  expect(JSON.parse(stderr.join(""))).toMatchObject({ rows: 5, format: "csv" });
});
