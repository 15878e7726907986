/** Runs on a terminal: `script` gives the command one. */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import { device, hashbench, inShell, temporary } from "./testing.js";

/** What a terminal shows after a program's output: the few control codes that ours uses, and lines that wrap at its width. */
function screen(output: string, width: number): string[] {
  const lines = [""];
  let row = 0;
  let column = 0;
  const at = () => lines[row] ?? "";
  // An escape sequence, or one character.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal gets
  for (const [code] of output.matchAll(/\x1b\[[\d;?]*[A-Za-z]|\x1b.|[\s\S]/gu)) {
    if (code === "\r") column = 0;
    else if (code === "\x1b[K") lines[row] = at().slice(0, column);
    else if (code.startsWith("\x1b")) throw new Error(`the screen does not know ${JSON.stringify(code)}`);
    else {
      if (code === "\n" || column === width) {
        row += 1;
        lines[row] ??= "";
        if (code !== "\n") column = 0;
      }
      if (code === "\n") continue;
      lines[row] = at().padEnd(column).slice(0, column) + code + at().slice(column + 1);
      column += 1;
    }
  }
  return lines;
}

/** In a terminal of that many columns, whose output `log` gets too. */
const onTerminal = (columns: number, log = "/dev/null"): string =>
  `script -q -e -f -c "stty cols ${columns}; $(printf "'%s' " "$@")" ${log}`;
const options = ["run", "tables/load-factor", "--device", device, "--n", "2000", "--max-noise", "0.9", "--no-count"];
const small = [...options, "--tables", "js-map,double-hashing", "--load-factor", "0.5,0.8"];

/** util-linux's, which the BSDs' is not; `ubuntu-latest` and Debian have it. */
function hasScript(): boolean {
  try {
    return /util-linux/.test(execFileSync("script", ["--version"], { encoding: "utf8" }));
  } catch {
    return false;
  }
}

// Where no terminal says its columns there would be 80.
test.runIf(hasScript())("of a run at 90 columns notes and results stay whole, and no bar", async () => {
  const width = 90;
  const out = temporary();
  const { code, stdout } = await inShell(onTerminal(width), ...small, "--out", out);
  expect(code, stdout).toBe(0);
  const drawn = stdout.split("\r\x1b[K");
  const bars = drawn.filter((text) => text.includes("░")).map((text) => text.split("\n").at(-1) ?? "");
  expect(bars.length).toBeGreaterThan(3);
  for (const bar of bars) expect(bar).toHaveLength(width - 3);
  // Of cells, then of figures.
  expect(bars).toContainEqual(expect.stringMatching(/^tables\/load-factor \S.* cells, .* left$/));
  expect(bars.at(-1)).toMatch(/^tables\/\S+ .* \d+\/\d+$/);
  const shown = screen(stdout, width);
  const text = shown.join(" ").replace(/ +/g, " ");
  expect(text).toContain("software adapter: a CPU runs the kernels, so rates are that CPU's and no GPU's");
  expect(text).toMatch(/results go to \S*hashbench-e2e/);
  expect(text).not.toMatch(/[█░]|cells, /);
  // Each line is one of the output, in its order, and nothing was drawn over it.
  const printed = drawn.map((one) => one.replace(/[^\n]*$/, "")).join("");
  for (const line of printed.split(/\r?\n/)) expect(screen(stdout, 1000).map((one) => one.trimEnd())).toContain(line);
});

const kept = join(packageRoot, "results", "nvidia-h200");

test.runIf(hasScript()).each([
  ["run", options, /^hashbench: interrupted at \d+ of \d+ cells; the same command with --resume goes on$/m],
  ["plot", ["plot", kept, "--formats", "svg"], /^hashbench: interrupted$/m],
])("Ctrl-C in %s leaves no bar, although the terminal shows it behind the bar", async (_, command, says) => {
  const out = temporary();
  const log = join(out, "..", `${basename(out)}.log`);
  // Until the command is gone its terminal stays open.
  const pressed = `(until grep -q ░ ${log}; do sleep 0.1; done; printf '\\003'; sleep 3)`;
  const { stdout } = await inShell(`${pressed} | ${onTerminal(80, log)}`, ...command, "--out", out);
  rmSync(log);
  expect(stdout).toContain("^C");
  const shown = screen(stdout, 80).join("\n");
  expect(shown).toMatch(says);
  expect(shown).not.toMatch(/[█░]|\^C/);
});

test("with -q standard error stays empty, and the tables go where they are exported to", async () => {
  const out = temporary();
  const [csv, markdown] = [join(out, "tables.csv"), join(out, "tables.md")];
  const exports = ["--export-csv", csv, "--export-markdown", markdown];
  const { code, lines, stdout } = await hashbench(...small, "--out", join(out, "results"), "-q", ...exports);
  expect([code, lines]).toEqual([0, []]);
  expect(stdout).toMatch(/^tables\/load-factor: Which table is fastest at which load factor$/m);
  expect(readFileSync(csv, "utf8")).toMatch(/^Load factor,0\.5,0\.8$/m);
  expect(readFileSync(markdown, "utf8")).toMatch(/^\| Load factor \| 0\.5 \| 0\.8 \|$/m);
});
