/** For tests of bad command lines, run in this process: what they print, and that it is one line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { main } from "./program.js";

export const stderr: string[] = [];
export const stdout: string[] = [];

/** Notes the lines that each test of the file prints, in `stdout` and `stderr`. */
export function noteOutput(): void {
  beforeEach(() => {
    stderr.length = 0;
    stdout.length = 0;
    const note = (lines: string[]) => (text: unknown) => {
      lines.push(...String(text).replace(/\n$/, "").split("\n"));
      return true;
    };
    vi.spyOn(console, "error").mockImplementation(note(stderr));
    vi.spyOn(process.stderr, "write").mockImplementation(note(stderr));
    vi.spyOn(console, "log").mockImplementation(note(stdout));
    vi.spyOn(process.stdout, "write").mockImplementation(note(stdout));
  });
  afterEach(() => vi.restoreAllMocks());
}

/** Expects the command line to end with exit code 2 and one line that says so, and nothing else. */
export async function expectRefused(args: readonly string[], says: RegExp): Promise<void> {
  stderr.length = 0;
  const code = await main(args);
  expect(stderr).toHaveLength(1);
  expect(stderr[0]).toMatch(says);
  expect(stderr[0]).toMatch(/^hashbench: /);
  expect(stderr[0]).not.toMatch(/\bat .*:\d+:\d+|\berror:/);
  expect(stdout).toEqual([]);
  expect(code).toBe(2);
}

/** A folder for the test file, which goes away with it, and what writes a file there and gives its path. */
export function testFolder(): { readonly folder: string; file(name: string, content: string): string } {
  const folder = mkdtempSync(join(tmpdir(), "hashbench-bad-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    file(name, content) {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
  };
}
