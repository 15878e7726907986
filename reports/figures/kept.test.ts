import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";

const reports = readdirSync(join(packageRoot, "reports")).filter(
  (name) => name.endsWith(".md") && name !== "README.md",
);
const pages = ["README.md", ...reports.map((name) => join("reports", name))];

test.each(pages)("pictures of %s are kept, as SVG that needs no other file", (page) => {
  const text = readFileSync(join(packageRoot, page), "utf8");
  for (const [, link = ""] of text.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)) {
    expect(link).toMatch(/\.svg$/);
    const file = join(packageRoot, dirname(page), decodeURI(link));
    expect(existsSync(file), link).toBe(true);
    expect(readFileSync(file, "utf8")).not.toMatch(/<image|href="(?!#)|@import|@font-face/);
  }
});
