/** Native tables as a user measures them: the libraries' (where they are built), a new one, and broken ones. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lazily } from "../../../kernels/common/steps.js";
import { packageRoot } from "../../base/paths.js";
import { manifestIn, running } from "../../native/testing.js";
import { device, hashbench, inShell, rowsOf, temporary } from "./testing.js";

const LIBRARIES = ["libcuckoo", "onetbb", "boost-concurrent"];
const built = join(packageRoot, "build", "native");
const required = process.env.HASHBENCH_REQUIRE_ADAPTERS === "1";
/** Not all libraries are there on every machine that runs the tests; CI has them. */
const there = LIBRARIES.filter((id) => existsSync(join(built, "cpu", `${id}.table.json`)));

test.skipIf(!required && there.length === 0)("the CPU libraries pass verify, and are measured", async () => {
  if (required) expect(there).toEqual(LIBRARIES);
  const verified = await hashbench("verify", ...there, "--native", built, "--device", device, "--quick");
  expect(verified.lines).toEqual([]);
  for (const id of there) expect(verified.stdout).toMatch(new RegExp(`^ok   ${id}: \\d+ cases`, "m"));
  const sizes = ["--n", "5000", "--load-factor", "0.8", "--max-noise", "0.9", "--no-plots", "--json"];
  const rows = rowsOf(
    await hashbench(
      ...["run", "tables/load-factor", "--tables", there.join(), "--native", built, "--device", device],
      ...sizes,
      ...["--out", temporary()],
    ),
  );
  const rates = rows.filter(({ metric }) => metric === "mops");
  expect(rates.map(({ table, status, api }) => `${table} ${status} ${api}`)).toEqual(
    rates.map(({ table }) => `${table} ok cpu`),
  );
  expect(new Set(rates.map(({ table }) => table))).toEqual(new Set(there));
  for (const { system } of rates) expect(system).toMatchObject({ library: /./, compiler: /./, clock: "steady clock" });
});

test.skipIf(spawnSync("cmake", ["--version"]).status !== 0)("a new native table builds and passes verify", async () => {
  const folder = temporary();
  const made = await inShell(`cd ${folder} && "$@"`, "new-table", "mine", "--native", "--title", "Mine");
  expect(made.code).toBe(0);
  const [source, target] = [join(folder, "mine"), join(folder, "mine", "build")];
  execFileSync("cmake", ["-S", source, "-B", target], { stdio: "ignore" });
  execFileSync("cmake", ["--build", target], { stdio: "ignore" });
  const { code, stdout } = await hashbench("verify", "mine", "--native", target, "--device", device);
  expect(stdout).toMatch(/^ok {3}mine: \d+ cases/m);
  expect(stdout).toMatch(/^ok {3}mine mixes=false: \d+ cases/m);
  expect(code).toBe(0);
});

/** What is wrong with a program, by the name of its table. */
const FAULTS = { map: "", wrong: "wrong", ending: "exit", hanging: "hanging" };
/** Of many cells on a busy machine none that goes on takes so long to its next progress. */
const SECONDS = 8;

/** One run of all of them, and of a table of ours beside them: how each cell ended. */
const measuring = lazily(async () => {
  const folder = temporary();
  for (const [id, fault] of Object.entries(FAULTS)) manifestIn(folder, fault, {}, id);
  const tables = ["--tables", [...Object.keys(FAULTS), "bucketed"].join(), "--native", folder];
  const size = ["--load-factor", "0.8", "--n", "2000", "--max-noise", "0.9", "--timeout", String(SECONDS)];
  const where = ["--device", device, "--out", temporary(), "--no-plots", "--no-count", "--json"];
  const ended = await hashbench("run", "tables/load-factor", ...tables, ...size, ...where);
  const rows = rowsOf(ended).filter(({ metric }) => metric === "mops");
  const said = rows.map(({ table, op, positive_ratio, status, reason }) => ({
    cell: [table, op, positive_ratio].filter((part) => part !== null).join(" "),
    end: `${status} ${reason}`.trim(),
  }));
  return { ...ended, ends: Object.fromEntries(said.map(({ cell, end }) => [cell, end])) };
});

// Side by side with the run of all: its program that hangs waits most of the time.

test.concurrent("a program in another language is measured, verified and tuned like any table", async () => {
  const native = ["--native", manifestIn(temporary()), "--device", device];
  const verified = await hashbench("verify", "map", ...native);
  expect(verified.stdout).toMatch(/^ok {3}map upsert=true: /m);
  expect(verified.code).toBe(0);
  const tuned = await hashbench(
    "tune",
    "map",
    ...native,
    "--n",
    "2000",
    "--load-factor",
    "0.8,0.5",
    "--max-noise",
    "0.9",
  );
  expect(tuned.stdout).toMatch(/^best: --load-factor 0\.[58]/m);
  const listed = await hashbench("list", "tables", "--native", manifestIn(temporary()));
  expect(listed.stdout).toMatch(/^map +A Map$/m);
  const { ends } = await measuring();
  expect(ends).toMatchObject({ "map insert": "ok", "map find 1": "ok", "map find 0": "ok" });
});

test.concurrent("tables beside programs that are wrong, end or hang are measured", async () => {
  const { ends, code } = await measuring();
  expect(ends).toMatchObject({ "bucketed insert": "ok", "bucketed find 1": "ok", "bucketed find 0": "ok" });
  expect(code).toBe(4);
});

test("a run knows its native tables: figures without --native, and no --resume with another version", async () => {
  const [out, figures] = [temporary(), temporary()];
  const run = (fault: string, ...more: readonly string[]) =>
    hashbench(
      ...["run", "tables/load-factor", "--tables", "map", "--native", manifestIn(temporary(), fault), "--n", "2000"],
      ...["--load-factor", "0.8", "--max-noise", "0.9", "--device", device, "--out", out, "--no-plots", ...more],
    );
  expect((await run("")).code).toBe(0);
  expect(readFileSync(join(out, "environment.json"), "utf8")).toMatch(
    /"tables\/load-factor": \{[^}]*"native": (?!0\b(?!\.))[0-9]/,
  );
  expect((await hashbench("plot", out, "--out", figures, "--formats", "svg")).code).toBe(0);
  expect(readFileSync(join(figures, "tables", "load-factor.svg"), "utf8")).toContain("A Map, CPU");
  expect((await run("", "--resume")).code).toBe(0);
  const { code, lines } = await run("newer", "--resume");
  expect(lines).toEqual([expect.stringMatching(/native: /)]);
  expect(code).toBe(2);
});

test.concurrent("wrong answers are found, by verify and in a run", async () => {
  const native = ["--native", manifestIn(temporary(), "wrong"), "--device", device];
  const verified = await hashbench("verify", "map", ...native, "--case", "many pairs at the usual");
  expect(verified.stdout).toMatch(/^FAIL map: many pairs at the usual load factor: failed: find\(0x/m);
  expect(verified.code).toBe(1);
  const { ends } = await measuring();
  expect(ends).toMatchObject({ "wrong find 1": expect.stringMatching(/^failed 1 of \d+ results are wrong/) });
});

test.concurrent("a program that ends in the middle costs the cells that it has", async () => {
  const { ends } = await measuring();
  const lost = "crash ending: its program ended with code 3: cannot go on";
  expect(ends).toMatchObject({ "ending find 1": lost, "ending find 0": lost });
  expect(running("program.mjs exit")).toEqual([]);
});

test.concurrent("a program that hangs costs the cells that it has, and is gone afterwards", async () => {
  const { ends } = await measuring();
  const late = `timeout no progress for ${SECONDS} s`;
  expect(ends).toMatchObject({ "hanging find 1": late, "hanging find 0": late });
  expect(running("program.mjs hanging")).toEqual([]);
});

test.each([
  ["of another version", "version", /^hashbench: map: .* the protocol's version 1 is wanted$/],
  [
    "that says other things on stdout",
    "chatty",
    /^hashbench: map: its program said Welcome to libtable!, which is no reply$/,
  ],
])("a program %s is refused in one line", async (_, fault, says) => {
  const { code, lines } = await hashbench("verify", "--native", manifestIn(temporary(), fault), "--device", device);
  expect(lines).toEqual([expect.stringMatching(says)]);
  expect(code).toBe(2);
});
