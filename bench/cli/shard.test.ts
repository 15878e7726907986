import { expect, test } from "vitest";
import { shard } from "./shard.js";

const slurm = (id: number | string, count: number | string, min: number | string = 1, step: number | string = 1) => ({
  SLURM_ARRAY_TASK_ID: String(id),
  SLURM_ARRAY_TASK_COUNT: String(count),
  SLURM_ARRAY_TASK_MIN: String(min),
  SLURM_ARRAY_TASK_STEP: String(step),
});

test.each([
  ["--array=1-4", slurm(2, 4), { index: 2, count: 4 }],
  ["--array=0-3", slurm(3, 4, 0), { index: 4, count: 4 }],
  ["--array=10-16:2", slurm(14, 4, 10, 2), { index: 3, count: 4 }],
  ["no first id", { SLURM_ARRAY_TASK_ID: "4", SLURM_ARRAY_TASK_COUNT: "4" }, { index: 4, count: 4 }],
  ["an Indexed Job", { JOB_COMPLETION_INDEX: "0", HASHBENCH_SHARDS: "3" }, { index: 1, count: 3 }],
  ["its last pod", { JOB_COMPLETION_INDEX: "2", HASHBENCH_SHARDS: "3" }, { index: 3, count: 3 }],
  ["both", { ...slurm(2, 4), JOB_COMPLETION_INDEX: "0", HASHBENCH_SHARDS: "3" }, { index: 2, count: 4 }],
])("auto: %s", (_, env, expected) => {
  expect(shard("auto", env)).toEqual(expected);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    "no scheduler",
    {},
    /SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT are wanted .*, or JOB_COMPLETION_INDEX and HASHBENCH_SHARDS/,
  ],
  ["a count alone", { HASHBENCH_SHARDS: "3" }, /no task of a scheduler/],
  ["Slurm without a count", { SLURM_ARRAY_TASK_ID: "1" }, /SLURM_ARRAY_TASK_COUNT is not set; a whole number/],
  ["Kubernetes without a count", { JOB_COMPLETION_INDEX: "1" }, /HASHBENCH_SHARDS is not set; a whole number/],
  ["what is no number", slurm("x", 4), /SLURM_ARRAY_TASK_ID is "x"; a whole number is wanted/],
  ["--array=1,3,7", slurm(7, 3), /SLURM_ARRAY_TASK_ID is no task of 3 without gaps/],
  ["between two steps", slurm(11, 4, 10, 2), /without gaps/],
  ["a step of 0", slurm(11, 4, 10, 0), /without gaps/],
  ["too few shards", { JOB_COMPLETION_INDEX: "3", HASHBENCH_SHARDS: "3" }, /JOB_COMPLETION_INDEX is no task of 3/],
])("auto: %s is refused in one line", (_, env, says) => {
  expect(() => shard("auto", env)).toThrow(says);
  expect(() => shard("auto", env)).toThrow(/^--shard auto: [^\n]*$/);
});

test("i/k is what the command line says, whatever the scheduler", () => {
  expect(shard("2/3", slurm(1, 4))).toEqual({ index: 2, count: 3 });
});
