/** The workflow for projects that depend on hashbench, as its file says: in a repository with a table, whose second commit is worse. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { packageRoot } from "../../base/paths.js";
import { device, inShell, temporary } from "./testing.js";

const stepSchema = z.looseObject({ name: z.string().optional(), run: z.string().optional() });
const workflowSchema = z.looseObject({
  env: z.object({ SUITE: z.string() }),
  jobs: z.record(z.string(), z.looseObject({ steps: z.array(stepSchema) })),
});

/** `npm ci` without a registry: the packed file as the package, and what it depends on from here. */
const NPM_CI = (tarball: string) => `#!/bin/bash
set -euo pipefail
[[ $* == ci ]]
mkdir node_modules
ln -s ${packageRoot}/node_modules/* node_modules
tar xf ${tarball} --transform s/^package/hashbench/ -C node_modules
mkdir node_modules/.bin
ln -s ../hashbench/dist/bench/cli/main.js node_modules/.bin/hashbench
`;

test.skipIf(device !== "lavapipe")(
  "base and head of another repository are compared, and the worse find is in the comment",
  async () => {
    const work = temporary();
    const git = (folder: string, ...args: string[]) =>
      execFileSync("git", ["-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.com", ...args], {
        stdio: "pipe",
      });
    const repository = join(work, "repository");
    mkdirSync(repository);
    git(repository, "init", "--quiet");
    expect((await inShell(`cd '${repository}' && "$@"`, "new-table", "my-table")).code).toBe(0);
    writeFileSync(join(repository, "package.json"), '{ "private": true, "dependencies": { "hashbench": "*" } }');
    const find = join(repository, "my-table", "find.wgsl");
    const sound = readFileSync(find, "utf8");
    const commit = (side: string) => {
      git(repository, "add", "--all");
      git(repository, "commit", "--quiet", "--message", side);
      // What the steps with actions/checkout do.
      git(work, "clone", "--quiet", repository, side);
    };
    commit("base");
    const worse = sound.replace(
      "let pair = table[slot];",
      "@if(COUNT) count_step();\n    @if(COUNT) count_read();\n    $&",
    );
    expect(worse).not.toBe(sound);
    writeFileSync(find, worse);
    commit("head");

    const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", work];
    const [{ filename }] = JSON.parse(execFileSync("npm", packing, { cwd: packageRoot, encoding: "utf8" })) as [
      { filename: string },
    ];
    mkdirSync(join(work, "bin"));
    writeFileSync(join(work, "bin", "npm"), NPM_CI(join(work, filename)));
    chmodSync(join(work, "bin", "npm"), 0o755);

    const { env, jobs } = workflowSchema.parse(
      parse(readFileSync(join(packageRoot, "scripts", "pull-request.yml"), "utf8")),
    );
    const PATH = [join(work, "bin"), process.env.PATH].join(delimiter);
    // A smaller table than the file's: the later option counts.
    const environment = { ...process.env, PATH, SUITE: `${env.SUITE} --n 2000 --load-factor 0.8` };
    const step = (job: string, name: string) => {
      const { run = "exit 9" } = jobs[job]?.steps.find((one) => one.name === name) ?? {};
      // As GitHub runs it.
      return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
        cwd: work,
        env: environment,
        encoding: "utf8",
      });
    };
    for (const name of ["Install", "Measure"]) expect(step("counters", name)).toMatchObject({ status: 0 });
    expect(step("counters-judge", "Compare")).toMatchObject({ status: 1 });

    const comments: string[] = [];
    const issues = { listComments: () => [], createComment: ({ body }: { body: string }) => comments.push(body) };
    const tools = {
      github: { paginate: async (list: () => unknown) => list(), rest: { issues } },
      context: { repo: { owner: "o", repo: "r" }, issue: { number: 7 } },
      core: {
        summary: { addRaw: () => ({ write: async () => undefined }) },
        warning: (text: string) => comments.push(text),
      },
      file: join(work, "comment.md"),
    };
    const installed = createRequire(join(work, "base", "package.json"));
    await installed("./node_modules/hashbench/scripts/comment.cjs")(tools);
    expect(comments).toEqual([expect.stringMatching(/my-table find[^\n]*probes/)]);
    expect(comments[0]).not.toMatch(/my-table insert[^\n]*probes/);
  },
  600_000,
);
