import { expect, test } from "vitest";
import { tooFewFiles } from "./open-files.js";

test("a module that is not found is no sign of a limit, where many files may be open", () => {
  const error = (code: string) => Object.assign(new Error("it is odd"), { code });
  expect(tooFewFiles(error("EMFILE"))).toBe(true);
  expect(tooFewFiles(error("ERR_MODULE_NOT_FOUND"))).toBe(false);
  expect(tooFewFiles(error("ENOENT"))).toBe(false);
  expect(tooFewFiles("EMFILE")).toBe(false);
});
