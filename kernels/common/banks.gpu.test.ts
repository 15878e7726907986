/** Where words of tables lie that are larger than any device: the numbers alone, without the tables. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { dispatch } from "../device/bind.js";
import { scoped } from "../device/owned.js";
import { bankConditions, banksOf, MAX_BANKS } from "./banks.js";

const gpu = testGpu();
/** The last device binds more than a bank may have. */
const BINDINGS = [2 ** 31 - 16, 2 ** 32, 2 ** 33];
const cases = BINDINGS.flatMap((binding) => [2, 8, 32].map((words) => ({ binding, words })));

test.each(cases)(
  "blocks of $words words where $binding bytes are bound lie where the host has them",
  async ({ binding, words }) => {
    const blockBytes = 4 * words;
    const bytes = Math.min(MAX_BANKS * (2 ** 31 - 16 - blockBytes), blockBytes * (2 ** 32 - 1));
    const { blocks, sizes } = banksOf({ bytes, blockBytes }, binding);
    const all = Math.floor(bytes / blockBytes);
    // Ends of banks, and numbers whose words or bytes are 2^30 to 2^32.
    const around = [...sizes.keys()].map((bank) => bank * blocks);
    const powers = [30, 31, 32].flatMap((power) => [2 ** power / words, 2 ** power / blockBytes]);
    const numbers = [...around, ...powers, all].flatMap((at) => [at - 1, at]).filter((at) => at >= 0 && at < all);
    const inputs = numbers.flatMap((number) => [[number, 0] as const, [number, words - 1] as const]);
    expect(sizes.length * blocks * words).toBeGreaterThan(2 ** 32);
    const file = "kernels/common/banks-check.wgsl";
    const constants = { BANK_BLOCKS: blocks, BLOCK_WORDS: words };
    const conditions = bankConditions(sizes.length);
    const kernel = await gpu().kernel({ file, conditions, constants, takes: ["inputs", "outputs"] });
    const places = await scoped(gpu(), async (own) => {
      const [given, outputs] = [
        await own.alloc("inputs", 8 * inputs.length),
        await own.alloc("outputs", 8 * inputs.length),
      ];
      own.write(given, 0, Uint32Array.from(inputs.flat()));
      await own.run([dispatch(kernel, Math.ceil(inputs.length / 64), { inputs: given, outputs })]);
      return own.read(outputs, 2 * inputs.length);
    });
    const expected = inputs.flatMap(([number, word]) => {
      const bank = Math.floor(number / blocks);
      return [bank, (number - bank * blocks) * words + word];
    });
    expect([...places]).toEqual(expected);
    expect(Math.max(...expected)).toBeLessThan(2 ** 30);
  },
);
