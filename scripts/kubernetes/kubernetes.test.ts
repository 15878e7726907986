/** The files beside this one, against the types of Kubernetes' API, which are made from its schema, and against hashbench's options. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Job } from "kubernetes-types/batch/v1.js";
import type { PersistentVolumeClaim } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { packageRoot } from "../../bench/base/paths.js";
import { program } from "../../bench/cli/program.js";
import { shard } from "../../bench/cli/shard.js";

const read = (name: string): unknown[] =>
  parseAllDocuments(readFileSync(join(packageRoot, "scripts", "kubernetes", name), "utf8")).map((one) => one.toJS());
const [claim, sweep] = read("sweep.yaml") as [PersistentVolumeClaim, Job];
const [merge] = read("merge.yaml") as [Job];

/** What the compiler says of documents as literals of their types: fields that are not there, missing ones, values of another type. */
function complaints(documents: readonly { readonly kind: string; readonly content: object }[]): string[] {
  // Packages are found from where the file lies.
  const folder = join(packageRoot, "node_modules", ".hashbench-kubernetes");
  mkdirSync(folder, { recursive: true });
  try {
    const file = join(folder, `documents-${process.pid}.ts`);
    const lines = documents.map(({ kind, content }, i) => `export const _${i}: ${kind} = ${JSON.stringify(content)};`);
    writeFileSync(
      file,
      [
        'import type { Job } from "kubernetes-types/batch/v1.js";',
        'import type { PersistentVolumeClaim } from "kubernetes-types/core/v1.js";',
        ...lines,
      ].join("\n"),
    );
    const compiler = join(packageRoot, "node_modules", "typescript", "bin", "tsc");
    const options = ["--ignoreConfig", "--noEmit", "--strict", "--skipLibCheck", "--types", "", "--module", "nodenext"];
    const { stdout } = spawnSync(process.execPath, [compiler, ...options, file], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.includes("error TS"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sweep's job with a change of its spec. */
function changed(change: (spec: Record<string, unknown>) => void): Job {
  const copy = structuredClone(sweep);
  change(copy.spec as unknown as Record<string, unknown>);
  return copy;
}

test("the files are as Kubernetes' schema says", () => {
  expect([claim.kind, sweep.kind, merge.kind]).toEqual(["PersistentVolumeClaim", "Job", "Job"]);
  const all = [claim, sweep, merge].map((content) => ({ kind: content.kind ?? "", content }));
  expect(complaints(all)).toEqual([]);
});

test.each<[string, (spec: Record<string, unknown>) => void, RegExp]>([
  [
    "a field that is not there",
    (spec) => Object.assign(spec, { completion: 4 }),
    /completion.*does not exist in type 'JobSpec'/,
  ],
  ["a value of another type", (spec) => Object.assign(spec, { completions: "4" }), /'string' is not assignable/],
  ["a missing field", (spec) => Reflect.deleteProperty(spec, "template"), /'template' is missing/],
  [
    "a wrong field deep inside",
    (spec) => Object.assign((spec.template as { spec: object }).spec, { restartPolicies: "Never" }),
    /restartPolicies.*does not exist in type 'PodSpec'/,
  ],
])("%s is found", (_, change, says) => {
  expect(complaints([{ kind: "Job", content: changed(change) }])).toEqual([expect.stringMatching(says)]);
});

const container = (job: Job) => job.spec?.template.spec?.containers[0];

test("the sweep has as many shards as it says to them, each with a folder of its own", () => {
  const { completions, parallelism } = sweep.spec ?? {};
  const env = Object.fromEntries((container(sweep)?.env ?? []).map(({ name, value }) => [name, value]));
  const last = { ...env, JOB_COMPLETION_INDEX: String((completions ?? 0) - 1) };
  expect(shard("auto", last)).toEqual({ index: completions, count: completions });
  expect(parallelism).toBe(completions);
  expect(container(sweep)?.args?.[0]).toContain('--out "/results/shards/$JOB_COMPLETION_INDEX" --resume');
});

test("both jobs use the claim, one image, and options that exist", async () => {
  for (const [job, name] of [
    [sweep, "run"],
    [merge, "merge"],
  ] as const) {
    const words = [container(job)?.command ?? [], container(job)?.args ?? []].flat().join(" ").split(/\s+/);
    const { commands } = await program(name);
    const known = commands.find((one) => one.name() === name)?.options.map(({ long }) => long) ?? [];
    const options = words.filter((word) => word.startsWith("--"));
    expect(options.length).toBeGreaterThan(1);
    for (const option of options) expect(known).toContain(option);
    expect(words).toContain(name);
    const [volume] = job.spec?.template.spec?.volumes ?? [];
    expect(volume?.persistentVolumeClaim?.claimName).toBe(claim.metadata?.name);
    expect(container(job)?.image).toBe("IMAGE");
  }
});
