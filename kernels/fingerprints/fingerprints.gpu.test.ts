import { describe } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { casesNamed, testCases } from "../../bench/verify/testing.js";
import { configure } from "../define.js";
import { altered } from "../testing.js";
import { fingerprints } from "./fingerprints.js";

const gpu = testGpu();

describe("fingerprints of 8 bits, in 3 banks and 3 passes", () => {
  const type = altered(configure(fingerprints, { bits: 8, passes: 3 }), ({ create, bytes }) => ({
    create(own, making) {
      const value = 128 * Math.ceil(bytes(making.n, making.loadFactor) / 3 / 128);
      return create(Object.create(own, { maxBinding: { value } }), making);
    },
  }));
  testCases(casesNamed(type, "random history of insertions", "full table", "usual load factor"), gpu, type);
});
