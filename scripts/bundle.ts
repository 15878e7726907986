/**
 * Packs hashbench for a Linux x64 machine without internet: a folder, and a .tar.xz of it, with Node, the production
 * dependencies, a Vulkan loader and a launcher. `npm run bundle -- [--out DIR] [--swiftshader] [--deno]`.
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../bench/base/paths.js";
import { unpackSwiftShader } from "../bench/device/adapter/software.js";
import { COMMIT_FILE, gitCommit } from "../bench/results/environment.js";
import { isRuntimeFile, productionPackages } from "./bundle-packages.js";

const NAME = "hashbench-linux-x64";
/** The dependency that changes with the application, and comes with it. */
const TABLES = "webgpu-hash-table";
/** Two blocks of zeros end a tar archive; without them another archive can follow. */
const TAR_END_BYTES = 1024;

const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: "build/bundle" },
    swiftshader: { type: "boolean", default: false },
    deno: { type: "boolean", default: false },
  },
});

await main(resolve(options.out), options);

/** Fills `out` and writes the archive beside it. */
async function main(out: string, { swiftshader, deno }: Pick<typeof options, "swiftshader" | "deno">): Promise<void> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error("bundling works on Linux x64 only");
  const root = join(out, NAME);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, "lib"), { recursive: true });

  copyNode(join(root, "node"));
  await copyLoader(join(root, "lib"));
  for (const folder of productionPackages(packageRoot, { swiftshader })) copyPackage(folder, root);
  // For --webgpu wgpu.
  if (deno) copyPackage(join(packageRoot, "node_modules", "@deno", "linux-x64-glibc"), root);
  copyApplication(root);
  cpSync(join(packageRoot, "scripts", "launcher.sh"), join(root, "hashbench"));
  writeFileSync(join(root, COMMIT_FILE), `${gitCommit()}\n`);
  chmodSync(join(root, "hashbench"), 0o755);

  const archive = join(dirname(out), `${NAME}.tar.xz`);
  // Node and the dependencies change seldom and take a minute to compress, so they are a stream of their own.
  const others = readdirSync(join(root, "node_modules")).filter((name) => name !== TABLES);
  const base = compress(
    out,
    "base",
    ["lib", "node", ...others.sort().map((name) => join("node_modules", name))],
    false,
  );
  const rest = readdirSync(root).filter((name) => !["lib", "node", "node_modules"].includes(name));
  const application = compress(out, "application", [...rest.sort(), join("node_modules", TABLES)], true);
  writeFileSync(archive, Buffer.concat([readFileSync(base), readFileSync(application)]));
  execFileSync("du", ["--apparent-size", "-hd1", root, archive], { stdio: "inherit" });
}

function copyNode(target: string): void {
  cpSync(process.execPath, target);
  chmodSync(target, 0o755);
  strip(target);
}

/** The loader that comes with SwiftShader; it reads the usual folders for drivers. */
async function copyLoader(folder: string): Promise<void> {
  const driver = await unpackSwiftShader();
  if (!driver) throw new Error("the optional dependency @sparticuz/chromium is needed for its Vulkan loader");
  cpSync(join(driver.folder, "libvulkan.so.1"), join(folder, "libvulkan.so.1"));
}

function copyPackage(folder: string, root: string): void {
  const target = join(root, relative(packageRoot, folder));
  const filter = (source: string): boolean => isRuntimeFile(relative(packageRoot, source));
  cpSync(folder, target, { recursive: true, filter });
  for (const name of readdirSync(target, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".node")) strip(join(target, name));
  }
}

/** What npm would publish: `files` of package.json is the one list. */
function copyApplication(root: string): void {
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: packageRoot,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed = JSON.parse(listing) as { files: { path: string }[] }[];
  for (const { path } of packed[0]?.files ?? []) cpSync(join(packageRoot, path), join(root, path));
  // Deno looks for the workspaces that a manifest names, and ends without them.
  const manifest = join(root, "package.json");
  const { workspaces: _, ...kept } = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, unknown>;
  writeFileSync(manifest, `${JSON.stringify(kept, null, 2)}\n`);
}

/** Drops symbols where binutils are at hand. */
function strip(file: string): void {
  try {
    execFileSync("strip", ["--strip-unneeded", file], { stdio: "ignore" });
  } catch {
    console.error(`${basename(file)}: not stripped`);
  }
}

/**
 * One xz stream with `names` of the bundle's folder; kept from the last time if the content is the same. Only the last
 * stream carries the end of the tar archive, so that the concatenated streams unpack to one archive.
 */
function compress(out: string, part: string, names: readonly string[], last: boolean): string {
  const tar = join(out, `${part}.tar`);
  const order = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  const paths = names.map((name) => join(NAME, name));
  execFileSync("tar", ["--create", "--blocking-factor=1", ...order, "--file", tar, "--directory", out, ...paths]);
  if (!last) truncateSync(tar, statSync(tar).size - TAR_END_BYTES);

  const hash = createHash("sha256").update(readFileSync(tar)).digest("hex");
  const compressed = `${tar}.xz`;
  const stamp = `${tar}.sha256`;
  if (!existsSync(compressed) || !existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) {
    execFileSync("xz", ["-9e", "-T2", "--force", "--keep", tar]);
    writeFileSync(stamp, hash);
  }
  rmSync(tar);
  return compressed;
}
