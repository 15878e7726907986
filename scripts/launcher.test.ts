import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { packageRoot } from "../bench/base/paths.js";

let folder: string;
let bundle: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hashbench-launcher-"));
  bundle = join(folder, "bundle");
  mkdirSync(join(folder, "bin"));
  mkdirSync(bundle);
  copyFileSync(join(packageRoot, "scripts", "launcher.sh"), join(bundle, "hashbench"));
  // In place of Node: shows how it was called.
  script(join(bundle, "node"), 'echo "$LD_LIBRARY_PATH"; for word in "$@"; do echo "$word"; done');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function script(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

/** Starts the launcher on a machine whose dynamic linker knows `libraries`. */
function launch(libraries: string, env: Readonly<Record<string, string>> = {}, file = join(bundle, "hashbench")) {
  script(join(folder, "bin", "ldconfig"), `echo "${libraries}"`);
  const path = `${join(folder, "bin")}:/usr/bin:/bin`;
  const output = execFileSync("sh", [file, "run", "a b"], { env: { PATH: path, ...env }, encoding: "utf8" });
  const [libraryPath, ...words] = output.trimEnd().split("\n");
  return { libraryPath, words };
}

describe.skipIf(process.platform !== "linux")("the bundle's launcher", () => {
  test("starts the bundled Node with the command's words as they were", () => {
    expect(launch("libvulkan.so.1").words).toEqual([join(bundle, "dist/bench/cli/main.js"), "run", "a b"]);
  });

  test("leaves the library path alone where the system has a Vulkan loader", () => {
    expect(launch("libvulkan.so.1 (libc6,x86-64) => /lib/libvulkan.so.1").libraryPath).toBe("");
  });

  test("adds the bundled Vulkan loader where the system has none, before what is set", () => {
    expect(launch("libc.so.6").libraryPath).toBe(join(bundle, "lib"));
    expect(launch("libc.so.6", { LD_LIBRARY_PATH: "/opt/lib" }).libraryPath).toBe(`${join(bundle, "lib")}:/opt/lib`);
  });

  test("works through a symbolic link", () => {
    symlinkSync(join(bundle, "hashbench"), join(folder, "bin", "hashbench"));
    expect(launch("", {}, join(folder, "bin", "hashbench")).libraryPath).toBe(join(bundle, "lib"));
  });
});
