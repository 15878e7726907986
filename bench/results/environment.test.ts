import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMIT_FILE, commitOfRun, gitCommit, hostEnvironment } from "./environment.js";
import { temporaryFolder } from "./testing.js";

function repository(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a"), "1");
  const name = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "a"],
    [...name, "commit", "-qm", "a"],
  ])
    execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
  return folder;
}

test("the commit of a clean checkout is a short hash", () => {
  expect(gitCommit(repository())).toMatch(/^[0-9a-f]{12}$/);
});

test("a checkout with changes is dirty, one with new files only is not", () => {
  const folder = repository();
  writeFileSync(join(folder, "new"), "");
  expect(gitCommit(folder)).not.toContain("dirty");
  writeFileSync(join(folder, "a"), "2");
  expect(gitCommit(folder)).toMatch(/^[0-9a-f]{12}-dirty$/);
});

test("a package inside somebody else's checkout has no commit", () => {
  const inner = join(repository(), "node_modules");
  mkdirSync(inner);
  expect(gitCommit(inner)).toBe("");
});

test("a bundle has the commit it was made from", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, COMMIT_FILE), "0123456789ab\n");
  expect(gitCommit(folder)).toBe("0123456789ab");
});

test("no checkout and no such folder have no commit", () => {
  expect(gitCommit(temporaryFolder())).toBe("");
  expect(gitCommit("/nonexistent/folder")).toBe("");
});

test("a run outside hashbench's checkout names what was given, the user's commit, or the workflow's", () => {
  const [folder, root, env] = [repository(), temporaryFolder(), { GITHUB_SHA: "89abcdef".repeat(5) }];
  expect(commitOfRun("mine", { root, folder, env })).toBe("mine");
  expect(commitOfRun("", { root, folder, env })).toBe(gitCommit(folder));
  expect(commitOfRun("", { root, folder: root, env })).toBe("89abcdef89ab");
  expect(commitOfRun("", { root, folder: root, env: {} })).toBe("");
  expect(commitOfRun("", { root: folder, folder: root, env })).toBe(gitCommit(folder));
});

test("the host environment is plain JSON without gaps", () => {
  const host = hostEnvironment();
  expect(JSON.parse(JSON.stringify(host))).toEqual(host);
  expect(Object.values(host)).not.toContain("");
  expect(host.memoryBytes).toBeGreaterThan(2 ** 20);
});
