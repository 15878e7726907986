// Builds after `npm install` in a checkout. Without the development dependencies there is no compiler, and nothing to do.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

if (existsSync(compiler)) {
  // Without the modules of an older build.
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], {
    stdio: "inherit",
  });
  // The compiler has written its output all the same, and an installation should not fail over a type.
  if (status !== 0) console.error("hashbench: built in spite of the errors above");
  await import("../dist/scripts/write-wgsl.js");
  await import("../dist/scripts/write-types.js");
  const page = spawnSync(process.execPath, [join(root, "dist", "scripts", "page.js")], { stdio: "inherit" });
  if (page.status !== 0) console.error("hashbench: without the page of `hashbench serve`");
  await import("./large-pages.mjs");
} else if (!existsSync(join(root, "dist"))) {
  console.error("hashbench: not built, since TypeScript is not installed; run npm install without --omit=dev");
}
