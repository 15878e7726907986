import { expect, test } from "vitest";
import { device, hashbench, temporary } from "./testing.js";

const options = [
  "run",
  "stadium/table1",
  "--tables",
  "cuckoo",
  "--device",
  device,
  "--n",
  "3000",
  "--max-noise",
  "0.9",
];

interface Verdict {
  readonly id: string;
  readonly paper: string;
  readonly ours: string;
  readonly verdict: string;
  readonly reason: string;
}

const out = temporary();

test("a run ends with the claims on what it measured, each with our number or why there is none", async () => {
  const ended = await hashbench(...options, "--no-plots", "--json", "--out", out);
  expect(ended.code).toBe(0);
  const { claims } = JSON.parse(ended.stdout) as { claims: Verdict[] };
  expect(claims.map(({ id }) => id.split(":")[0])).toEqual(claims.map(() => "stadium/table1"));
  const find = (name: string) => claims.find(({ id }) => id === `stadium/table1:${name}`);
  const falls = find("cuckoo-falls-steps");
  expect(falls).toMatchObject({ paper: "falls", ours: expect.stringMatching(/^\d(\.\d+)?×$/) });
  expect(["reproduced", "not reproduced"]).toContain(falls?.verdict);
  expect(find("stash-0.8")).toMatchObject({ verdict: "not run", ours: "", reason: expect.stringMatching(/\.$/) });
});

test("without --json they are a table, of a run that is resumed too, and a software adapter is named as one", async () => {
  const { code, stdout } = await hashbench(...options, "--no-plots", "--out", out, "--resume");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Software adapter: /m);
  expect(stdout).toMatch(/^stadium\/table1, what the paper claims of a GTX 780: /m);
  expect(stdout).toMatch(/^claim +paper +here +verdict$/m);
});
