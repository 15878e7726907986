import { expect, test } from "vitest";
import { experiments } from "../experiments/index.js";
import { meet } from "../native/load.js";
import { manifestOf } from "../native/testing.js";
import { temporaryFolder } from "../results/testing.js";
import { configuration } from "./configuration.js";
import type { RunOptions } from "./run.js";

const info = { run: "1", commit: "", device: "gpu", driver: "", dawn: "", toggles: "" };
const planned = experiments
  .filter(({ id }) => id === "tables/load-factor")
  .map((experiment) => ({ experiment, scale: 1, cells: [] }));

test("run.json has the native tables that its experiments ask for, whichever shard has their cells", async () => {
  const options = { seed: 1, quick: true } as RunOptions;
  expect(configuration(options, planned, info)).not.toHaveProperty("native");
  await meet([
    manifestOf(temporaryFolder(), "", { id: "libcuckoo" }),
    manifestOf(temporaryFolder(), "", { id: "other" }),
  ]);
  const native = { libcuckoo: expect.objectContaining({ device: "a CPU", library: "Map 1.0" }) };
  expect(configuration(options, planned, info)).toMatchObject({ native });
  expect(Object.keys(configuration(options, planned, info).native ?? {})).toEqual(["libcuckoo"]);
  expect(configuration({ ...options, tables: ["cuckoo"] }, planned, info)).not.toHaveProperty("native");
});
