/** What a results folder's environment.json says of each run: host, adapter, limits. */

import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { walk } from "../../bench/results/files.js";
import { ENVIRONMENT_FILE } from "../../bench/results/names.js";
import { readJson } from "../../bench/results/read.js";

const hostSchema = z.looseObject({
  os: z.string().optional(),
  kernel: z.string().optional(),
  cpu: z.string().optional(),
  cores: z.number().optional(),
  memoryBytes: z.number().optional(),
  node: z.string().optional(),
  hashbench: z.string().optional(),
  adapter: z.string().optional(),
  device: z
    .looseObject({
      vendor: z.string().optional(),
      architecture: z.string().optional(),
      subgroupMin: z.number().optional(),
      subgroupMax: z.number().optional(),
      features: z.array(z.string()).optional(),
      limits: z.record(z.string(), z.number()).optional(),
    })
    .optional(),
});

export type Host = z.infer<typeof hostSchema>;

const fileSchema = z.record(z.string(), hostSchema);

/**
 * Hosts by run id, from every environment.json below a folder (beside a single CSV file: in its folder or the one above). Empty without
 * such a file. Throws UsageError for one that cannot be understood.
 */
export function readHosts(path: string): Map<string, Host> {
  const hosts = new Map<string, Host>();
  for (const file of environmentFiles(path)) {
    for (const [run, host] of Object.entries(readJson(file, fileSchema))) hosts.set(run, host);
  }
  return hosts;
}

function environmentFiles(path: string): string[] {
  if (statSync(path).isDirectory()) return walk(path).filter((file) => basename(file) === ENVIRONMENT_FILE);
  const near = [dirname(path), dirname(dirname(path))].map((folder) => join(folder, ENVIRONMENT_FILE));
  return near.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}
