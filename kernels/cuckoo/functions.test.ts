import { expect, test } from "vitest";
import { MAX_ATTEMPTS } from "../common/bulk.js";
import { drawFunctions } from "./functions.js";

test("no attempt has a function of another attempt", () => {
  const attempts = Array.from({ length: MAX_ATTEMPTS }, (_, attempt) => drawFunctions(7, attempt));
  const functions = attempts.flat().map((words) => words.join());
  expect(new Set(functions).size).toBe(5 * MAX_ATTEMPTS);
});
