import { expect, test } from "vitest";
import { datasetNames } from "./parsers.js";

test.each([
  ["random,zipf:1.1", ["random", "zipf:1.1"]],
  ["file:x.csv?columns=orderkey,linenumber", ["file:x.csv?columns=orderkey,linenumber"]],
  [
    "random,file:x.csv?columns=a,b&as=hash,zipf:1,lineitem",
    ["random", "file:x.csv?columns=a,b&as=hash", "zipf:1", "lineitem"],
  ],
  ["file:x.csv?columns=a,b,file:y.csv?columns=c,d", ["file:x.csv?columns=a,b", "file:y.csv?columns=c,d"]],
  ["file:a,b.csv?columns=c", ["file:a,b.csv?columns=c"]],
  ["file:x.csv?columns=a,%72andom", ["file:x.csv?columns=a,%72andom"]],
  ["randon,normal", ["randon", "normal"]],
])("%s", (text, names) => {
  expect(datasetNames(text)).toEqual(names);
});

test("an empty item is refused", () => {
  expect(() => datasetNames("random,,normal")).toThrow(/an item of the list is empty/);
});
