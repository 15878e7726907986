/** `hashbench tune` as a user runs it. */
import { expect, test } from "vitest";
import { readResults } from "../../results/read.js";
import { brokenTables, device, hashbench, temporary } from "./testing.js";

const small = ["--device", device, "--n", "3000", "--max-noise", "0.9", "--budget", "90s"];

interface Record {
  readonly objective: string;
  readonly complete: boolean;
  readonly best: { readonly params: object; readonly loadFactor: number } | null;
  readonly tried: readonly {
    readonly params: object;
    readonly loadFactor: number;
    readonly bytesPerPair?: number;
    readonly mops?: number;
    readonly value?: number;
    readonly reason?: string;
  }[];
}

test("every point is measured and verified, best first, and its rows are kept", async () => {
  const out = temporary();
  const tune = ["tune", "cuckoo", ...small, "--load-factor", "0.8,0.4", "--vary", "functions", "--out", out];
  const { code, stdout, lines } = await hashbench(...tune, "--json");
  expect(code, lines.join("\n")).toBe(0);
  const { tried, best, complete } = JSON.parse(stdout) as Record;
  expect(complete).toBe(true);
  const values = tried.flatMap(({ value }) => value ?? []);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(tried).toContainEqual(
    expect.objectContaining({
      params: { functions: 2 },
      loadFactor: 0.8,
      reason: expect.stringMatching(/at most 0\.476/),
    }),
  );
  expect(best && tried.some(({ params, value }) => params !== null && value !== undefined)).toBe(true);
  const rows = await readResults(out);
  const cells = new Set(rows.map(({ params, load_factor }) => JSON.stringify([params, load_factor])));
  expect(cells.size).toBe(tried.length);
  expect(new Set(rows.map(({ experiment }) => experiment))).toEqual(new Set(["tune/cuckoo"]));
  const again = await hashbench(...tune);
  expect([again.code, again.lines.at(-1)]).toEqual([
    2,
    expect.stringMatching(/holds results already; give --force to replace them, or another --out$/),
  ]);
});

test("the fewest bytes a pair are those of the fullest table that is fast enough", async () => {
  const bytes = ["tune", "double-hashing", ...small, "--objective", "bytes", "--load-factor", "0.5,0.8", "--json"];
  const { best, tried } = JSON.parse((await hashbench(...bytes)).stdout) as Record;
  expect(best?.loadFactor).toBe(0.8);
  expect(tried.map(({ bytesPerPair }) => bytesPerPair)).toEqual([expect.closeTo(10, 0), expect.closeTo(16, 0)]);
  const { code, stdout, lines } = await hashbench(...bytes, "--at-least", "1e6");
  const slow = JSON.parse(stdout) as Record;
  expect(slow.best).toBeNull();
  expect(slow.tried.map(({ reason }) => reason)).toEqual(Array(2).fill(expect.stringMatching(/below --at-least$/)));
  expect([code, lines.at(-1)]).toEqual([4, expect.stringMatching(/no point could be measured/)]);
});

test("the bytes are over the different keys of a data set that repeats some, and of equal bytes the faster comes first", async () => {
  const args = [
    "tune",
    "warpcore",
    ...small,
    "--datasets",
    "zipf:1",
    "--objective",
    "bytes",
    "--vary",
    "read,scheme",
    "--json",
  ];
  const { stdout, lines, code } = await hashbench(...args, "--load-factor", "0.5");
  expect(code, lines.join("\n")).toBe(0);
  const { tried } = JSON.parse(stdout) as Record;
  const known = tried.flatMap(({ bytesPerPair, mops }) => (bytesPerPair === undefined ? [] : [{ bytesPerPair, mops }]));
  expect(known.length).toBeGreaterThan(2);
  for (const { bytesPerPair } of known) expect(bytesPerPair).toBeCloseTo(16, 0);
  const sorted = known.toSorted((a, b) => a.bytesPerPair - b.bytesPerPair || Number(b.mops) - Number(a.mops));
  expect(known).toEqual(sorted);
});

test("a table whose answers are wrong is never the best, and the command says so", async () => {
  const args = ["tune", "planted-neighbour", ...small, "--load-factor", "0.5,0.6", "--plugin", brokenTables];
  const { code, lines, stdout } = await hashbench(...args);
  expect(code).toBe(4);
  expect(stdout).not.toMatch(/^best/m);
  expect(lines.at(-1)).toMatch(/2 of 2 points failed/);
});
