// Builds after `npm install` in a checkout. Without the development dependencies there is no compiler, and nothing to do. Nor is there
// where `npx` links a checkout that is built: it runs this again.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
/** What a build writes last but one, and not without all that goes before. */
const last = join(root, "dist", "page", "main.js");
const SOURCES = ["bench", "datasets", "kernels", "reports", "scripts"];

/** Folders tell that a file of theirs was deleted. */
function isBuilt() {
  if (!existsSync(last)) return false;
  const built = statSync(last).mtimeMs;
  const all = SOURCES.flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  ]);
  return [...all, "package.json", "tsconfig.build.json"].every((name) => statSync(join(root, name)).mtimeMs <= built);
}

if (isBuilt()) {
  // As it is.
} else if (existsSync(compiler)) {
  // Without the modules of an older build.
  rmSync(join(root, "dist"), { recursive: true, force: true });
  // An installation should not fail over a type; `npm test` and `npm run build` check them.
  const words = [compiler, "-p", join(root, "tsconfig.build.json"), "--noCheck"];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  if (status !== 0) console.error("hashbench: built in spite of the errors above");
  await import("../dist/scripts/write-wgsl.js");
  await import("../dist/scripts/write-types.js");
  await import("../dist/scripts/write-package.js");
  const page = spawnSync(process.execPath, [join(root, "dist", "scripts", "page.js")], { stdio: "inherit" });
  if (page.status !== 0) console.error("hashbench: without the page of `hashbench serve`");
  await import("./buffer-memory.mjs");
} else if (!existsSync(join(root, "dist"))) {
  console.error("hashbench: not built, since TypeScript is not installed; run npm install without --omit=dev");
}
