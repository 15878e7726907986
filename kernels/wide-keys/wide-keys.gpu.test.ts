import { describe, expect, test } from "vitest";
import { testGpu, withEdits } from "../../bench/device/testing.js";
import { keysFrom, valuesFor } from "../../bench/verify/draw.js";
import { Harness } from "../../bench/verify/harness.js";
import { casesNamed, testCases } from "../../bench/verify/testing.js";
import { bucketed } from "../bucketed/bucketed.js";
import { configure } from "../define.js";
import type { Gpu } from "../device/gpu.js";
import { linearProbing } from "../double-hashing/double-hashing.js";
import { warpcore } from "../warpcore/warpcore.js";

const gpu = testGpu();

const KEY_BYTES = { keyBytes: 8 };
const ERASE = "kernels/wide-keys/erase.wgsl";
const SECOND = "@if(REUSE) store_word(offset(word, IN_BLOCK), EMPTY);";
const ours = [
  ...[linearProbing, bucketed].map((type) => ({
    type: configure(type, { ...KEY_BYTES, reuse: true }),
    file: ERASE,
    sound: SECOND,
  })),
  {
    type: configure(warpcore, KEY_BYTES),
    file: "kernels/wide-windows/erase.wgsl",
    sound: "store_word(offset(first_at(slot), GROUP), EMPTY);",
  },
];
/** `verify` runs the others. */
const FEW = ["reserved keys", "every key a few times", "a random history of insertions"];

describe.each(ours)("$type.id with keys of two words", ({ type, file, sound }) => {
  testCases(casesNamed(type, ...FEW), gpu, type);

  test("takes all slots again once their keys were erased", async () => {
    const filledTwice = (device: Gpu) =>
      Harness.on(device, type, 1024, 1, async (harness) => {
        const { slots } = harness.table;
        for (const first of [0, slots]) {
          const keys = keysFrom(first, slots, 7);
          await harness.insert(keys, valuesFor(keys, first));
          await harness.find(keysFrom(0, 2 * slots, 7));
          await harness.erase(keys);
        }
      });
    await filledTwice(gpu());
    const faulty = withEdits(gpu(), file, { [sound]: "" });
    await expect(filledTwice(faulty)).rejects.toThrow("insert refused");
  });
});
