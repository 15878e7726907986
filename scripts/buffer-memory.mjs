// Builds the Vulkan layer of bench/device/buffer-memory into dist: `node scripts/buffer-memory.mjs [package folder]`. Where that is not
// possible, a line says so and no more: the rate of large tables on NVIDIA's driver depends on it, and tables in host memory.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join("bench", "device", "buffer-memory");
const COMPILERS = ["cc", "gcc", "clang"];
const FLAGS = [
  ...["-std=c11", "-O2", "-shared", "-fPIC", "-pthread"],
  ...["-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-Wl,-z,defs", "-s"],
];

const root = process.argv[2] ?? join(import.meta.dirname, "..");
if (process.platform === "linux") build(join(root, FOLDER), join(root, "dist", FOLDER));

function build(source, target) {
  // What an earlier build left may be of other sources.
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const words = [...FLAGS, "-o", join(target, "libhashbench_buffer_memory.so"), join(source, "buffer_memory.c")];
  const compiler = COMPILERS.find((name) => spawnSync(name, ["--version"]).status === 0);
  const { status, stderr } = compiler ? spawnSync(compiler, words, { encoding: "utf8" }) : {};
  if (status === 0) return copyFileSync(join(source, "buffer_memory.json"), join(target, "buffer_memory.json"));
  rmSync(target, { recursive: true });
  const failed = stderr?.split("\n").find((line) => line.includes("error")) ?? `${compiler} failed`;
  const why = compiler ? failed : `there is no C compiler (${COMPILERS.join(", ")})`;
  console.error(`hashbench: built without the layer for buffer memory (bench/device/buffer-memory): ${why}`);
}
