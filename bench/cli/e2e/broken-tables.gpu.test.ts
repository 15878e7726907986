import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { ResultRow } from "../../results/record.js";
import { brokenTables, device, type Ended, inShell, rowsOf, slow, start, temporary } from "./testing.js";

/** Of many cells on a busy machine none that goes on takes so long to its next progress. */
const SECONDS = slow ? 30 : 8;
const size = ["--load-factor", "0.8", "--n", slow ? "1024" : "5000", "--max-noise", "0.9", "--no-plots"];
const options = ["--device", device, ...size, "--plugin", brokenTables];
const tables = [
  "silent",
  "roomy",
  "neighbour",
  "last-lane",
  "stale",
  "lazy",
  "unbound",
  "misused",
  "type-error",
  "syntax-error",
];
const planted = ["sound", "forever", ...tables].map((name) => `planted-${name}`);

let ended: Ended;
let rows: ResultRow[];

/** Reasons of the table's cells by what they measured: `insert`, `find 1`, `find 0.5`, `find 0`. */
function outcomes(table: string): Record<string, string> {
  const own = rows.filter((row) => row.table === table && row.metric === "mops");
  return Object.fromEntries(
    own.map(({ op, positive_ratio, status, value, reason }) => {
      expect(value === null, `${table}: a number exactly where the cell is ok`).toBe(status !== "ok");
      expect(reason).not.toContain("\n");
      return [`${op} ${positive_ratio ?? ""}`.trim(), status === "ok" ? "ok" : `${status}: ${reason}`];
    }),
  );
}

/** A kernel without an end keeps one core busy until its cell is given up, not all of them. */
const shell = 'LP_NUM_THREADS=1 exec "$@"';

beforeAll(async () => {
  const list = ["double-hashing", ...planted].join(",");
  const args = ["run", "tables/load-factor", ...options, "--timeout", String(SECONDS), "--tables", list];
  ended = await inShell(shell, ...args, "--out", temporary(), "--json");
  rows = rowsOf(ended);
});

const wrong = expect.stringMatching(/^failed: \d+ of \d+ results are wrong, the first for query \d+/);

test("tables without a fault get numbers in a run in which others fail", () => {
  const fine = { insert: "ok", "find 1": "ok", "find 0.5": "ok", "find 0": "ok" };
  expect(outcomes("double-hashing")).toEqual(fine);
  expect(outcomes("planted-sound")).toEqual(fine);
  expect(outcomes("planted-silent")).toEqual(fine);
});

test("a kernel without a counting variant has no counters, which is said, and no counters of 0", () => {
  const own = rows.filter(({ table, op }) => table === "planted-silent" && op === "find");
  const counters = own.filter(({ metric }) => ["probes", "transactions", "balance"].includes(metric));
  expect(counters).toEqual([]);
  expect(own.filter(({ metric }) => metric === "counted_operations").map(({ value }) => value)).toEqual([0, 0, 0]);
  expect(
    rows.filter(({ table, op, metric }) => table === "planted-silent" && op === "insert" && metric === "probes"),
  ).toHaveLength(1);
  expect(ended.lines.filter((line) => /planted-silent's find: .* no counting variant/.test(line))).toHaveLength(1);
});

test("a table that is not as full as was asked for is skipped, with the load factor that it has", () => {
  const emptier = expect.stringMatching(
    /^skipped: planted-roomy: \d+ slots for \d+ pairs are a load factor of 0\.1, not 0\.8$/,
  );
  expect(outcomes("planted-roomy")).toEqual({
    insert: emptier,
    "find 1": emptier,
    "find 0.5": emptier,
    "find 0": emptier,
  });
});

test("a find that returns a neighbour's value fails where keys are present", () => {
  expect(outcomes("planted-neighbour")).toEqual({ insert: wrong, "find 1": wrong, "find 0.5": wrong, "find 0": "ok" });
});

test("a find that leaves a lane out fails", () => {
  expect(outcomes("planted-last-lane")).toEqual({ insert: wrong, "find 1": wrong, "find 0.5": wrong, "find 0": wrong });
});

test("a table that keeps the values of an earlier build fails where it is built more than once", () => {
  expect(outcomes("planted-stale")).toEqual({ insert: wrong, "find 1": "ok", "find 0.5": "ok", "find 0": "ok" });
});

test("a find whose timed runs do nothing fails, though its first run was right", () => {
  expect(outcomes("planted-lazy")).toEqual({ insert: wrong, "find 1": wrong, "find 0.5": wrong, "find 0": wrong });
});

test.each([
  ["unbound", "a step without a buffer that its kernel uses", /^failed: .*find\.wgsl: nothing is bound to queries$/],
  ["misused", "a pass that WebGPU rejects", /^failed: .*usage/i],
])("planted-%s: %s fails with a message of one line", (name, _, message) => {
  const rejected = expect.stringMatching(message);
  const all = { insert: rejected, "find 1": rejected, "find 0.5": rejected, "find 0": rejected };
  expect(outcomes(`planted-${name}`)).toEqual(all);
});

test.each(["type-error", "syntax-error"])("a kernel with a %s fails with its file and line", (name) => {
  const named = expect.stringMatching(new RegExp(`^failed: plugin/broken-tables/${name}\\.wgsl:5:\\d+ .`));
  expect(outcomes(`planted-${name}`)).toEqual({ insert: named, "find 1": named, "find 0.5": named, "find 0": named });
});

test("a kernel without an end costs the cells that run into it, and only those", () => {
  const hung = `timeout: no progress for ${SECONDS} s`;
  expect(outcomes("planted-forever")).toEqual({ insert: hung, "find 1": "ok", "find 0.5": hung, "find 0": hung });
});

test("a run with failed cells says how many in its last line, exits with 4 and leaves no process", () => {
  expect(ended.lines.at(-1)).toMatch(/^hashbench: \d+ cells failed \(.*3 timeout.*\); their rows say why$/);
  expect(ended.code).toBe(4);
  expect(ended.alone).toBe(true);
});

test("without a terminal there is one line a cell on stderr, in order", () => {
  const cells = 4 * (planted.length + 1);
  const counted = ended.lines.filter((line) => line.startsWith("["));
  expect(counted.map((line) => line.split(" ")[0])).toEqual(
    Array.from({ length: cells }, (_, i) => `[${i + 1}/${cells}]`),
  );
  expect(ended.lines.join("")).not.toContain("\x1b");
});

test("a worker in a kernel without an end goes when the command is killed", async () => {
  const hangs = join(temporary(), "hangs");
  const args = [...options, "--timeout", "3600", "--tables", "planted-forever", "--out", temporary()];
  const run = start(["run", "tables/load-factor", ...args], { shell: `HASHBENCH_HANGS=${hangs} ${shell}` });
  await expect.poll(() => existsSync(hangs), { timeout: 200_000 }).toBe(true);
  run.killParent();
  // Ends with the last process that holds its stderr.
  expect((await run.ended).signal).toBe("SIGKILL");
  await expect.poll(() => run.groupLives(), { timeout: 60_000 }).toBe(false);
});
