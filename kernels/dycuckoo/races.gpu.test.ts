/**
 * A victim that moves before its lock is taken. On a software adapter that is rare: here a lane waits for its victim to move, a
 * while, and lanes choose the same victims. They have to run at the same time: step `8 threads` of scripts/test.mjs.
 */
import { expect, test } from "vitest";
import { testGpu, withEdits } from "../../bench/device/testing.js";
import { Mismatch } from "../../bench/verify/bulk.js";
import { fill } from "../../bench/verify/cases/last-slots.js";
import { dycuckoo } from "./dycuckoo.js";

const gpu = testGpu();
const EVICT = "kernels/dycuckoo/evict.wgsl";
/** A lane that has read its victim, and tries its lock next. */
const TRIES = "    if (locked && leads && away) {";
const waits = {
  [TRIES]: `
    for (var wait = 0u; locked && away && wait < 2000u && load_key(victim) == moved; wait++) {}
${TRIES}`,
  // A key's victims are its bucket's slots in their order, of half of the keys those of the second bucket first.
  "(mix32(key) + number)": "((key & 1u) * BUCKET + number)",
};
const noLook = { "if (both_locked && load_key(victim + after_both) == moved) {": "if (both_locked) {" };
const filled = (edits: Readonly<Record<string, string>>, times: number) =>
  fill(withEdits(gpu(), EVICT, edits), dycuckoo, { n: 20_000, times }, 0, () => {});

const threaded = test.skipIf(process.env.LP_NUM_THREADS === undefined);

threaded("a victim that has moved is left alone", async () => {
  await filled(waits, 8);
});

threaded("a lane that does not look at its victim again is found out", async () => {
  await expect(filled({ ...waits, ...noLook }, 60)).rejects.toThrow(Mismatch);
});
