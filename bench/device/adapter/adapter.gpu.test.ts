import { expect, test } from "vitest";
import { testGpu } from "../testing.js";

/** scripts/test.mjs chose the adapter before this process started. */
const DRIVER: Readonly<Record<string, RegExp>> = { lavapipe: /llvmpipe/, swiftshader: /SwiftShader/ };

const gpu = testGpu();

test("the adapter that was chosen is the one that Dawn opens here", () => {
  expect(gpu().info.driver).toMatch(DRIVER[process.env.HASHBENCH_DEVICE ?? ""] ?? /./);
});
