import { describe, expect, it } from "vitest";
import { datasetList, openDataset, validateDataset } from "./index.js";

describe("data sets by name", () => {
  it.each([
    "random",
    "lineitem",
    "zipf:1.1",
    "normal",
    "sequential",
    "tw",
    "re",
    "line",
    "com",
    "reddit",
    "taobench",
    "hostile:bits",
  ])("%s gives exactly n keys under its own name, and none of them reserved", async (spec) => {
    const source = await openDataset(spec, { n: 10_000, seed: 1 });
    expect(source.id).toBe(spec);
    expect(source.n).toBe(10_000);
    let keys = 0;
    for await (const chunk of source.chunks()) {
      keys += chunk.length;
      expect(chunk.every((key) => key < 0xfffffffe)).toBe(true);
    }
    expect(keys).toBe(10_000);
  });

  it("lists every kind with its spelling", () => {
    expect(datasetList.map(({ pattern }) => pattern.split(":")[0])).toEqual(
      "random lineitem normal sequential tw re line com reddit taobench zipf hostile file".split(" "),
    );
  });

  it.each([
    [
      "lineitm",
      'unknown data set "lineitm", did you mean lineitem? There are: random, lineitem, normal, sequential, tw, re, line, com, reddit, taobench, zipf:<s>, hostile:<kind>, file:',
    ],
    ["zipf", 'zipf: the exponent "" is not a number >= 0; write for example zipf:1.1'],
    ["zipf:a", 'zipf: the exponent "a" is not a number >= 0'],
    [
      "hostile:cuckoo",
      'hostile: no kind "cuckoo"; there are bucketed, quotient, crystal, double-hashing, multiples, bits',
    ],
    ["random:3", 'random takes nothing after a colon, here "3"'],
    ["file", "file: no path given; write file:<path>?columns=a,b"],
    ["file:/nowhere/x.csv?columns=a", "/nowhere/x.csv does not exist"],
  ])("%s is refused on opening and on validation", async (spec, message) => {
    await expect(validateDataset(spec)).rejects.toThrow(message);
    await expect(openDataset(spec, { n: 10, seed: 0 })).rejects.toThrow(message);
  });

  it("accepts what is well spelt", async () => {
    for (const spec of ["random", "lineitem", "zipf:0"]) await expect(validateDataset(spec)).resolves.toBeUndefined();
  });

  it.each([
    [{ n: 0, seed: 0 }, "n = 0 is not an integer from 1 to 4294967295"],
    [{ n: 1.5, seed: 0 }, "n = 1.5 is not"],
    [{ n: 1, seed: -1 }, "seed = -1 is not an integer from 0"],
    [{ seed: 0 }, "random needs the number of keys, n"],
  ])("refuses %j", async (options, message) => {
    await expect(openDataset("random", options)).rejects.toThrow(message);
  });
});
