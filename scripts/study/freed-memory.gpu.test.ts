import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";

const run = promisify(execFile);

test("the program of results/studies/freed-memory.md says what lookups take, and how many were slower after memory was freed", async () => {
  const program = join(packageRoot, "scripts", "study", "freed-memory.mjs");
  const adapter = `adapter=${process.env.HASHBENCH_ADAPTER ?? ""}`;
  const { stdout } = await run(process.execPath, [program, "16,32", "16", "8192", adapter]);
  const [usual, ...freed] = stdout.trim().split("\n");
  expect(usual).toMatch(/^8192 lookups in 16 MiB: \d+\.\d{3} ms$/);
  expect(freed).toEqual(
    [16, 32].map((mib) => expect.stringMatching(new RegExp(`^${mib} MiB freed: \\d+ slow passes, `))),
  );
});
