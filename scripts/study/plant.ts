/** Copies of this hashbench with a slower kernel: what a comparison has to find. */
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../bench/base/paths.js";
import { COMMIT_FILE } from "../../bench/results/environment.js";

/** A strength of 1 is all of these parts of the keys. */
const PARTS = 4096;

/** Code to put into a kernel behind its line `after`. It must not change what the kernel answers. */
export interface Plant {
  readonly file: string;
  readonly after: string;
  /** @param strength 0 … 1: the share of operations that do the extra work */
  readonly code: (strength: number) => string;
}

/** One more random read of the table, and of no consequence: no key is 0xFFFFFFFD in the data sets used here. */
export const slowerFind: Plant = {
  file: "kernels/bucketed/find.wgsl",
  after: "  var bucket = first_bucket(key);",
  code: (strength) => `  if ((key & ${PARTS - 1}u) < ${parts(strength)}u) {
    let extra = two_at(block_at(first_bucket(key ^ 0x5bd1e995u), 2u));
    if (all(extra.first == vec4u(0xFFFFFFFDu))) { return EMPTY; }
  }`,
};

export const slowerInsert: Plant = {
  file: "kernels/double-hashing/insert.wgsl",
  after: "  @if(!REUSE) var slot = first_slot(key);",
  code: (strength) => `  if ((key & ${PARTS - 1}u) < ${parts(strength)}u) {
    let extra = load_word(block_at(first_slot(key ^ 0x5bd1e995u), 2u));
    if (extra == 0xFFFFFFFDu) { return false; }
  }`,
};

/** Every lookup looks at its first bucket once more, at its values, and counts that as a probe. */
export const extraProbe: Plant = {
  file: "kernels/bucketed/find.wgsl",
  after: "    let values = halves.second;",
  code: () =>
    "    if (probe == 0u) { @if(COUNT) count_step(); @if(COUNT) count_read(); if (two_at(block_at(bucket, 2u)).second.x == DELETED) { return EMPTY; } }",
};

function parts(strength: number): number {
  return Math.round(strength * PARTS);
}

/** The kernel's text with the plant in it. Throws if its place is not there exactly once. */
export function planted(text: string, { file, after, code }: Plant, strength: number): string {
  const lines = text.split("\n");
  const at = lines.indexOf(after);
  if (at < 0 || lines.indexOf(after, at + 1) >= 0) throw new Error(`${file}: no single line ${JSON.stringify(after)}`);
  return lines.toSpliced(at + 1, 0, code(strength)).join("\n");
}

/** Not copied: what is large and the same (linked), or not part of the program. */
const LINKED = new Set(["node_modules"]);
const LEFT_OUT = new Set([".git", "biome.json", "results", "build", "node", "lib", "hashbench", "hashbench-results"]);

/** A copy of the running hashbench in `folder`, ready for {@link plantInto}. */
export function copyPackage(folder: string): void {
  for (const name of readdirSync(packageRoot)) {
    const [from, to] = [join(packageRoot, name), join(folder, name)];
    if (LEFT_OUT.has(name)) continue;
    if (LINKED.has(name)) symlinkSync(from, to);
    else cpSync(from, to, { recursive: true });
  }
  writeFileSync(join(folder, COMMIT_FILE), "planted\n");
}

/** Writes the kernels of a copy anew, from the running hashbench's. */
export function plantInto(
  folder: string,
  plants: readonly { readonly plant: Plant; readonly strength: number }[],
): void {
  for (const { plant, strength } of plants) {
    const text = readFileSync(join(packageRoot, plant.file), "utf8");
    writeFileSync(join(folder, plant.file), planted(text, plant, strength));
  }
}

/**
 * The strength that should give `wanted`, by straight lines between the points tried; beyond them by the line through the
 * first and the last. Never more than twice the largest tried, and at most 1.
 */
export function strengthFor(
  points: readonly { readonly strength: number; readonly change: number }[],
  wanted: number,
): number {
  const sorted = points.toSorted((a, b) => a.strength - b.strength);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || sorted.length === 1) return wanted;
  const at = sorted.findIndex(({ change }) => change >= wanted);
  const [low, high] = at > 0 ? [sorted[at - 1] ?? first, sorted[at] ?? last] : [first, last];
  const slope = (high.change - low.change) / (high.strength - low.strength);
  const guess = slope > 0 ? low.strength + (wanted - low.change) / slope : Number.POSITIVE_INFINITY;
  return Math.min(1, 2 * last.strength, guess);
}
