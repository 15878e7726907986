/** What is wrong with a run only once its device is known. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readVerified } from "../../results/verified.js";
import { brokenTables, device, hashbench, rowsOf, temporary } from "./testing.js";

const options = [
  ...["run", "tables/load-factor", "--device", device, "--load-factor", "0.8", "--max-noise", "0.9", "--no-count"],
];
const small = [...options, "--tables", "js-map", "--n", "2000", "--no-plots"];

test("an --out that holds results of another configuration is refused in one line, and replaced by --force", async () => {
  const out = temporary();
  expect((await hashbench(...small, "--out", out)).code).toBe(0);
  const refused = await hashbench(...small, "--out", out, "--seed", "2", "--resume");
  expect(refused.lines).toEqual([
    expect.stringMatching(/another configuration \(seed: 1 there, 2 now\); give --force/),
  ]);
  expect([refused.code, refused.stdout]).toEqual([2, ""]);
  const { code, lines, stdout } = await hashbench(...small, "--out", out, "--seed", "2", "--force");
  expect(code, lines.join("\n")).toBe(0);
  // The tests run on software adapters only: what its numbers are good for stands before and after them.
  expect(lines).toContainEqual(expect.stringMatching(/^software adapter: a CPU runs the kernels/));
  expect(stdout).toMatch(/^numbers: software adapter: a CPU runs the kernels/m);
});

test("a plug-in that cannot be loaded in the worker alone is bad usage, no missing device", async () => {
  const plugin = join(temporary(), "plugin.mjs");
  const table = 'export const tables = (h) => [{ ...h.describedTable("cuckoo"), id: "mine" }];';
  writeFileSync(plugin, `if (process.send) throw new Error("odd");\n${table}`);
  const { code, lines } = await hashbench(...small, "--plugin", plugin, "--out", temporary());
  expect(lines).toEqual([expect.stringMatching(/cannot be loaded: odd$/)]);
  expect(code).toBe(2);
});

test("n beyond the device's memory gives skipped rows that name its limit, figures and exit code 4", async () => {
  const args = [...options, "--tables", "double-hashing", "--n", "500000000", "--out", temporary(), "--json"];
  const ended = await hashbench(...args);
  expect(rowsOf(ended).map(({ status, value, reason }) => ({ status, value, reason }))).toEqual(
    Array(4).fill({
      status: "skipped",
      value: null,
      reason: expect.stringMatching(/^\d+ bytes: the device binds \d+, in \d+ storage buffers: limits max/),
    }),
  );
  expect(ended.lines.at(-1)).toBe("hashbench: all 4 cells were skipped; their rows say why");
  expect(ended.code).toBe(4);
});

test("rows of files: too few, or text where integers were said to be, are skipped and say so; several columns are one key", async () => {
  const [few, many] = [join(temporary(), "keys.csv"), join(temporary(), "keys.csv")];
  writeFileSync(few, "a,b\n1,2\n3,x\n");
  writeFileSync(many, `a,b\n${Array.from({ length: 2000 }, (_, i) => `${i % 50},${i}\n`).join("")}`);
  const datasets = `file:${few}?columns=a,file:${few}?columns=b&as=u32,file:${many}?columns=a,b,random`;
  const args = [...options, "--tables", "double-hashing", "--n", "2000", "--no-plots", "--out", temporary(), "--json"];
  const ended = await hashbench(...args, "--datasets", datasets);
  expect(ended.code, ended.lines.join("\n")).toBe(0);
  const rows = rowsOf(ended);
  const skipped = rows.filter(({ status }) => status !== "ok");
  const reasons = new Set(skipped.map(({ status, reason }) => `${status}: ${reason.replace(/\S*\//, "")}`));
  expect([...reasons].sort()).toEqual([
    "skipped: keys.csv has 2 rows, 2000 are wanted",
    'skipped: keys.csv, row 2: column "b" is "x", not an integer; leave out as=u32 to hash it',
  ]);
  const measured = rows.filter(({ status }) => status === "ok");
  expect(new Set(measured.map(({ dataset }) => dataset))).toEqual(new Set([`file:${many}?columns=a,b`, "random"]));
});

test("a load factor that one of the tables does not take skips its cells, and the others are measured", async () => {
  const args = [
    "run",
    "tables/load-factor",
    "--device",
    device,
    "--n",
    "2000",
    "--max-noise",
    "0.9",
    "--no-count",
    "--no-plots",
  ];
  const ended = await hashbench(
    ...args,
    "--tables",
    "two-level,cuckoo",
    "--load-factor",
    "0.77",
    "--out",
    temporary(),
    "--json",
  );
  expect(ended.code, ended.lines.join("\n")).toBe(0);
  const rows = rowsOf(ended).filter(({ metric, load_factor }) => metric === "mops" && load_factor === 0.77);
  const of = (id: string) =>
    new Set(rows.filter(({ table }) => table === id).map(({ status, reason }) => `${status} ${reason}`));
  expect(of("cuckoo")).toEqual(new Set(["ok "]));
  expect(of("two-level")).toEqual(new Set(["skipped two-level: load factor 0.77 is beyond its 0.71"]));
});

test("a device that is not there is named with those that are", async () => {
  const { code, lines } = await hashbench("run", "--device", "nonsuch");
  expect(lines).toEqual([expect.stringMatching(/^hashbench: --device nonsuch: no such adapter; there is ".+"/)]);
  expect(code).toBe(2);
});

test("a shard beyond the last cell measures nothing and is no error", async () => {
  const ended = await hashbench(...small, "--shard", "40/50", "--out", temporary(), "--json");
  expect(ended.code, ended.lines.join("\n")).toBe(0);
  expect(rowsOf(ended)).toEqual([]);
});

test("device --json and list devices --json parse and name the adapter", async () => {
  const facts = JSON.parse((await hashbench("device", "--device", device, "--json")).stdout) as { name: string };
  expect(facts).toMatchObject({ name: expect.stringMatching(/./), limits: expect.any(Object), timer: "ok" });
  expect(JSON.parse((await hashbench("list", "devices", "--json")).stdout).length).toBeGreaterThan(0);
});

interface Case {
  readonly case: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly reason: string;
}

async function verified(...args: string[]) {
  const ended = await hashbench("verify", ...args, "--plugin", brokenTables, "--device", device, "--json");
  return { ...ended, results: (JSON.parse(ended.stdout) as { results: Case[] }).results };
}

test("a fault that only a parameter's other value brings is found by verify, and not with --quick; --out says so", async () => {
  const out = temporary();
  const { code, lines, results } = await verified("planted-optional", "--out", out);
  expect(lines).toEqual([expect.stringMatching(/^hashbench: \d+ of \d+ cases failed$/)]);
  expect(code).toBe(1);
  const failed = results.filter(({ status }) => status === "failed");
  expect(failed.length).toBeGreaterThan(0);
  for (const { params, reason } of failed)
    expect([params, reason]).toEqual([{ faulty: true }, expect.stringMatching(/./)]);
  const variants = readVerified(out)?.variants ?? [];
  const [usual, faulty] = [false, true].map((other) => variants.find(({ params }) => "faulty" in params === other));
  expect(usual).toMatchObject({ table: "planted-optional", params: {}, failed: 0, operations: expect.any(Number) });
  expect(faulty).toMatchObject({ params: { faulty: true }, failed: failed.length });
  const [first] = failed;
  expect(faulty?.reason).toBe(`${first?.case}: failed: ${first?.reason}`);
  expect(usual?.reason).toBe("");
  expect((await verified("planted-optional", "--quick", "--case", first?.case ?? "")).code).toBe(0);
});

test("verify that ran no operation is an answer no, with the reason", async () => {
  // No adapter of these tests has subgroups of 32 lanes.
  const { code, lines, results } = await verified("clstash", "--param", "warp=subgroups");
  expect(results.some(({ status }) => status === "ok")).toBe(false);
  expect(lines).toEqual([expect.stringMatching(/^hashbench: nothing was verified: .*subgroups/)]);
  expect(code).toBe(1);
});
