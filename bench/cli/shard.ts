/** Which share of the cells a run has: as the command line says, or as the scheduler that started the process says. */
import { UsageError } from "../../kernels/device/errors.js";
import type { Shard } from "../run/shards.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The number of shards, where the scheduler does not tell its tasks. */
const COUNT = "HASHBENCH_SHARDS";

/** `i/k`, 1 ≤ i ≤ k, or `auto`. Throws a UsageError of one line. */
export function shard(text: string, env: Environment = process.env): Shard {
  if (text === "auto") return scheduledShard(env);
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || index < 1 || index > count) {
    throw new UsageError(`--shard ${text}: i/k with 1 ≤ i ≤ k is wanted, such as 2/4, or auto`);
  }
  return { index, count };
}

/**
 * The shard of a task of a Slurm array, or of an Indexed Job of Kubernetes. Slurm goes first: its tasks may run in containers that
 * Kubernetes has nothing to do with, but not the other way round.
 */
function scheduledShard(env: Environment): Shard {
  if (env.SLURM_ARRAY_TASK_ID) return slurmShard(env);
  if (env.JOB_COMPLETION_INDEX) {
    return checked("JOB_COMPLETION_INDEX", {
      index: wholeNumber(env, "JOB_COMPLETION_INDEX") + 1,
      count: wholeNumber(env, COUNT),
    });
  }
  throw new UsageError(
    `--shard auto: no task of a scheduler: SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT are wanted (a Slurm array), or JOB_COMPLETION_INDEX and ${COUNT} (an Indexed Job of Kubernetes); else give i/k`,
  );
}

/** `sbatch --array=first-last:step`: ids begin at the first and go up by the step. */
function slurmShard(env: Environment): Shard {
  const first = env.SLURM_ARRAY_TASK_MIN ? wholeNumber(env, "SLURM_ARRAY_TASK_MIN") : 1;
  const step = env.SLURM_ARRAY_TASK_STEP ? wholeNumber(env, "SLURM_ARRAY_TASK_STEP") : 1;
  return checked("SLURM_ARRAY_TASK_ID", {
    index: (wholeNumber(env, "SLURM_ARRAY_TASK_ID") - first) / step + 1,
    count: wholeNumber(env, "SLURM_ARRAY_TASK_COUNT"),
  });
}

/** Ids with gaps (`--array=1,3,7`) have no place among the shards. */
function checked(variable: string, { index, count }: Shard): Shard {
  if (Number.isInteger(index) && index >= 1 && index <= count) return { index, count };
  throw new UsageError(
    `--shard auto: ${variable} is no task of ${count} without gaps; number them from 1, or give i/k`,
  );
}

function wholeNumber(env: Environment, name: string): number {
  const text = env[name] ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--shard auto: ${name} is ${text === "" ? "not set" : `"${text}"`}; a whole number is wanted`);
}
