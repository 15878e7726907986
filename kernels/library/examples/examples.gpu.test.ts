/** The examples import the package as its users do: what was built. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join as path } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../../bench/base/paths.js";
import { testGpu } from "../../../bench/device/testing.js";
import { withDefaultLimits } from "../testing.js";

const gpu = testGpu();

/** What each says it did. */
const ANSWERS: Readonly<Record<string, RegExp>> = {
  "visited-states": /^181440 positions, the farthest 31 moves/,
  "voxel-hash": /^200000 points in 50751 voxels/,
  mesh: /^20000 triangles of 10201 vertices$/,
  cache: /^10000 rounds: 1024 pairs in \d+ slots, nothing refused$/,
  "group-by": /^100000 sales of 3000 products$/,
  "join-rows": /^36073 results of 30000 parcels and 20000 addresses, 16410 without one$/,
  typegpu: /^20000 points in 6823 cells$/,
  join: /^19597 pairs of 10000 orders and 12000 payments/,
};

type Applications = Readonly<Record<string, (device: GPUDevice) => Promise<string>>>;
const { applications } = (await import(/* @vite-ignore */ path(import.meta.dirname, "applications.mjs"))) as {
  applications: Applications;
};

// They compare their answers themselves.
test.each(Object.keys(applications))("the application %s has the answers that JavaScript has", async (name) => {
  expect(await applications[name]!(withDefaultLimits(gpu().device))).toMatch(ANSWERS[name]!);
});

/** The first program in a README. */
const programOf = (readme: string) => /^```js\n(.*?)^```/ms.exec(readFileSync(readme, "utf8"))?.[1] ?? "none";
const inNode = (program: string) =>
  execFileSync("node", ["--input-type=module", "-e", program], { cwd: packageRoot, encoding: "utf8" });

test("the program in the library's README stores all of its pairs, and erases them", () => {
  const page = `import { create, globals } from "webgpu";
    Object.assign(globalThis, globals);
    Object.defineProperty(globalThis, "navigator", { value: { gpu: create([]) } });`;
  expect(inNode(page + programOf(path(packageRoot, "kernels", "library", "README.md")))).toBe(
    "{ stored: 1000, refused: 0, erased: 1000 }\n",
  );
});

test("the program in README stores all of its pairs, and erases some", () => {
  const printed = inNode(programOf(path(packageRoot, "README.md")));
  expect(printed).toBe("{ stored: 1000, refused: 0 }\n{ erased: 10 }\n");
});
