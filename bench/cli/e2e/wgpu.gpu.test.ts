/** Another implementation of WebGPU, as a user measures with it: wgpu in Deno. A second compiler for kernels. */
import { expect, test } from "vitest";
import { UsageError } from "../../../kernels/device/errors.js";
import { denoCommand } from "../../device/adapter/deno.js";
import { device, hashbench, rowsOf, temporary } from "./testing.js";

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

withDeno("rows of wgpu name it", async () => {
  const sizes = ["--n", "3000", "--load-factor", "0.8", "--max-noise", "0.9", "--no-plots", "--json"];
  const run = ["run", "tables/load-factor", "--tables", "quotient", ...onWgpu, ...sizes, "--out", temporary()];
  const rows = rowsOf(await hashbench(...run));
  const rates = rows.filter(({ metric }) => metric === "mops");
  expect(rates.length).toBeGreaterThan(1);
  for (const { status, dawn } of rates)
    expect([status, dawn]).toEqual(["ok", expect.stringMatching(/^wgpu of Deno\/\d/)]);
});
