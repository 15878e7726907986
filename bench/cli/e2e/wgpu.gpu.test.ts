/** Another implementation of WebGPU, as a user measures with it: wgpu in Deno. A second compiler for kernels. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { UsageError } from "../../../kernels/device/errors.js";
import { denoCommand } from "../../device/adapter/deno.js";
import type { ResultRow } from "../../results/record.js";
import { device, hashbench, temporary } from "./testing.js";

const required = process.env.HASHBENCH_REQUIRE_ADAPTERS === "1";

/** CI has Deno; a machine whose platform npm has none for does not. */
function hasDeno(): boolean {
  try {
    return denoCommand().length > 0;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

const withDeno = test.skipIf(!required && !hasDeno());
const onWgpu = ["--webgpu", "wgpu", "--device", device];
/** A compact one; one of subgroups, where there are some; one on whose constants naga ends. */
const TABLES = ["quotient", "warpcore", "gph"];

withDeno("tables pass verify on wgpu, which says what it lacks", async () => {
  const { code, stdout, lines } = await hashbench(
    "verify",
    ...TABLES,
    ...onWgpu,
    "--quick",
    "--case",
    "round",
    "--jobs",
    "1",
  );
  expect(lines).toEqual([expect.stringMatching(/^wgpu in Deno has no subgroups, keeps bounds checks/)]);
  for (const id of TABLES) expect(stdout).toMatch(new RegExp(`^ok   ${id}: \\d+ cases?, [\\d,]+ operations`, "m"));
  expect(code).toBe(0);
});

withDeno("dawn and wgpu measure each place of a figure in turn, into folders of their own", async () => {
  const out = temporary();
  const sizes = ["--n", "3000", "--load-factor", "0.8", "--max-noise", "0.9", "--no-count", "--no-plots", "--json"];
  const run = ["run", "tables/load-factor", "--tables", "quotient", "--device", device, ...sizes, "--out", out];
  const { stdout } = await hashbench(...run, "--webgpu", "dawn,wgpu");
  const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly rows: readonly ResultRow[] }[] };
  const rates = runs.flatMap(({ rows }) => rows.filter(({ metric }) => metric === "mops"));
  const ended = rates.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
  const turns = ended.map(({ op, dawn }) => `${op} ${dawn.startsWith("wgpu of Deno/") ? "wgpu" : "dawn"}`);
  const ops = [...new Set(rates.map(({ op }) => op))];
  expect(ops).toHaveLength(2);
  // Who has started first has the first turn of each place.
  const [first = "", second = ""] = turns[0]?.endsWith("wgpu") ? ["wgpu", "dawn"] : ["dawn", "wgpu"];
  const expected = ops.flatMap((op) => [`${op} ${first}`, `${op} ${second}`]);
  expect(turns.filter((turn, i) => turn !== turns[i - 1])).toEqual(expected);
  const alone = await hashbench(...run, "--webgpu", "dawn", "--resume");
  expect(alone.lines.at(-1)).toMatch(/holds other runs, a folder each \(dawn, wgpu\); give another --out$/);
  const below = [...run.slice(0, -1), join(out, "dawn"), "--webgpu", "dawn,wgpu"];
  expect((await hashbench(...below)).lines.at(-1)).toMatch(/holds a run of one implementation; give another --out$/);
  // wgpu has none to leave out: the device is the same one.
  const less = ["--webgpu", "wgpu", "--no-subgroups", "--resume"];
  const same = await hashbench(...run.slice(0, -1), join(out, "wgpu"), ...less);
  expect([alone.code, same.code]).toEqual([2, 0]);
});
