// Builds after `npm install` in a checkout. Without the development dependencies there is no compiler, and nothing to do.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const compiler = join(root, "node_modules", "typescript", "bin", "tsc");

if (existsSync(compiler)) {
  execFileSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
} else if (!existsSync(join(root, "dist"))) {
  console.error("hashbench: not built, since TypeScript is not installed; run npm install without --omit=dev");
}
