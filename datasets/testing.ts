/** For tests: worker threads cannot run TypeScript sources, so a worker is compiled for the test. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

export interface Compiled {
  readonly url: URL;
  remove(): Promise<void>;
}

/** @param source From the package's root; what it imports is compiled with it. */
export async function compiled(source: string): Promise<Compiled> {
  const folder = await mkdtemp(join(tmpdir(), "hashbench-"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const root = fileURLToPath(new URL("..", import.meta.url));
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
  const target = ["--target", "ES2023", "--module", "NodeNext", "--skipLibCheck", "--types", "node"];
  const options = ["--ignoreConfig", "--rootDir", ".", "--outDir", folder, ...target, source];
  await promisify(execFile)(process.execPath, [tsc, ...options], { cwd: root });
  return {
    url: pathToFileURL(join(folder, source.replace(/\.ts$/, ".js"))),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
