/** What the environment variable HASHBENCH_WITHOUT switches off, to measure whether it is worth its lines. */
export function isWithout(what: "kernels" | "data" | "blocks"): boolean {
  // A browser has no environment.
  const { process } = globalThis as { readonly process?: Pick<NodeJS.Process, "env"> };
  return process?.env.HASHBENCH_WITHOUT?.split(",").includes(what) ?? false;
}
