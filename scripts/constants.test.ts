/** Constants that hosts repeat, because they plan with them before there is a device, are those of the kernels. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RECORD_WORDS, REGIONS_AT } from "../bench/counting/sums.js";
import { packageRoot } from "../bench/paths.js";

const read = (file: string) => readFileSync(join(packageRoot, file), "utf8");

/** `NAME of path.wgsl` in the comment of a constant. */
const REPEATED = /\b([A-Z][A-Z_]+) of ([\w/-]+\.wgsl)[^\n]*\*\/\n(?:export )?const (\w+) = ([^;]+);/g;

const files = ["bench", "kernels"].flatMap((folder) =>
  readdirSync(join(packageRoot, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name)),
);

const repeated = files.flatMap((file) =>
  [...read(file).matchAll(REPEATED)].map(([, name = "", kernel = "", constant = "", value = ""]) => ({
    what: `${file}: ${constant}`,
    name,
    kernel,
    value,
  })),
);

/** The value of a constant of a kernel, whose terms are literals and constants of it or of what it imports by name. */
function valueIn(kernel: string, name: string): number {
  const text = read(kernel);
  const own = new RegExp(`\\b(?:const|override) ${name}(?:: u32)? = ([^;]+);`).exec(text)?.[1];
  if (own !== undefined) return evaluate(own, (term) => valueIn(kernel, term));
  for (const [, path = "", names = ""] of text.matchAll(/^import ((?:\w+::)+)\{?([^;}]+)\}?;/gm)) {
    if (!names.split(",").some((one) => one.trim() === name)) continue;
    const file = path.replace(/^package::/, "").replace(/^super::/, `${kernel.replace(/\/[^/]*$/, "")}/`);
    return valueIn(`${file.split("::").filter(Boolean).join("/").replaceAll("//", "/")}.wgsl`, name);
  }
  throw new Error(`${kernel} has no constant ${name}`);
}

/** A product, sum or power of literals and names. */
function evaluate(expression: string, of: (name: string) => number): number {
  const literals = expression.replace(/\b(0x[0-9a-f]+|\d[\d_]*)u?\b/g, (_, digits: string) =>
    digits.replaceAll("_", ""),
  );
  const known = literals.replace(/\b[A-Z]\w*/g, (name) => String(of(name)));
  if (!/^[\dxa-f\s+*()-]+$/.test(known)) throw new Error(`${expression} is no constant expression`);
  return Number(new Function(`return ${known};`)());
}

test.each(repeated)("$what is $name of $kernel", ({ kernel, name, value }) => {
  const literal = (term: string): number => {
    throw new Error(`${term} is no literal`);
  };
  expect(evaluate(value, literal)).toBe(valueIn(kernel, name));
});

test("the constants that are repeated are found", () => {
  expect(repeated.length).toBeGreaterThanOrEqual(15);
});

test("records of counting kernels have the words that their sums have", () => {
  expect([REGIONS_AT, RECORD_WORDS]).toEqual(
    ["SUMS", "RECORD"].map((name) => valueIn("kernels/common/count.wgsl", name)),
  );
});
