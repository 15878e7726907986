/** A plug-in that is edited between runs: rows of both versions do not become one result without a word. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readResults } from "../../results/read.js";
import { brokenTables, device, hashbench, temporary } from "./testing.js";

test("--resume and merge refuse results of an edited plug-in in one line, and rows tell versions and commit", async () => {
  const folder = temporary();
  cpSync(dirname(brokenTables), folder, { recursive: true });
  const plugin = join(folder, "broken-tables.mjs");
  const [first, second] = [join(temporary(), "first"), join(temporary(), "second")];
  const run = (out: string, shard: string, ...more: string[]) =>
    hashbench(
      ...[
        "run",
        "tables/load-factor",
        "--tables",
        "planted-sound",
        "--plugin",
        plugin,
        "--device",
        device,
        "--shard",
        shard,
      ],
      ...[
        "--n",
        "1024",
        "--load-factor",
        "0.5,0.8",
        "--max-noise",
        "0.9",
        "--no-plots",
        "--no-count",
        "--commit",
        "mine",
        "--out",
        out,
        ...more,
      ],
    );
  expect((await run(first, "1/2")).code).toBe(0);
  const kernel = join(folder, "find.wgsl");
  writeFileSync(kernel, `${readFileSync(kernel, "utf8")}// edited\n`);

  const resumed = await run(first, "1/2", "--resume");
  expect(resumed.lines.at(-1)).toMatch(
    /results of another configuration \(plugins: {"broken-tables":"\w+"} there, {"broken-/,
  );
  expect(resumed.code).toBe(2);

  expect((await run(second, "2/2")).code).toBe(0);
  const merged = await hashbench("merge", first, second, "--out", join(temporary(), "both"));
  expect(merged.lines).toEqual([
    expect.stringMatching(/the folders were not measured alike \(plugins: {"broken-tables":"/),
  ]);
  expect(merged.code).toBe(2);

  const rows = [...(await readResults(first)), ...(await readResults(second))];
  expect(new Set(rows.map(({ system }) => system.plugin)).size).toBe(2);
  for (const { system, commit } of rows) expect([system.plugin, commit]).toEqual([expect.any(String), "mine"]);
});
