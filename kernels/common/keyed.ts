/** The host's part of the keyed hash (keyed.wgsl). */
import { flag } from "../declare.js";
import type { Making } from "../table.js";
import { randomWords } from "./random.js";

/** Parameter of tables whose layout.wgsl has the condition. */
export const KEYED = flag({
  default: false,
  task: true,
  meaning: "the hash is a block cipher with a secret of 64 bits, against keys that are made to meet",
});

const ROUNDS = 22;
/** Of `RoundKeys`. */
const WORDS = 24;

/** Round keys of Speck32/64 by a secret, its lower word first; then zeros. */
export function roundKeys([low, high]: readonly [number, number]): readonly number[] {
  const left = [low >>> 16, high & 0xffff, high >>> 16];
  const keys = new Array<number>(WORDS).fill(0);
  let key = low & 0xffff;
  for (let round = 0; round < ROUNDS; round++) {
    keys[round] = key;
    const turned = left[round % 3] ?? 0;
    const next = ((((turned >>> 7) | (turned << 9)) + key) & 0xffff) ^ round;
    left[round % 3] = next;
    key = (((key << 2) | (key >>> 14)) & 0xffff) ^ next;
  }
  return keys;
}

/** Those of a table that is `keyed`: by its secret, or by one that is made of its seed. */
export function roundKeysFor(keyed: boolean, { seed, secret }: Pick<Making, "seed" | "secret">) {
  if (!keyed) return undefined;
  const word = randomWords(seed);
  return roundKeys(secret ?? [word(), word()]);
}
